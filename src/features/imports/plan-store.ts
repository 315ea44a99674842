import { recordActivity } from "../../core/activity/record.ts";
import { root } from "../../content/files/rows.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { Source } from "./item.ts";
import { parsePlan, type Plan } from "./plan.ts";

/** `name` is for people, until the source was recognised. */
export async function insertPlanned(tx: Queries, owner: Caller, plan: Plan, name: string): Promise<number> {
  const time = Date.now();
  const row = await tx.get<{ id: number }>(sql`
    INSERT INTO imports (owner_id, directory_id, is_recursive, includes_others, created_at, updated_at, path, source, plan,
      is_dry_run, needs_key)
    VALUES (${owner.id}, ${root.id}, 0, ${owner.role === "admin" ? 1 : 0}, ${time}, ${time}, '/', ${name},
      ${JSON.stringify(plan)}, ${plan.dryRun ? 1 : 0}, ${plan.server ? 1 : 0})
    RETURNING id`);
  const { id } = row as { id: number };
  if (!plan.dryRun) recordActivity(tx, owner.id, "imported", { kind: "import", id, ownerID: owner.id, name });
  return id;
}

export type Planned = {
  id: number;
  ownerID: number;
  includesOthers: boolean;
  plan: Plan | null;
  isUndone: boolean;
  updatedAt: number;
};

/** What a server has to read, or to undo: null if there is nothing more to do. */
export async function findPlanned(db: Reader, id: number): Promise<Planned | null> {
  const row = await db.get<{
    owner_id: number;
    includes_others: number;
    plan: string | null;
    undo_at: number | null;
    updated_at: number;
  }>(sql`
    SELECT owner_id, includes_others, plan, undo_at, updated_at FROM imports WHERE id = ${id} AND (${isToUndo} OR ${isToRead})`);
  if (!row) return null;
  const { owner_id: ownerID, includes_others: includesOthers, plan, undo_at: undoAt, updated_at: updatedAt } = row;
  return {
    id,
    ownerID,
    includesOthers: includesOthers === 1,
    plan: parsePlan(plan),
    isUndone: undoAt !== null,
    updatedAt,
  };
}

const isToUndo = sql`undo_at IS NOT NULL AND undone_at IS NULL`;
const isToRead = sql`finished_at IS NULL AND plan IS NOT NULL AND read_at IS NULL AND needs_key = 0`;

/** Imports that a server has to read or to undo, oldest first. */
export async function listPlannedIDs(db: Reader): Promise<number[]> {
  const toUndo = await db.all<{ id: number }>(sql`SELECT id FROM imports WHERE ${isToUndo} ORDER BY id`);
  const toRead = await db.all<{ id: number }>(sql`SELECT id FROM imports WHERE ${isToRead} ORDER BY id`);
  return [...toUndo, ...toRead].map(({ id }) => id);
}

/** The source was recognised. */
export async function nameSource(db: Database, id: number, { kind, name }: Pick<Source, "kind" | "name">) {
  await db.transaction((tx) =>
    tx.run(sql`UPDATE imports SET kind = ${kind}, source = ${name}, failure = NULL WHERE id = ${id}`),
  );
}

/** The source will be read. Returns how often that was begun since it last came to an end, or brought something new. */
export async function countBegin(db: Database, id: number): Promise<number> {
  const row = await db.transaction((tx) =>
    tx.get<{ begins: number }>(sql`UPDATE imports SET begins = begins + 1 WHERE id = ${id} RETURNING begins`),
  );
  return row?.begins ?? 0;
}

/** The reading has ended, whatever came of it. */
export async function forgetBegins(db: Database, id: number): Promise<void> {
  await db.transaction((tx) => tx.run(sql`UPDATE imports SET begins = 0 WHERE id = ${id} AND begins > 0`));
}

/** The source cannot be read, for a reason that stays. */
export async function failImport(db: Database, id: number, reason: string): Promise<void> {
  const time = Date.now();
  await db.transaction((tx) =>
    tx.run(sql`
      UPDATE imports SET failure = ${reason}, finished_at = ${time}, updated_at = ${time}
      WHERE id = ${id} AND finished_at IS NULL`),
  );
}

/** The key is gone, or does not help any more: the import waits until somebody sends one. */
export async function waitForKey(db: Database, id: number, reason: string | null): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      UPDATE imports SET needs_key = 1, failure = coalesce(${reason}, failure), updated_at = ${Date.now()}
      WHERE id = ${id} AND finished_at IS NULL`),
  );
}

/** A server has the key in its memory. */
export async function keyIsHere(db: Database, id: number): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      UPDATE imports SET needs_key = 0, failure = NULL, updated_at = ${Date.now()} WHERE id = ${id} AND finished_at IS NULL`),
  );
}

/** Why an import does not get on now; null once it does. */
export async function noteFailure(db: Database, id: number, reason: string | null): Promise<void> {
  await db.transaction((tx) =>
    tx.run(
      sql`UPDATE imports SET failure = ${reason}, updated_at = ${Date.now()} WHERE id = ${id} AND finished_at IS NULL`,
    ),
  );
}

/** From now on, nothing more is added. Has no effect the second time. */
export async function beginUndo(tx: Queries, id: number): Promise<void> {
  const time = Date.now();
  await tx.run(sql`
    UPDATE imports SET undo_at = ${time}, updated_at = ${time}, finished_at = coalesce(finished_at, ${time})
    WHERE id = ${id} AND undo_at IS NULL AND undone_at IS NULL`);
}
