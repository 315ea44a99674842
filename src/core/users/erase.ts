import type { Database, Queries } from "../../platform/database/database.ts";
import type { Rows } from "../../platform/database/list-ids.ts";
import { raw, sql, unindexed } from "../../platform/database/sql.ts";
import type { RecordKind } from "../records/record-kind.ts";
import { isLive, type Trash, type TrashedRecord } from "../trash/trash.ts";

/** Each record takes several statements. */
const recordsAtOnce = 20;

/** Changes rows in short transactions, until the site closes. */
export type Traversal = (rows: Rows, change: (tx: Queries, ids: number[]) => Promise<unknown>) => Promise<void>;
/** Deletes what a module has of a user besides records. */
export type Eraser = (db: Database, userID: number) => Promise<unknown>;

type Deps = {
  trash: Pick<Trash, "put" | "purge">;
  kinds: RecordKind[];
  erasers: Eraser[];
  stopping?: AbortSignal;
};

/**
 * Permanently deletes everything of a user, in the trash or not. Records of others stay: a directory that has some is left.
 * What this deletes has no name in the trash and the activity.
 */
export async function eraseRecords(db: Database, goThrough: Traversal, userID: number, deps: Deps): Promise<void> {
  const { trash, kinds, erasers } = deps;
  const isStopped = () => deps.stopping?.aborted ?? false;
  for (const erase of erasers) if (!isStopped()) await erase(db, userID);

  // A directory is empty after everything in it is gone.
  for (let deleted = -1; deleted !== 0 && !isStopped();) {
    deleted = 0;
    for (const kind of kinds) {
      const isDeleted = sql`${isLive} AND ${kind.trash.holdsNothing ?? sql`1 = 1`}`;
      const where = sql`${unindexed("owner_id")} = ${userID} AND ${isDeleted}`;
      await goThrough({ table: kind.table, where, atOnce: recordsAtOnce }, async (tx, ids) => {
        for (const id of ids) if (await putIfStill(tx, kind, id, userID)) deleted++;
      });
    }
    await purge();
  }

  async function putIfStill(tx: Queries, { name, table }: RecordKind, id: number, ownerID: number): Promise<boolean> {
    const isStill = sql`id = ${id} AND owner_id = ${ownerID} AND ${isLive}`;
    if (!(await tx.get(sql`SELECT id FROM ${raw(table)} WHERE ${isStill} ${tx.forUpdate}`))) return false;
    await trash.put(tx, name, { id, ownerID }, { name: "", deletedByID: ownerID });
    return true;
  }

  async function purge(): Promise<void> {
    const isOwn = sql`${unindexed("owner_id")} = ${userID}`;
    const next = sql`SELECT id FROM trash WHERE owner_id = ${userID} LIMIT 1`;
    while (!isStopped() && (await db.get(next))) {
      await goThrough({ table: "trash", where: isOwn, atOnce: recordsAtOnce }, async (tx, ids) => {
        // After a large one, which is not gone yet, the others have to wait.
        for (const id of ids) if (!(await purgeEntry(tx, id))) return;
      });
    }
  }

  async function purgeEntry(tx: Queries, id: number): Promise<boolean> {
    const entry = await tx.get<TrashedRecord>(sql`
      SELECT id, kind, record_id AS "recordID", owner_id AS "ownerID", '' AS name FROM trash
      WHERE id = ${id} AND owner_id = ${userID} ${tx.forUpdate}`);
    return !entry || trash.purge(tx, entry, userID);
  }
}
