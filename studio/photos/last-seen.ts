import type { Photo } from "../../client/src/index.ts";

let seen: Photo | null = null;
let isFromGrid = false;

/** The photo that the viewer shows, to which the grid returns. */
export const setLastSeen = (photo: Photo): void => void (seen = photo);

/** Forgets it, so that the grid opens there only once. */
export function takeLastSeen(): Photo | null {
  const photo = seen;
  seen = null;
  return photo;
}

/** A photo was opened from the grid: the way back is one step in the history. */
export const setOpenedFromGrid = (isOpened: boolean): void => void (isFromGrid = isOpened);

export const wasOpenedFromGrid = (): boolean => isFromGrid;
