import type { Photo } from "../../client/src/index.ts";
import { loadSection, type Section, type Source } from "../grid/sections.ts";

/** The selected photos, by their ids. */
export type SelectedPhotos = ReadonlyMap<number, Photo>;

export const addPhotos = (selected: SelectedPhotos, more: readonly Photo[]): SelectedPhotos =>
  new Map([...selected, ...more.map((photo) => [photo.id, photo] as const)]);

export function togglePhoto(selected: SelectedPhotos, photo: Photo): SelectedPhotos {
  const changed = new Map(selected);
  if (!changed.delete(photo.id)) changed.set(photo.id, photo);
  return changed;
}

/** Selects all of them, or, if all are selected already, none. */
export function toggleAll(selected: SelectedPhotos, all: readonly Photo[]): SelectedPhotos {
  if (all.some(({ id }) => !selected.has(id))) return addPhotos(selected, all);
  const removed = new Set(all.map(({ id }) => id));
  return new Map([...selected].filter(([id]) => !removed.has(id)));
}

export const loadAll = async (source: Source | null, section: Section): Promise<Photo[]> =>
  source ? loadSection(source, section, new AbortController().signal) : [];

/**
 * All photos from one to another. Sections between them are loaded if they have not been on the screen. `keyOf` returns the
 * key of the section that shows a photo. If one of the two is no longer shown, only the second one is selected.
 */
export async function loadRange(
  source: Source | null,
  keyOf: (photo: Photo) => string | undefined,
  [from, to]: readonly [from: Photo, to: Photo],
): Promise<Photo[]> {
  const keys = source?.sections.map(({ key }) => key) ?? [];
  const ends = [from, to].map((photo) => keys.indexOf(keyOf(photo) ?? ""));
  const [first = -1, final = -1] = ends.toSorted((one, other) => one - other);
  if (!source || first < 0) return [to];
  const lists = await Promise.all(source.sections.slice(first, final + 1).map((section) => loadAll(source, section)));
  const all = lists.flat();
  const [start = 0, end = 0] = [from, to]
    .map(({ id }) => all.findIndex((photo) => photo.id === id))
    .toSorted((one, other) => one - other);
  return all.slice(start, end + 1);
}
