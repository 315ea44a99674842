import type { TrashEntry } from "../../../../client/src/index.ts";
import { api } from "./api.ts";

/** Undoes a deletion. */
export async function restoreRecord(kind: TrashEntry["kind"], recordID: number): Promise<void> {
  for await (const entry of api.listTrash.all()) {
    if (entry.kind !== kind || entry.recordID !== recordID) continue;
    await api.restoreFromTrash({ id: entry.id });
    return;
  }
}
