import { Check, CloudOff, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { words } from "../lib/words.ts";
import { Button, Spinner } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import type { Draft } from "./draft.ts";
import { writerTextsOf } from "./page-texts.ts";
import { writerTexts as t } from "./texts.ts";
import type { Saving } from "./writing.ts";

/** Whether what is written is saved, in a few words. */
export function SaveState({ kind, saving, isNew }: { kind: Draft["kind"]; saving: Saving; isNew: boolean }) {
  if (isNew && saving.kind === "saved") return null;
  const [text, icon, isBad] = describe(kind, saving);
  return (
    <p
      role="status"
      title={text}
      className={classes(
        "flex min-w-0 items-center gap-1.5 text-sm [&>svg]:size-4 [&>svg]:shrink-0",
        isBad ? "text-danger" : "text-soft",
      )}
    >
      {icon}
      {/* A phone has no room for the words. */}
      <span className={classes("truncate", icon !== null && "max-sm:sr-only")}>{text}</span>
    </p>
  );
}

function describe(kind: Draft["kind"], saving: Saving): [text: string, icon: ReactNode, isBad: boolean] {
  const warning = <TriangleAlert aria-hidden="true" />;
  switch (saving.kind) {
    case "saved":
      return [words.saved, <Check key="icon" aria-hidden="true" />, false];
    case "changed":
      return [t.changed, null, false];
    case "saving":
      return [words.saving, <Spinner key="icon" />, false];
    case "kept":
      return [saving.why === "blank" ? t.keptBlank : t.keptPublishedShort, null, false];
    case "offline":
      return [t.offline, <CloudOff key="icon" aria-hidden="true" />, true];
    case "refused":
      return [t.refused(saving.message), warning, true];
    case "full":
      return [t.full, warning, true];
    case "gone":
      return [writerTextsOf(kind).gone, warning, true];
    case "conflict":
      return [t.conflictState, warning, true];
  }
}

type NoticeProps = { kind: Draft["kind"]; saving: Saving; onSaveAsNew: () => void; onCompare: () => void };

/** Where more than a few words are needed, with what can be done. */
export function SaveNotice({ kind, saving, onSaveAsNew, onCompare }: NoticeProps) {
  if (saving.kind === "kept" && saving.why === "published") return <Notice>{t.keptPublished}</Notice>;
  if (saving.kind === "offline") return <Notice>{t.offline}</Notice>;
  if (saving.kind === "refused") return <Notice>{t.refused(saving.message)}</Notice>;
  if (saving.kind === "full") return <Notice>{t.full}</Notice>;
  if (saving.kind === "conflict") {
    return (
      <Notice>
        {t.conflictState}
        <Button onClick={onCompare}>{t.compare}</Button>
      </Notice>
    );
  }
  if (saving.kind !== "gone") return null;
  return (
    <Notice>
      {writerTextsOf(kind).gone}
      <Button onClick={onSaveAsNew}>{writerTextsOf(kind).saveAsNew}</Button>
    </Notice>
  );
}

export const Notice = ({ children }: { children: ReactNode }) => (
  <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line bg-mark px-4 py-1.5 text-sm text-ink">
    {children}
  </div>
);
