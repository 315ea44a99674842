import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { SubscriberImport } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { words } from "../lib/words.ts";
import { Dialog, DoneButton } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { reloadNewsletter } from "./query.ts";
import { newsletterTexts as t } from "./texts.ts";

/** Adds the subscribers of a table, and says what became of its lines. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const add = useMutation({
    mutationFn: (body: File) => api.importSubscribers({ body }),
    // It is shown in the dialog.
    onError: () => {},
    onSettled: reloadNewsletter,
  });
  return (
    <Dialog
      title={t.importTitle}
      onClose={onClose}
      onSubmit={() => file && add.mutate(file)}
      {...(add.data
        ? { actions: <DoneButton label={words.close} onClick={onClose} /> }
        : { submit: { label: words.import, isBusy: add.isPending, isDisabled: !file } })}
    >
      {add.data ? (
        <Report report={add.data} />
      ) : (
        <Field label={words.file} hint={t.importHint} error={add.error && explain(add.error)}>
          {(control) => (
            <input
              {...control}
              type="file"
              accept=".csv,.tsv,.txt,text/csv"
              onChange={({ target }) => {
                add.reset();
                setFile(target.files?.[0] ?? null);
              }}
            />
          )}
        </Field>
      )}
    </Dialog>
  );
}

const outcomes = ["added", "known", "ended", "refused"] as const;

const Report = ({ report }: { report: SubscriberImport }) => (
  <div role="status" className="grid gap-3">
    <ul>
      {outcomes
        .filter((name) => name === "added" || report[name] > 0)
        .map((name) => (
          <li key={name} className={name === "added" ? "font-medium" : undefined}>
            {t.imported[name](report[name])}
          </li>
        ))}
    </ul>
    {report.problems.length > 0 && (
      <ul className="max-h-60 overflow-y-auto text-sm text-soft" tabIndex={0}>
        {report.problems.map(({ line, reason }) => (
          <li key={line}>
            {t.line(line)}: {reason}
          </li>
        ))}
      </ul>
    )}
  </div>
);
