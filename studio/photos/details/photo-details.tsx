import { X } from "lucide-react";
import type { Photo } from "../../../client/src/index.ts";
import { useMe } from "../../lib/me.ts";
import { words } from "../../lib/words.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { CheckField, SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { TagsField } from "../../ui/tags-field.tsx";
import { fromField, toField } from "./dates.ts";
import { CameraFacts, FileFacts } from "./facts.tsx";
import { PlaceFields } from "./place-fields.tsx";
import { SaveState } from "./save-state.tsx";
import { detailsTexts as t } from "./texts.ts";
import { useEditor } from "./use-editor.ts";

/** Everything about a photo, to read and to change. */
export function PhotoDetails({ photo, onClose }: { photo: Photo; onClose: () => void }) {
  const { id: myID, role } = useMe();
  const canEdit = photo.ownerID === myID || role === "admin";
  const { value, state, change, save, resolve } = useEditor(photo);
  return (
    <aside
      aria-label={words.details}
      className="flex w-full shrink-0 flex-col overflow-y-auto bg-surface text-ink max-md:h-[62dvh] max-md:rounded-t-card md:w-96 md:border-l md:border-line"
    >
      <header className="sticky top-0 z-10 flex items-center gap-3 border-b border-line bg-surface py-2 pr-2 pl-5">
        <h2 className="flex-1 font-semibold">{words.details}</h2>
        {canEdit && <SaveState state={state} onRetry={() => void save()} />}
        <IconButton label={t.close} onClick={onClose}>
          <X />
        </IconButton>
      </header>
      {state.is === "conflict" && (
        <div role="alert" className="grid gap-3 border-b border-line bg-mark px-5 py-4">
          <p>{t.conflict}</p>
          <ul className="grid gap-1 text-sm">
            {state.fields.map((field) => (
              <li key={field}>
                <strong>{t.fields[field as keyof typeof t.fields] ?? field}:</strong>{" "}
                {print(state.theirs[field as keyof Photo])}
              </li>
            ))}
          </ul>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => resolve(true)}>{t.keepMine}</Button>
            <Button onClick={() => resolve(false)}>{t.takeTheirs}</Button>
          </div>
        </div>
      )}
      <fieldset disabled={!canEdit} className="grid gap-4 p-5">
        <TextField
          label={t.fields.title}
          maxLength={300}
          dir="auto"
          value={value.title}
          onChange={({ target }) => change({ title: target.value })}
          error={value.title.trim() === "" ? t.titleNeeded : null}
        />
        <TextArea
          label={t.fields.description}
          rows={3}
          dir="auto"
          value={value.description}
          onChange={({ target }) => change({ description: target.value })}
        />
        <TextArea
          label={t.fields.altText}
          hint={t.altTextHint}
          rows={2}
          dir="auto"
          value={value.altText}
          onChange={({ target }) => change({ altText: target.value })}
        />
        <TagsField label={t.fields.tags} tags={value.tags} onChange={(tags) => change({ tags })} />
        <SelectField
          label={t.fields.visibility}
          value={value.visibility}
          onChange={({ target }) => change({ visibility: target.value as Photo["visibility"] })}
          options={[
            { value: "public", label: words.public },
            { value: "private", label: words.private },
          ]}
        />
        <DateField takenAt={value.takenAt} zone={photo.takenAtZone} onChange={(takenAt) => change({ takenAt })} />
        <PlaceFields place={value.place} onChange={(place) => change({ place })} />
        <CheckField
          label={t.showLocation}
          hint={t.showLocationHint}
          role="switch"
          checked={value.showLocation}
          onChange={({ target }) => change({ showLocation: target.checked })}
        />
      </fieldset>
      <CameraFacts photo={photo} />
      <FileFacts photo={photo} />
    </aside>
  );
}

type DateProps = { takenAt: string | null; zone: string | null; onChange: (takenAt: string | null) => void };

function DateField({ takenAt, zone, onChange }: DateProps) {
  return (
    <div className="grid gap-1">
      <TextField
        // The field keeps what is typed until it is a whole date.
        key={`${takenAt} ${zone}`}
        label={t.fields.takenAt}
        hint={zone === null ? t.dateHint : t.dateHintIn(zone.replaceAll("_", " "))}
        type="datetime-local"
        step={1}
        defaultValue={toField(takenAt, zone)}
        onBlur={({ target }) => {
          const changed = fromField(target.value, zone);
          if (changed && target.value !== toField(takenAt, zone)) onChange(changed);
        }}
      />
      <Button variant="quiet" className="justify-self-start !px-0 !text-accent" onClick={() => onChange(null)}>
        {t.dateOfFile}
      </Button>
    </div>
  );
}

const print = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
