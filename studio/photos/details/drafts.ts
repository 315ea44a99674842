import type { PhotoChanges } from "../../../client/src/index.ts";
import { kept } from "../../lib/account.ts";

const prefix = "photo-draft:";
const nameOf = (id: number) => `${prefix}${id}`;

/** What was typed about a photo and is not saved yet. It survives a closed tab. */
export function readDraft(id: number): PhotoChanges {
  try {
    return JSON.parse(kept.get(nameOf(id)) ?? "{}") as PhotoChanges;
  } catch {
    return {};
  }
}

/** If the browser keeps nothing, the draft lives as long as the page. */
export function keepDraft(id: number, changes: PhotoChanges): void {
  if (Object.keys(changes).length === 0) forgetDraft(id);
  else kept.set(nameOf(id), JSON.stringify(changes));
}

export const forgetDraft = (id: number): void => kept.remove(nameOf(id));

/** The photos that have one. */
export const listDrafts = (): number[] => kept.list(prefix).map((name) => Number(name.slice(prefix.length)));
