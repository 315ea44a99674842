import { useState } from "react";
import { formatTime } from "../lib/format.ts";
import { showToast } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import Comparison from "./comparison.tsx";
import { differentFields, type Draft, draftOf, type Field } from "./draft.ts";
import { mergeTexts } from "./merge.ts";
import { paneTextsOf } from "./page-texts.ts";
import { paneTexts as t } from "./texts.ts";
import type { Saving, Writing } from "./writing.ts";

type Conflict = Extract<Saving, { kind: "conflict" }>;
type Props = { conflict: Conflict; writing: Writing; onClose: () => void };

/** The same was changed here and elsewhere. Until the person chooses, nothing is saved. Every choice can be undone. */
export default function ConflictDialog({ conflict, writing, onClose }: Props) {
  const { base } = conflict;
  const [mine] = useState(writing.draft);
  const theirs = draftOf(conflict.theirs);
  const texts = paneTextsOf(theirs.kind);
  const fields = differentFields(mine, theirs);
  const others = fields.filter((field) => field !== "content");
  return (
    <Dialog
      title={texts.conflictTitle}
      width="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={takeTheirs}>{t.takeTheirs}</Button>
          <Button onClick={() => writing.settle({})}>{t.keepMine}</Button>
          <Button variant="main" onClick={merge}>
            {t.merge}
          </Button>
        </>
      }
    >
      <p className="mb-4 text-soft">{texts.conflictHint}</p>
      {others.length > 0 && (
        <table className="mb-4 w-full table-fixed text-left text-sm [&_td]:border-t [&_td]:border-line [&_td]:py-1 [&_td]:pr-3 [&_td]:align-top">
          <thead>
            <tr>
              <td className="w-1/4 !border-0" />
              <th scope="col">{t.mine}</th>
              <th scope="col">{t.theirs}</th>
            </tr>
          </thead>
          <tbody>
            {others.map((field) => (
              <tr key={field}>
                <td className="text-soft">{t.fields[field]}</td>
                <td dir="auto">{print(mine, field)}</td>
                <td dir="auto">{print(theirs, field)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {fields.includes("content") && (
        <Comparison
          left={mine.content}
          right={theirs.content}
          leftName={t.mine}
          rightName={t.theirsAt(formatTime(conflict.theirs.updatedAt))}
        />
      )}
    </Dialog>
  );

  function takeTheirs(): void {
    const before = writing.draft();
    writing.settle(theirs);
    showToast({ text: t.tookTheirs, undo: () => writing.change(before) });
  }

  /** Fields that are not texts are mine. */
  function merge(): void {
    const before = writing.draft();
    writing.settle({
      content: mergeTexts(base?.content ?? null, mine.content, theirs.content),
      tags: [...mine.tags, ...theirs.tags.filter((tag) => !mine.tags.includes(tag))].slice(0, 20),
    });
    showToast({ text: t.merged, undo: () => writing.change(before) });
  }
}

function print(draft: Draft, field: Field): string {
  const value = draft[field];
  return Array.isArray(value) ? value.join(", ") : String(value ?? "–");
}
