import { FolderPlus } from "lucide-react";
import { useState } from "react";
import type { Album, PhotoChanges } from "../../client/src/index.ts";
import { formatNumber } from "../lib/format.ts";
import { words } from "../lib/words.ts";
import { AlbumPicker } from "../pickers/album-picker.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { SelectField, TextArea, TextField } from "../ui/field.tsx";
import { TagsField } from "../ui/tags-field.tsx";
import type { Changes } from "./change-many.ts";
import { fromField } from "./details/dates.ts";
import { PlaceFields } from "./details/place-fields.tsx";
import { photosTexts as t } from "./texts.ts";

type Props = { count: number; onChange: (changes: Changes) => void; onClose: () => void };

const nothing = {
  title: "",
  description: "",
  addTags: [] as string[],
  removeTags: [] as string[],
  visibility: "",
  place: null as PhotoChanges["place"],
  album: null as Album | null,
};
const noDate = {
  how: "" as "" | "set" | "shift" | "zone",
  takenAt: "",
  sign: "+",
  days: "",
  hours: "",
  minutes: "",
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
};
const zones = [...new Set([noDate.zone, ...Intl.supportedValuesOf("timeZone")])].toSorted();

/** Changes many photos in the same way. What is left empty stays unchanged. */
export function EditMany({ count, onChange, onClose }: Props) {
  const [draft, setDraft] = useState(nothing);
  const [date, setDate] = useState(noDate);
  const [isPicking, setIsPicking] = useState(false);
  const changes = toChanges(draft, date);
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
      value={date[name]}
      onChange={({ target: { value } }) => setDate({ ...date, [name]: value })}
    />
  );
  return (
    <>
      <Dialog
        title={t.editMany(formatNumber(count))}
        onClose={onClose}
        onSubmit={submit}
        submit={{ label: t.apply, isDisabled: !changes }}
      >
        <div className="grid gap-4">
          <TextField
            label={words.title}
            hint={t.titlePatternHint}
            value={draft.title}
            onChange={({ target: { value } }) => setDraft({ ...draft, title: value })}
          />
          <TextArea
            label={words.description}
            rows={2}
            dir="auto"
            value={draft.description}
            onChange={({ target: { value } }) => setDraft({ ...draft, description: value })}
          />
          <TagsField label={t.addTags} tags={draft.addTags} onChange={(addTags) => setDraft({ ...draft, addTags })} />
          <TagsField
            label={t.removeTags}
            tags={draft.removeTags}
            onChange={(removeTags) => setDraft({ ...draft, removeTags })}
          />
          <SelectField
            label={words.visibility}
            value={draft.visibility}
            onChange={({ target: { value } }) => setDraft({ ...draft, visibility: value })}
            options={[
              { value: "", label: t.unchanged },
              { value: "public", label: words.public },
              { value: "private", label: words.private },
            ]}
          />
          <div className="grid content-start justify-items-start gap-1">
            <span className="font-medium">{words.addToAlbum}</span>
            <Button icon={<FolderPlus />} onClick={() => setIsPicking(true)}>
              {draft.album?.name ?? words.chooseAlbum}
            </Button>
          </div>
          <fieldset className="grid gap-2">
            <legend className="sr-only">{words.date}</legend>
            <SelectField
              label={words.date}
              value={date.how}
              onChange={({ target: { value } }) => setDate({ ...date, how: value as typeof date.how })}
              options={[
                { value: "", label: t.unchanged },
                { value: "set", label: t.setDate },
                { value: "shift", label: t.shiftDate },
                { value: "zone", label: t.setZone },
              ]}
            />
            {date.how === "set" && (
              <TextField
                label={t.takenAt}
                type="datetime-local"
                step={1}
                value={date.takenAt}
                onChange={({ target: { value } }) => setDate({ ...date, takenAt: value })}
              />
            )}
            {date.how === "shift" && (
              <>
                <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
                  <SelectField
                    label={t.shiftDirection}
                    value={date.sign}
                    onChange={({ target: { value } }) => setDate({ ...date, sign: value })}
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
              </>
            )}
            {date.how === "zone" && (
              <SelectField
                label={t.zone}
                hint={t.zoneHint}
                value={date.zone}
                onChange={({ target: { value } }) => setDate({ ...date, zone: value })}
                options={zones.map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }))}
              />
            )}
          </fieldset>
          <PlaceFields place={draft.place ?? null} isOfMany onChange={(place) => setDraft({ ...draft, place })} />
        </div>
      </Dialog>
      {isPicking && (
        <AlbumPicker
          title={words.addToAlbum}
          canCreate
          onPick={(album) => setDraft({ ...draft, album })}
          onClose={() => setIsPicking(false)}
        />
      )}
    </>
  );
}

/** Null if nothing would change. */
function toChanges(draft: typeof nothing, date: typeof noDate): Changes | null {
  const visibility = draft.visibility as "public" | "private" | "";
  const set = {
    ...(draft.description.trim() && { description: draft.description.trim() }),
    ...(visibility && { visibility }),
    ...dateOf(date),
    ...(draft.place && { place: draft.place }),
  };
  const changes = {
    ...(Object.keys(set).length > 0 && { set }),
    ...(draft.title.trim() && { retitle: { title: draft.title.trim() } }),
    ...(draft.addTags.length > 0 && { addTags: draft.addTags }),
    ...(draft.removeTags.length > 0 && { removeTags: draft.removeTags }),
    ...(draft.album && { albumID: draft.album.id }),
  };
  return Object.keys(changes).length > 0 ? changes : null;
}

function dateOf({ how, takenAt: field, sign, days, hours, minutes, zone }: typeof noDate) {
  const takenAt = fromField(field);
  if (how === "zone") return { takenAtZone: zone };
  if (how === "set") return takenAt === null ? {} : { takenAt, takenAtZone: null };
  const seconds = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60;
  return how === "shift" && seconds > 0 ? { takenAtShift: sign === "-" ? -seconds : seconds } : {};
}
