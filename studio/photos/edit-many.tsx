import { useState } from "react";
import { formatNumber } from "../lib/format.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
import { TagsField } from "../ui/tags-field.tsx";
import type { Changes } from "./change-many.ts";
import { photosTexts as t } from "./texts.ts";

type Props = { count: number; onChange: (changes: Changes) => void; onClose: () => void };

const nothing = { title: "", addTags: [] as string[], removeTags: [] as string[], visibility: "" };
const noShift = { sign: "+", days: "", hours: "", minutes: "" };

/** Changes many photos in the same way. What is left empty stays as it is. */
export function EditMany({ count, onChange, onClose }: Props) {
  const [draft, setDraft] = useState(nothing);
  const [shift, setShift] = useState(noShift);
  const changes = toChanges(draft, shift);
  const submit = () => {
    if (!changes) return;
    onChange(changes);
    onClose();
  };
  const part = (name: "days" | "hours" | "minutes", label: string) => (
    <TextField
      label={label}
      type="number"
      min={0}
      inputMode="numeric"
      value={shift[name]}
      onChange={({ target: { value } }) => setShift({ ...shift, [name]: value })}
    />
  );
  return (
    <Dialog
      title={t.editMany(formatNumber(count))}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button type="submit" variant="main" disabled={!changes}>
            {t.apply}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <TextField
          label={t.titlePattern}
          hint={t.titlePatternHint}
          value={draft.title}
          onChange={({ target: { value } }) => setDraft({ ...draft, title: value })}
        />
        <TagsField label={t.addTags} tags={draft.addTags} onChange={(addTags) => setDraft({ ...draft, addTags })} />
        <TagsField
          label={t.removeTags}
          tags={draft.removeTags}
          onChange={(removeTags) => setDraft({ ...draft, removeTags })}
        />
        <SelectField
          label={t.visibility}
          value={draft.visibility}
          onChange={({ target: { value } }) => setDraft({ ...draft, visibility: value })}
          options={[
            { value: "", label: t.unchanged },
            { value: "public", label: t.isPublic },
            { value: "private", label: t.isPrivate },
          ]}
        />
        <fieldset className="grid gap-1">
          <legend className="mb-1 font-medium">{t.shiftDate}</legend>
          <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
            <SelectField
              label={t.shiftDirection}
              value={shift.sign}
              onChange={({ target: { value } }) => setShift({ ...shift, sign: value })}
              options={[
                { value: "+", label: t.later },
                { value: "-", label: t.earlier },
              ]}
            />
            {part("days", t.days)}
            {part("hours", t.hours)}
            {part("minutes", t.minutes)}
          </div>
          <p className="text-sm text-soft">{t.shiftHint}</p>
        </fieldset>
      </div>
    </Dialog>
  );
}

/** Null if nothing would change. */
function toChanges(draft: typeof nothing, { sign, days, hours, minutes }: typeof noShift): Changes | null {
  const seconds = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60;
  const visibility = draft.visibility as "public" | "private" | "";
  const set = {
    ...(visibility && { visibility }),
    ...(seconds > 0 && { takenAtShift: sign === "-" ? -seconds : seconds }),
  };
  const changes = {
    ...(Object.keys(set).length > 0 && { set }),
    ...(draft.title.trim() && { retitle: { title: draft.title.trim() } }),
    ...(draft.addTags.length > 0 && { addTags: draft.addTags }),
    ...(draft.removeTags.length > 0 && { removeTags: draft.removeTags }),
  };
  return Object.keys(changes).length > 0 ? changes : null;
}
