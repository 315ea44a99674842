import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  ArchiveRestore,
  CalendarClock,
  ChevronRight,
  CircleAlert,
  CircleCheck,
  Copy,
  FileText,
  HardDrive,
  ImageOff,
  Import,
  type LucideIcon,
  MessageSquare,
  TriangleAlert,
  Upload,
} from "lucide-react";
import { duplicatesQuery } from "../duplicates/decide.ts";
import { api } from "../lib/api.ts";
import { useIsAdmin } from "../lib/me.ts";
import { showToast } from "../lib/toasts.ts";
import { sourceOf } from "../pickers/thumb.tsx";
import { sharesQuery } from "../shares/shares-query.ts";
import { Button } from "../ui/button.tsx";
import { RecordThumb } from "../ui/record-thumb.tsx";
import { Result } from "../ui/screen.tsx";
import { attentionQuery, listMatters, type Matter } from "./attention.ts";
import { line, list, Part } from "./part.tsx";
import { homeTexts as t } from "./texts.ts";
import { UnreadablePictures } from "./unreadable-pictures.tsx";

const icons: Partial<Record<Matter["name"], LucideIcon>> = {
  waitingComments: MessageSquare,
  waitingUploads: Upload,
  storage: HardDrive,
  disk: TriangleAlert,
  copiedPasskeys: TriangleAlert,
  unreadablePictures: ImageOff,
  duplicateGroups: Copy,
  lastBackupAt: ArchiveRestore,
  deletionsHeld: CalendarClock,
  largeLogBytes: HardDrive,
  unfinishedImports: Import,
  scheduledPosts: CalendarClock,
  drafts: FileText,
};

/** What is shown of the first of them, if they are pictures. */
function useImage(name: Matter["name"]): string | null {
  const duplicates = useQuery({ ...duplicatesQuery, enabled: name === "duplicateGroups" });
  const shares = useQuery({ ...sharesQuery("me"), enabled: name === "waitingUploads" });
  const copy = duplicates.data?.groups[0]?.copies[0]?.photo;
  if (name === "duplicateGroups") return (copy && sourceOf(copy, 40)) ?? null;
  return (name === "waitingUploads" && shares.data?.find(({ waitingUploads }) => waitingUploads > 0)?.image) || null;
}

/** What waits, with links to where it is dealt with. */
export function AttentionList({ isNew }: { isNew: boolean }) {
  const isAdmin = useIsAdmin();
  const found = useQuery(attentionQuery);
  return (
    <Result of={found}>
      {(attention) => {
        const matters = listMatters(attention, { isAdmin, isNew });
        if (matters.length === 0 && isNew) return null;
        return (
          <Part title={t.attention}>
            {matters.length === 0 ? (
              <p className="flex items-center gap-3 rounded-card border border-line bg-surface px-4 py-3 text-soft">
                <CircleCheck className="size-5 shrink-0" />
                {t.calm}
              </p>
            ) : (
              <ul className={list}>
                {matters.map((matter) => (
                  <li key={matter.name}>
                    {matter.name === "unreadablePictures" ? (
                      <UnreadablePictures fileIDs={attention.unreadablePictures.fileIDs}>
                        <Words matter={matter} />
                      </UnreadablePictures>
                    ) : (
                      <Line matter={matter} />
                    )}
                  </li>
                ))}
              </ul>
            )}
          </Part>
        );
      }}
    </Result>
  );
}

function Line({ matter }: { matter: Matter }) {
  if (!matter.to) {
    return (
      <div className={line}>
        <Words matter={matter} />
        {matter.name === "deletionsHeld" && <ConfirmClock />}
      </div>
    );
  }
  return (
    <Link to={matter.to} search={matter.search ?? {}} className={`${line} hover:bg-tint`}>
      <Words matter={matter} />
      <ChevronRight className="size-4 shrink-0 text-soft" />
    </Link>
  );
}

function ConfirmClock() {
  const queries = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => api.confirmClock(),
    onSuccess: () => showToast({ text: t.clockConfirmed }),
    onSettled: () => queries.invalidateQueries({ queryKey: attentionQuery.queryKey }),
  });
  return (
    <Button isBusy={confirm.isPending} onClick={() => confirm.mutate()}>
      {t.clockIsRight}
    </Button>
  );
}

function Words({ matter: { name, text, hint } }: { matter: Matter }) {
  const image = useImage(name);
  return (
    <>
      <RecordThumb image={image} icon={icons[name] ?? CircleAlert} className="[&>svg]:text-accent" />
      <span className="min-w-0 flex-1">
        {text}
        {hint && <span className="block text-sm text-soft">{hint}</span>}
      </span>
    </>
  );
}
