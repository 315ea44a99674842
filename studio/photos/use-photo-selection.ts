import { type RefObject, useCallback, useMemo, useRef, useState } from "react";
import type { Photo } from "../../client/src/index.ts";
import type { GridHandle } from "../grid/photo-grid.tsx";
import type { Section, Source } from "../grid/sections.ts";
import { explain } from "../lib/explain.ts";
import { showToast } from "../lib/toasts.ts";
import { addPhotos, loadAll, loadRange, toggleAll, togglePhoto } from "./selected-photos.ts";

/** The photos that are selected in a grid: by one, by range, and by section, even if not all of it is loaded. */
export function usePhotoSelection(source: Source | null, grid: RefObject<GridHandle | null>) {
  const [photos, setPhotos] = useState<ReadonlyMap<number, Photo>>(new Map());
  const [isOn, setIsOn] = useState(false);
  const last = useRef<Photo | null>(null);
  const latest = useRef({ source });
  latest.current = { source };

  const add = useCallback((more: readonly Photo[]) => {
    setPhotos((current) => addPhotos(current, more));
  }, []);
  const toggle = useCallback(
    (photo: Photo, isRange: boolean) => {
      const from = last.current;
      last.current = photo;
      const keyOf = ({ id }: Photo) => grid.current?.locate(id)?.key;
      if (isRange && from) return void load(() => loadRange(latest.current.source, keyOf, [from, photo]), add);
      setPhotos((current) => togglePhoto(current, photo));
    },
    [grid, add],
  );
  /** Selects a whole section, or, if it is selected already, none of it. */
  const toggleSection = useCallback(
    (section: Section) =>
      void load(
        () => loadAll(latest.current.source, section),
        (all) => setPhotos((current) => toggleAll(current, all)),
      ),
    [],
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
    showToast({ text: explain(error), isFailure: true, retry: () => void load(read, then) });
  }
}
