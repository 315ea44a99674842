import { type RefObject, useCallback, useMemo, useRef, useState } from "react";
import type { Photo } from "../../../../client/src/index.ts";
import type { GridHandle } from "../grid/photo-grid.tsx";
import { loadSection, type Section, type Source } from "../grid/sections.ts";
import { explain } from "../lib/explain.ts";
import { say } from "../lib/toasts.ts";

/** The photos that are selected in a grid: by one, by range, and by section, even if not all of it is loaded. */
export function usePhotoSelection(source: Source | null, grid: RefObject<GridHandle | null>) {
  const [photos, setPhotos] = useState<ReadonlyMap<number, Photo>>(new Map());
  const [isOn, setIsOn] = useState(false);
  const last = useRef<Photo | null>(null);
  const latest = useRef({ source, photos });
  latest.current = { source, photos };

  const add = useCallback((more: readonly Photo[]) => {
    setPhotos((current) => new Map([...current, ...more.map((photo) => [photo.id, photo] as const)]));
  }, []);
  const toggle = useCallback(
    (photo: Photo, isRange: boolean) => {
      const from = last.current;
      last.current = photo;
      if (isRange && from) return void load(() => loadRange(latest.current.source, grid.current, from, photo), add);
      setPhotos((current) => {
        const changed = new Map(current);
        if (!changed.delete(photo.id)) changed.set(photo.id, photo);
        return changed;
      });
    },
    [grid, add],
  );
  /** Selects a whole section, or, if it is selected already, none of it. */
  const toggleSection = useCallback(
    (section: Section) =>
      void load(
        () => loadAll(latest.current.source, section),
        (all) => {
          if (all.some(({ id }) => !latest.current.photos.has(id))) return add(all);
          const removed = new Set(all.map(({ id }) => id));
          setPhotos((current) => new Map([...current].filter(([id]) => !removed.has(id))));
        },
      ),
    [add],
  );
  const clear = useCallback(() => {
    setPhotos(new Map());
    setIsOn(false);
    last.current = null;
  }, []);
  const keys = useMemo(() => new Set(photos.keys()), [photos]);
  return { photos, keys, isSelecting: isOn || keys.size > 0, begin: () => setIsOn(true), toggle, toggleSection, clear };
}

async function load(read: () => Promise<Photo[]>, then: (photos: Photo[]) => void): Promise<void> {
  try {
    then(await read());
  } catch (error) {
    say({ text: explain(error), isFailure: true, retry: () => void load(read, then) });
  }
}

const loadAll = async (source: Source | null, section: Section): Promise<Photo[]> =>
  source ? loadSection(source, section, new AbortController().signal) : [];

/** All photos from one to another. Sections between them are loaded if they have not been on the screen. */
async function loadRange(source: Source | null, grid: GridHandle | null, from: Photo, to: Photo): Promise<Photo[]> {
  const ends = [from, to].map((photo) => ({ photo, key: grid?.locate(photo.id)?.key }));
  const keys = source?.sections.map(({ key }) => key) ?? [];
  const [first = -1, final = -1] = ends.map(({ key }) => keys.indexOf(key ?? "")).toSorted((one, other) => one - other);
  if (!source || first < 0) return [to];
  const lists = await Promise.all(source.sections.slice(first, final + 1).map((section) => loadAll(source, section)));
  const all = lists.flat();
  const [start = 0, end = 0] = [from, to]
    .map(({ id }) => all.findIndex((photo) => photo.id === id))
    .toSorted((one, other) => one - other);
  return all.slice(start, end + 1);
}
