import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { fileTexts as t } from "./texts.ts";
import type { OnConflict } from "./transfer.ts";

const maxShown = 8;

type Props = { names: readonly string[]; onAnswer: (onConflict: OnConflict) => void; onClose: () => void };

/** What to do with names that are taken. Closing it changes nothing. */
export function ConflictDialog({ names, onAnswer, onClose }: Props) {
  const choices: { value: OnConflict; label: string; hint: string }[] = [
    { value: "both", label: t.keepBoth, hint: t.keepBothHint },
    { value: "replace", label: t.replaceThem, hint: t.replaceHint },
    { value: "skip", label: words.skip, hint: t.skipHint },
  ];
  return (
    <Dialog title={t.conflictTitle} onClose={onClose} actions={<Button onClick={onClose}>{words.cancel}</Button>}>
      <p>{t.conflictText(names.length)}</p>
      <ul className="my-3 list-disc pl-5">
        {names.slice(0, maxShown).map((name) => (
          <li key={name} className="break-words">
            {name}
          </li>
        ))}
      </ul>
      {names.length > maxShown && <p className="mb-3 text-soft">{words.andMore(names.length - maxShown)}</p>}
      <div className="grid gap-2">
        {choices.map(({ value, label, hint }) => (
          <button
            key={value}
            type="button"
            onClick={() => {
              onClose();
              onAnswer(value);
            }}
            className="grid rounded-control border border-line px-4 py-2.5 text-left hover:bg-tint"
          >
            <span className="font-medium">{label}</span>
            <span className="text-sm text-soft">{hint}</span>
          </button>
        ))}
      </div>
    </Dialog>
  );
}
