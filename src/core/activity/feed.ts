import type { Database, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import type { Action } from "./activity.ts";

/** One row of the activity. */
export type Change = {
  id: number;
  transactionID: number;
  createdAt: number;
  actorID: number | null;
  ownerID: number | null;
  recordID: number;
  wasPublic: number;
  kind: string;
  action: Action;
  name: string;
};

/** A place in the order in which changes were committed. It identifies the last change before it. */
export type Position = Pick<Change, "transactionID" | "id">;

/** Before all changes. */
export const start: Position = { transactionID: 0, id: 0 };

export const changeColumns = sql`activity.id, transaction_id AS "transactionID", activity.created_at AS "createdAt",
  actor_id AS "actorID", owner_id AS "ownerID", record_id AS "recordID", was_public AS "wasPublic", kind, action, name`;

/** The next changes after a position. No change appears before one that was returned. */
export function readChanges(db: Reader, after: Position, most: number): Promise<Change[]> {
  return db.all<Change>(sql`
    SELECT ${changeColumns} FROM activity JOIN activity_horizon ON transaction_id < settled
    WHERE (transaction_id, id) > (${after.transactionID}, ${after.id}) ORDER BY transaction_id, id LIMIT ${most}`);
}

/** The position after all changes that `readChanges` would return. */
export async function readEnd(db: Reader): Promise<Position> {
  const last = await db.get<Position>(sql`
    SELECT transaction_id AS "transactionID", id FROM activity JOIN activity_horizon ON transaction_id < settled
    ORDER BY transaction_id DESC, id DESC LIMIT 1`);
  return last ?? start;
}

/** Whether all changes after this position are still known. */
export async function isKnown(db: Reader, { transactionID, id }: Position): Promise<boolean> {
  const row = sql`SELECT id FROM activity WHERE id = ${id} AND transaction_id = ${transactionID}`;
  return id === start.id || (await db.get(row)) !== null;
}

export const compare = (one: Position, other: Position) => one.transactionID - other.transactionID || one.id - other.id;

/** After the database was moved or restored, its rows may have transactions that are still to come here. */
export async function forgetForeignTransactions(db: Database): Promise<void> {
  const isForeign = sql`transaction_id >= (SELECT upcoming FROM activity_horizon)`;
  if (!(await db.get(sql`SELECT id FROM activity WHERE ${isForeign} LIMIT 1`))) return;
  await db.transaction((tx) => tx.run(sql`UPDATE activity SET transaction_id = 0 WHERE ${isForeign}`), {
    isLong: true,
  });
}
