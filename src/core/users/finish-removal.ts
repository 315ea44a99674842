import { recordActivity } from "../activity/record.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { listIDs } from "../../platform/database/list-ids.ts";
import { list, raw, sql, type Sql, unindexed } from "../../platform/database/sql.ts";
import { type ForeignKey, type Schema } from "../../platform/database/tables.ts";
import { nextTurn } from "../../platform/event-loop.ts";
import { markOwnWordsUnread } from "../../platform/search/documents.ts";
import type { RecordKind } from "../records/record-kind.ts";
import { isLive, type Trash } from "../trash/trash.ts";
import { seesEverything } from "../records/visibility.ts";
import { type Eraser, eraseRecords, type Traversal } from "./erase.ts";
import { listReferences } from "./remove.ts";
import { activityOf, deleteUser, findUser, lockUser } from "./store.ts";

/** So many rows are changed in one transaction; each that goes to the trash takes several statements. */
const [givenAtOnce, trashedAtOnce] = [500, 20];

type Row = { user_id: number; is_trashed: number; is_erased: number; removed_by: number | null };

type Deps = {
  schema: Schema;
  trash: Pick<Trash, "put" | "purge">;
  kinds: RecordKind[];
  /** What modules delete of a user who is removed with everything. */
  erasers: Eraser[];
  stopping?: AbortSignal;
};

/**
 * Finishes the removals that were begun, or that of one user, in short transactions. After a crash or a stop, the next
 * call continues.
 */
export async function finishRemovals(db: Database, deps: Deps, userID?: number): Promise<void> {
  const isWanted = userID === undefined ? sql`1 = 1` : sql`user_id = ${userID}`;
  const next = sql`
    SELECT user_id, is_trashed, is_erased, removed_by FROM user_removals WHERE ${isWanted} ORDER BY id LIMIT 1`;
  for (let row = await db.get<Row>(next); row && !deps.stopping?.aborted; row = await db.get<Row>(next)) {
    await finishRemoval(db, row, deps);
  }
}

async function finishRemoval(db: Database, row: Row, deps: Deps): Promise<void> {
  const { schema, trash, kinds, stopping } = deps;
  const { user_id: userID } = row;
  const references = await listReferences(db);
  const goThrough: Traversal = async (rows, change) => {
    for await (const ids of listIDs(db, rows)) {
      if (stopping?.aborted) return;
      await db.transaction((tx) => change(tx, ids));
      await nextTurn();
    }
  };
  const leave = async ({ table, column, isCascade }: ForeignKey) => {
    if (isCascade && !hasID(schema, table)) return;
    const isOwn = sql`${unindexed(column)} = ${userID}`;
    await goThrough({ table, where: isOwn, atOnce: givenAtOnce }, (tx, ids) => {
      const those = sql`id IN (${list(ids)}) AND ${isOwn}`;
      return tx.run(
        isCascade
          ? sql`DELETE FROM ${raw(table)} WHERE ${those}`
          : sql`UPDATE ${raw(table)} SET ${raw(column)} = (${heirOf(userID)}) WHERE ${those}`,
      );
    });
  };

  if (row.is_erased === 1) {
    // Links lead nowhere before the records are gone.
    for (const reference of references) if (reference.isCascade) await leave(reference);
    await eraseRecords(db, goThrough, userID, deps);
  } else if (row.is_trashed === 1) {
    for (const kind of kinds) {
      const where = sql`${unindexed("owner_id")} = ${userID} AND ${isLive}`;
      await goThrough({ table: kind.table, where, atOnce: trashedAtOnce }, async (tx, ids) => {
        for (const id of ids) await trashRecord(tx, kind, id, { put: trash.put, userID });
      });
    }
  }
  for (const reference of references) await leave(reference);
  if (stopping?.aborted) return;
  await markOwnWordsUnread(db, userID);
  // Some count what an owner sees.
  for (const { rebuild } of schema.maintained) await rebuild(db);
  await db.transaction((tx) => deleteIfEmpty(tx, row, references));
}

/** The heir may have been removed in the meantime, and have an heir. */
const heirOf = (userID: number): Sql => sql`SELECT heir_id AS id FROM user_removals WHERE user_id = ${userID}`;

/** Rows that are deleted with the user anyway, and may be very many. */
const hasID = ({ tables }: Schema, table: string) =>
  table !== "user_removals" && tables.some(({ name, key }) => name === table && key.join() === "id");

/** What belongs to a record in the trash is there, too, and is not found. */
async function trashRecord(
  tx: Queries,
  kind: RecordKind,
  id: number,
  { put, userID }: { put: Trash["put"]; userID: number },
): Promise<void> {
  await tx.get(sql`SELECT id FROM ${raw(kind.table)} WHERE id = ${id} ${tx.forUpdate}`);
  const found = (await kind.find(tx, seesEverything, [id])).get(id);
  const heir = await tx.get<{ id: number }>(heirOf(userID));
  if (!found || !heir) return;
  await put(tx, kind.name, { id, ownerID: userID }, { name: found.title || found.text, deletedByID: heir.id });
}

/** A request that had begun before may have added a record: then it goes the same way. */
async function deleteIfEmpty(tx: Queries, row: Row, references: ForeignKey[]): Promise<void> {
  await lockUser(tx, row.user_id);
  for (const { table, column, isCascade } of references) {
    if (isCascade) continue;
    // It is its own heir if there was nobody else.
    const isOther = table === "user_removals" ? sql`user_id <> ${row.user_id}` : sql`1 = 1`;
    const isOwn = sql`${raw(column)} = ${row.user_id} AND ${isOther}`;
    if (await tx.get(sql`SELECT 1 FROM ${raw(table)} WHERE ${isOwn} LIMIT 1`)) return;
  }
  const user = await findUser(tx, row.user_id);
  if (!user) return;
  await tx.run(sql`DELETE FROM user_removals WHERE user_id = ${user.id}`);
  await deleteUser(tx, user.id);
  recordActivity(tx, row.removed_by, "removed", activityOf(user));
}
