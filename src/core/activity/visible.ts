import type { Reader } from "../../platform/database/database.ts";
import { isOwnerOrAdmin, type Viewer } from "../../platform/http/route.ts";
import { findInSlices, type RecordKind } from "../records/record-kind.ts";
import type { Change } from "./feed.ts";

export type Kinds = ReadonlyMap<string, RecordKind>;

/**
 * Those of the changes that the viewer may know of. The owner of the record, at the time of the change, and admins know of
 * all of them: also of those before it was trashed. For others, the finder of its kind decides whether the record is visible
 * now. That it was trashed is for everyone if everyone could see it before. That it was then deleted permanently, and what is
 * not a record (an account, a webhook), is for its owner and admins.
 */
export async function findVisible(
  db: Reader,
  kinds: Kinds,
  viewer: Viewer,
  changes: readonly Change[],
): Promise<Set<Change>> {
  const visible = new Set(changes.filter((change) => isKnownWithoutRecord(viewer, change)));
  const live = changes.filter((change) => !visible.has(change) && isLive(kinds, change));
  for (const [name, some] of Map.groupBy(live, ({ kind }) => kind)) {
    const found = await findRecords(db, kinds.get(name) as RecordKind, viewer, some);
    for (const change of some) if (found.has(change.recordID)) visible.add(change);
  }
  return visible;
}

const isLive = (kinds: Kinds, { kind, action }: Change) =>
  kinds.has(kind) && action !== "trashed" && action !== "deleted";

const isKnownWithoutRecord = (viewer: Viewer, { action, ownerID, wasPublic }: Change) =>
  isOwnerOrAdmin(viewer, { ownerID: ownerID ?? 0 }) || (action === "trashed" && wasPublic !== 0);

async function findRecords(db: Reader, kind: RecordKind, viewer: Viewer, changes: Change[]): Promise<Set<number>> {
  const ids = [...new Set(changes.map(({ recordID }) => recordID))];
  const found = new Set<number>();
  for await (const [id] of findInSlices(db, kind, viewer, ids)) found.add(id);
  return found;
}
