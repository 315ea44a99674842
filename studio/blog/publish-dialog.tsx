import { useState } from "react";
import { slugOf } from "../../client/src/index.ts";
import { HiddenNote } from "../hidden/hidden-note.tsx";
import { type Publication, publicationOfPost } from "../hidden/hidden.ts";
import { words } from "../lib/words.ts";
import { SendChoice, useSubscriberCount } from "../newsletter/send-choice.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { RadioField, SelectField, TextField } from "../ui/field.tsx";
import { type Draft, pathOf } from "./draft.ts";
import { paneTextsOf, publishTextsOf } from "./page-texts.ts";
import type { Snapshot, Writing } from "./writing.ts";

type Props = {
  writing: Writing;
  draft: Snapshot["draft"];
  /** When it is published; null: now. */
  at: string | null;
  isLater: boolean;
  onClose: () => void;
  /** Null: now. With `isSent`, it is also sent to the subscribers. */
  onChosen: (time: string | null, isSent: boolean) => void;
};

/** What is about to happen, in a few lines, before it happens. */
export function PublishDialog({ writing, draft, at, isLater: startsLater, onClose, onChosen }: Props) {
  const t = publishTextsOf(draft.kind);
  const paneTexts = paneTextsOf(draft.kind);
  const [isLater, setIsLater] = useState(startsLater);
  const [value, setValue] = useState(() => toLocal(at === null ? tomorrow() : new Date(at)));
  const [error, setError] = useState<string | null>(null);
  const [isSent, setIsSent] = useState(false);
  const subscribers = useSubscriberCount();
  const isPublic = draft.visibility === "public";
  const canSend = isPublic && draft.kind === "post" && subscribers !== null && subscribers > 0;
  return (
    <Dialog
      title={t.title}
      onClose={onClose}
      onSubmit={() => {
        if (!isLater) return onChosen(null, canSend && isSent);
        const time = new Date(value);
        if (Number.isNaN(time.getTime()) || time.getTime() <= Date.now()) setError(t.past);
        else onChosen(time.toISOString(), canSend && isSent);
      }}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" variant="main" data-focused={isLater ? undefined : ""}>
            {isLater ? t.schedule : t.publish}
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        <p>
          <span className="block text-lg font-semibold wrap-anywhere" dir="auto">
            {draft.title}
          </span>
          <span className="text-soft wrap-anywhere">
            {pathOf({ ...draft, slug: draft.slug || slugOf(draft.title) })}
          </span>
        </p>
        <fieldset className="grid gap-2">
          <legend className="mb-2 font-medium">{t.when}</legend>
          <RadioField name="when" label={t.now} checked={!isLater} onChange={() => setIsLater(false)} />
          <RadioField name="when" label={t.later} checked={isLater} onChange={() => setIsLater(true)} />
        </fieldset>
        {isLater && (
          <TextField
            label={t.time}
            type="datetime-local"
            hint={t.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)}
            error={error}
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
        )}
        <SelectField
          label={paneTexts.visibility}
          hint={isPublic ? (isLater ? t.laterHint : t.publicHint) : t.privateHint}
          value={draft.visibility}
          options={[
            { value: "public", label: words.everyone },
            { value: "private", label: paneTexts.onlyMe },
          ]}
          onChange={(event) => writing.change({ visibility: event.target.value as Draft["visibility"] })}
        />
        {isPublic && <HiddenNote publication={publicationOf(writing)} />}
        {canSend && <SendChoice count={subscribers} isChosen={isSent} onChange={setIsSent} />}
      </div>
    </Dialog>
  );
}

/** What readers will not see of the current text. */
export function publicationOf(writing: Writing): Publication {
  const { content, coverID } = writing.draft();
  return publicationOfPost(content, coverID);
}

/** At nine in the morning. */
function tomorrow(): Date {
  const time = new Date();
  time.setDate(time.getDate() + 1);
  time.setHours(9, 0, 0, 0);
  return time;
}

/** As a field for local times needs it: `2026-11-16T09:00`. */
function toLocal(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
