import type { PhotoChanges } from "../../../../../client/src/index.ts";

const nameOf = (id: number) => `studio-photo-draft-${id}`;

/** What was typed about a photo and is not saved yet. It survives a closed tab. */
export function readDraft(id: number): PhotoChanges {
  try {
    return JSON.parse(localStorage.getItem(nameOf(id)) ?? "{}") as PhotoChanges;
  } catch {
    return {};
  }
}

export function keepDraft(id: number, changes: PhotoChanges): void {
  if (Object.keys(changes).length === 0) return forgetDraft(id);
  try {
    localStorage.setItem(nameOf(id), JSON.stringify(changes));
  } catch {
    // The browser keeps nothing: the draft lives as long as the page.
  }
}

export const forgetDraft = (id: number): void => localStorage.removeItem(nameOf(id));
