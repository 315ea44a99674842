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
      is_dry_run)
    VALUES (${owner.id}, ${root.id}, 0, ${owner.role === "admin" ? 1 : 0}, ${time}, ${time}, '/', ${name},
      ${JSON.stringify(plan)}, ${plan.dryRun ? 1 : 0})
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
};

/** What a server has to read, or to undo: null if there is nothing more to do. */
export async function findPlanned(db: Reader, id: number): Promise<Planned | null> {
  const row = await db.get<{
    owner_id: number;
    includes_others: number;
    plan: string | null;
    undo_at: number | null;
  }>(sql`
    SELECT owner_id, includes_others, plan, undo_at FROM imports WHERE id = ${id} AND (${isToUndo} OR ${isToRead})`);
  if (!row) return null;
  const { owner_id: ownerID, includes_others: includesOthers, plan, undo_at: undoAt } = row;
  return {
    id,
    ownerID,
    includesOthers: includesOthers === 1,
    plan: parsePlan(plan),
    isUndone: undoAt !== null,
  };
}

const isToUndo = sql`undo_at IS NOT NULL AND undone_at IS NULL`;
const isToRead = sql`finished_at IS NULL AND plan IS NOT NULL AND read_at IS NULL`;

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

/** The source cannot be read, for a reason that stays. */
export async function failImport(db: Database, id: number, reason: string): Promise<void> {
  const time = Date.now();
  await db.transaction((tx) =>
    tx.run(sql`
      UPDATE imports SET failure = ${reason}, finished_at = ${time}, updated_at = ${time}
      WHERE id = ${id} AND finished_at IS NULL`),
  );
}

/** Says why it waits, until it goes on. */
export async function pauseForSpace(db: Database, id: number, sentence: string): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`UPDATE imports SET failure = ${sentence} WHERE id = ${id} AND finished_at IS NULL`),
  );
}

/** From now on, nothing more is added. Has no effect the second time. */
export async function beginUndo(tx: Queries, id: number): Promise<void> {
  const time = Date.now();
  await tx.run(sql`
    UPDATE imports SET undo_at = ${time}, updated_at = ${time}, finished_at = coalesce(finished_at, ${time})
    WHERE id = ${id} AND undo_at IS NULL AND undone_at IS NULL`);
}
