import type { AlbumFilter } from "../../client/src/index.ts";
import { words } from "../lib/words.ts";
import { CheckField, SelectField, TextField } from "../ui/field.tsx";
import { TagsField } from "../ui/tags-field.tsx";
import { AreaField } from "./area-field.tsx";
import { MatchingPhotos } from "./matching-photos.tsx";
import { albumTexts as t } from "./texts.ts";

/** The filter while it is edited: every condition has a value, which may be empty. */
type FilterDraft = {
  tags: string[];
  /** Days; both belong to the period. */
  from: string;
  to: string;
  camera: string;
  kind: string;
  favourite: boolean;
  /** An area of the map: west, south, east and north in degrees. */
  bbox: string;
};

export const toDraft = (filter: AlbumFilter | null): FilterDraft => ({
  tags: filter?.tags ?? [],
  from: filter?.from?.slice(0, 10) ?? "",
  to: filter?.to ? shiftDay(filter.to, -1) : "",
  camera: filter?.camera ?? "",
  kind: filter?.kind ?? "",
  favourite: filter?.favourite ?? false,
  bbox: filter?.bbox ?? "",
});

/** Null if there is no condition. */
export function toFilter({ tags, from, to, camera, kind, favourite, bbox }: FilterDraft): AlbumFilter | null {
  const filter: AlbumFilter = {
    ...(tags.length > 0 && { tags }),
    ...(from && { from }),
    ...(to && { to: shiftDay(to, 1) }),
    ...(camera.trim() && { camera: camera.trim() }),
    ...(kind && { kind: kind as "image" | "video" }),
    ...(favourite && { favourite }),
    ...(bbox && { bbox }),
  };
  return Object.keys(filter).length > 0 ? filter : null;
}

/** The day as the API has it, such as `2026-06-01`. */
function shiftDay(day: string, by: number): string {
  const time = new Date(day.slice(0, 10));
  time.setUTCDate(time.getUTCDate() + by);
  return time.toISOString().slice(0, 10);
}

type Props = {
  draft: FilterDraft;
  onChange: (draft: FilterDraft) => void;
  /** Whether the photos are one's own, which can be counted. */
  isOwn: boolean;
};

/** What the photos of a smart album have in common. */
export function FilterFields({ draft, onChange, isOwn }: Props) {
  const set = (changes: Partial<FilterDraft>) => onChange({ ...draft, ...changes });
  return (
    <fieldset className="grid gap-4 rounded-card border border-line p-4">
      <legend className="px-1 text-sm text-soft">{t.filterLegend}</legend>
      <TagsField label={words.tags} tags={draft.tags} onChange={(tags) => set({ tags })} />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          type="date"
          label={t.filterFrom}
          value={draft.from}
          onChange={({ target }) => set({ from: target.value })}
        />
        <TextField
          type="date"
          label={t.filterTo}
          value={draft.to}
          onChange={({ target }) => set({ to: target.value })}
        />
      </div>
      <div className="grid grid-cols-2 gap-3">
        <TextField label={words.camera} value={draft.camera} onChange={({ target }) => set({ camera: target.value })} />
        <SelectField
          label={words.kind}
          value={draft.kind}
          onChange={({ target }) => set({ kind: target.value })}
          options={[
            { value: "", label: words.photosAndVideos },
            { value: "image", label: words.photos },
            { value: "video", label: words.videos },
          ]}
        />
      </div>
      <CheckField
        label={words.favourites}
        checked={draft.favourite}
        onChange={({ target }) => set({ favourite: target.checked })}
      />
      <AreaField bbox={draft.bbox} onChange={(bbox) => set({ bbox })} />
      {isOwn && <MatchingPhotos filter={toFilter(draft)} />}
    </fieldset>
  );
}
