import type { TrashEntry } from "../../../../client/src/index.ts";
import { VitrineError } from "../../../../client/src/index.ts";
import { api } from "./api.ts";

/** Undoes a deletion. */
export async function restoreRecord(kind: TrashEntry["kind"], id: number): Promise<void> {
  const { results } = await api.restoreManyFromTrash({ records: [{ kind, id }] });
  const [result] = results;
  if (result && result.status !== 200) {
    throw new VitrineError(result.error ?? "", { status: result.status, code: "missing" });
  }
}
