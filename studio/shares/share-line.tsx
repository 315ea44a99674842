import { type ReactNode, useState } from "react";
import type { Share } from "../../client/src/index.ts";
import { formatAgo, formatDay } from "../lib/format.ts";
import { queries } from "../lib/queries.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { classes } from "../ui/classes.ts";
import { MoreMenu } from "../ui/menu.tsx";
import { RecordThumb } from "../ui/record-thumb.tsx";
import { RemoveDialog } from "../ui/remove-dialog.tsx";
import { ChangeShareDialog } from "./change-share-dialog.tsx";
import { sharedKinds } from "./kinds.ts";
import { shareTexts as t } from "./texts.ts";
import { revokeShare } from "./waiting.ts";

/** One link: its options, its use, and what can be done with it. */
export function ShareLine({ share, name }: { share: Share; name?: ReactNode }) {
  const [open, setOpen] = useState<"change" | "revoke" | null>(null);
  const close = () => setOpen(null);
  return (
    <div className="flex items-start gap-3 py-3">
      {name && (
        <RecordThumb
          image={share.image}
          icon={sharedKinds[share.kind].icon}
          label={sharedKinds[share.kind].one}
          className="!size-12"
        />
      )}
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-1">
        {name}
        <p className={classes("text-sm", name ? "text-soft" : "text-ink")}>
          {t.visits(share.uses)}
          {share.lastUsedAt && `, ${t.lastUsed(formatAgo(share.lastUsedAt))}`}
          {" · "}
          {t.createdAt(formatDay(share.createdAt))}
        </p>
        <ul className="flex flex-wrap gap-1.5 text-xs">
          {tagsOf(share).map((tag) => (
            <li key={tag} className="rounded-full border border-line px-2 py-0.5 text-soft">
              {tag}
            </li>
          ))}
        </ul>
      </div>
      <MoreMenu
        label={words.change}
        items={[
          { label: words.change, run: () => setOpen("change") },
          { label: t.revoke, isDanger: true, run: () => setOpen("revoke") },
        ]}
      />
      {open === "change" && <ChangeShareDialog share={share} onClose={close} />}
      {open === "revoke" && (
        <RemoveDialog
          title={t.revokeTitle}
          action={t.revoke}
          act={() => revokeShare(share.id)}
          onDone={() => hideRevoked(share)}
          onSettled={() => queries.invalidateQueries({ queryKey: ["shares", "of"] })}
          onClose={close}
        >
          <p>{t.revokeHint(share.waitingUploads)}</p>
        </RemoveDialog>
      )}
    </div>
  );
}

function hideRevoked({ id }: Share): void {
  showToast({ text: t.revoked });
  queries.setQueriesData({ queryKey: ["shares", "list"] }, (shares: Share[] | undefined) =>
    shares?.filter((share) => share.id !== id),
  );
}

function tagsOf({ expiresAt, hasPassword, allowUpload, allowDownload, showMetadata }: Share): string[] {
  const tags = [
    expiresAt && (Date.parse(expiresAt) < Date.now() ? t.expired : words.until(formatDay(expiresAt))),
    hasPassword && words.password,
    allowUpload && t.hasUpload,
    !allowDownload && t.noDownload,
    !showMetadata && t.noMetadata,
  ];
  return tags.filter((tag) => typeof tag === "string");
}
