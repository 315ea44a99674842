import type { Action } from "./activity.ts";
import { recordActivity } from "./record.ts";
import type { Change, Queries } from "../../platform/database/database.ts";
import { indexRecord, type Texts } from "../../platform/search/documents.ts";
import type { Visibility } from "../records/visibility.ts";

type Written = {
  id: number;
  ownerID: number;
  /** Without it, everyone may search the record. */
  visibility?: Visibility;
  /** For the activity: a title, or the beginning of a text. */
  name: string;
};

type RecordChange = {
  kind: string;
  /** Null for what is part of a larger operation, which is one change. */
  action: Action | null;
  /** Who has made the change; null for the program. */
  actorID: number | null;
  /** Its row, or the columns of it that were written. */
  before: Change["before"];
  after: Change["after"];
  /** By which it is found; null if they have not changed. */
  texts: Texts | null;
};

/**
 * Says that a record was created or changed, in the transaction that does it: totals, lists and all else that modules derive
 * from it (`derived`), the activity and the search index follow.
 */
export async function recordChange(tx: Queries, record: Written, change: RecordChange): Promise<void> {
  const { kind, action, actorID, before, after, texts } = change;
  await tx.changed(kind, [{ id: record.id, before, after }]);
  if (action) recordActivity(tx, actorID, action, { ...record, kind });
  if (texts) await indexRecord(tx, kind, record, texts);
}
