import { type TargetID, targetKinds } from "../../content/comments/target.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { list, type Sql, sql } from "../../platform/database/sql.ts";
import { forbidden } from "../../platform/errors.ts";
import { heartsAreOn } from "../../core/settings/store.ts";
import { giverOf } from "./giver.ts";
import { type Heart, maxHearts } from "./heart.ts";

export const switchedOff = () => forbidden("Hearts are switched off on this site.");

export async function hasHearts(db: Reader): Promise<boolean> {
  return (await db.get<{ on: number }>(sql`SELECT ${heartsAreOn} AS "on"`))?.on === 1;
}

/** Whoever may see the target. Without a giver, none is theirs. */
export async function readHeart(db: Reader, target: TargetID, giver: string | null): Promise<Heart> {
  if (!(await hasHearts(db))) return { hearts: 0, hasHeart: false, isOpen: false };
  const hearts = await countHearts(db, target);
  return { hearts, hasHeart: giver !== null && (await isGiven(db, target, giver)), isOpen: true };
}

export async function countHearts(db: Reader, { kind, id }: TargetID): Promise<number> {
  const row = await db.get<{ hearts: number }>(
    sql`SELECT hearts FROM heart_counts WHERE id = ${id} AND target_kind = ${kind}`,
  );
  return row?.hearts ?? 0;
}

const isOn = ({ kind, id }: TargetID): Sql => sql`target_kind = ${kind} AND target_id = ${id}`;

export async function isGiven(db: Reader, target: TargetID, giver: string): Promise<boolean> {
  const found = sql`SELECT created_at FROM hearts WHERE ${isOn(target)} AND giver = ${giver}`;
  return (await db.get<{ created_at: number }>(found)) !== null;
}

/** Gives a heart, or takes it back. What is so already stays so. */
export async function setHeart(tx: Queries, target: TargetID, giver: string, isTheirs: boolean): Promise<Heart> {
  if (!(await hasHearts(tx))) throw switchedOff();
  if (isTheirs) await give(tx, target, giver);
  else {
    const removed = await tx.run(sql`DELETE FROM hearts WHERE ${isOn(target)} AND giver = ${giver}`);
    if (removed > 0)
      await tx.run(
        sql`UPDATE heart_counts SET hearts = hearts - 1 WHERE id = ${target.id} AND target_kind = ${target.kind}`,
      );
  }
  return readHeart(tx, target, giver);
}

async function give(tx: Queries, target: TargetID, giver: string): Promise<void> {
  const { kind, id } = target;
  if (giver.startsWith("guest:") && (await countHearts(tx, target)) >= maxHearts)
    throw forbidden("Only people with an account can give more hearts to this.");
  const given = await tx.run(sql`
    INSERT INTO hearts (target_kind, target_id, giver, created_at) VALUES (${kind}, ${id}, ${giver}, ${Date.now()})
    ON CONFLICT (target_kind, target_id, giver) DO NOTHING`);
  if (given === 0) return;
  // Its returned id says which pages show another number now.
  await tx.get<{ id: number }>(sql`
    INSERT INTO heart_counts (id, target_kind, hearts) VALUES (${id}, ${kind}, 1)
    ON CONFLICT (id, target_kind) DO UPDATE SET hearts = heart_counts.hearts + 1 RETURNING id`);
}

const heartsAtOnce = 500;

/** Removes the hearts of records that are permanently deleted, by their kind. */
export const purgeHearts = Object.fromEntries(
  targetKinds.map((kind) => [
    kind,
    async (tx: Queries, id: number): Promise<boolean> => {
      const isOnIt = isOn({ kind, id });
      const removed = await tx.run(sql`
        DELETE FROM hearts WHERE ${isOnIt}
          AND giver IN (SELECT giver FROM hearts WHERE ${isOnIt} LIMIT ${heartsAtOnce})`);
      if (removed === heartsAtOnce) return false;
      await tx.run(sql`DELETE FROM heart_counts WHERE id = ${id} AND target_kind = ${kind}`);
      return true;
    },
  ]),
);

/** Takes back all hearts that an account has given. */
export async function takeBackHearts(db: Database, userID: number): Promise<void> {
  const isTheirs = sql`giver = ${giverOf(userID)}`;
  const next = sql`
    SELECT target_kind AS kind, target_id AS id FROM hearts WHERE ${isTheirs}
    ORDER BY target_kind, target_id LIMIT ${heartsAtOnce}`;
  const takeSome = async (tx: Queries) => {
    const found = await tx.all<TargetID>(next);
    for (const [kind, some] of Map.groupBy(found, (target) => target.kind)) {
      const ids = list(some.map(({ id }) => id));
      await tx.run(sql`DELETE FROM hearts WHERE ${isTheirs} AND target_kind = ${kind} AND target_id IN (${ids})`);
      await tx.run(sql`UPDATE heart_counts SET hearts = hearts - 1 WHERE id IN (${ids}) AND target_kind = ${kind}`);
    }
    return found.length > 0;
  };
  while ((await db.get(next)) && (await db.transaction(takeSome)));
}
