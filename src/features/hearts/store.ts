import { type TargetID, targetKinds } from "../../content/comments/target.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import type { Maintained } from "../../platform/database/maintained.ts";
import { list, sql } from "../../platform/database/sql.ts";
import { forbidden } from "../../platform/errors.ts";
import { heartsAreOn } from "../../core/settings/store.ts";
import { giverOf } from "./giver.ts";
import { type Heart, maxHearts, numberOf } from "./heart.ts";

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

export async function countHearts(db: Reader, target: TargetID): Promise<number> {
  const row = await db.get<{ hearts: number }>(sql`SELECT hearts FROM heart_counts WHERE id = ${numberOf(target)}`);
  return row?.hearts ?? 0;
}

export async function isGiven(db: Reader, target: TargetID, giver: string): Promise<boolean> {
  const found = sql`SELECT created_at FROM hearts WHERE target_id = ${numberOf(target)} AND giver = ${giver}`;
  return (await db.get<{ created_at: number }>(found)) !== null;
}

/** Gives a heart, or takes it back. What is so already stays so. */
export async function setHeart(tx: Queries, target: TargetID, giver: string, isTheirs: boolean): Promise<Heart> {
  if (!(await hasHearts(tx))) throw switchedOff();
  const id = numberOf(target);
  if (isTheirs) await give(tx, target, giver);
  else {
    const removed = await tx.run(sql`DELETE FROM hearts WHERE target_id = ${id} AND giver = ${giver}`);
    if (removed > 0) await tx.run(sql`UPDATE heart_counts SET hearts = hearts - 1 WHERE id = ${id}`);
  }
  return readHeart(tx, target, giver);
}

async function give(tx: Queries, target: TargetID, giver: string): Promise<void> {
  const id = numberOf(target);
  if (giver.startsWith("guest:") && (await countHearts(tx, target)) >= maxHearts)
    throw forbidden("Only people with an account can give more hearts to this.");
  const given = await tx.run(sql`
    INSERT INTO hearts (target_id, giver, created_at) VALUES (${id}, ${giver}, ${Date.now()})
    ON CONFLICT (target_id, giver) DO NOTHING`);
  if (given === 0) return;
  const counted = await tx.run(sql`UPDATE heart_counts SET hearts = hearts + 1 WHERE id = ${id}`);
  if (counted > 0) return;
  await tx.run(sql`
    INSERT INTO heart_counts (id, hearts) VALUES (${id}, 1)
    ON CONFLICT (id) DO UPDATE SET hearts = heart_counts.hearts + 1`);
}

const heartsAtOnce = 500;

/** Removes the hearts of records that are permanently deleted, by their kind. */
export const purgeHearts = Object.fromEntries(
  targetKinds.map((kind) => [
    kind,
    async (tx: Queries, recordID: number): Promise<boolean> => {
      const id = numberOf({ kind, id: recordID });
      const removed = await tx.run(sql`
        DELETE FROM hearts WHERE target_id = ${id}
          AND giver IN (SELECT giver FROM hearts WHERE target_id = ${id} LIMIT ${heartsAtOnce})`);
      if (removed === heartsAtOnce) return false;
      await tx.run(sql`DELETE FROM heart_counts WHERE id = ${id}`);
      return true;
    },
  ]),
);

/** Takes back all hearts that an account has given. */
export async function takeBackHearts(db: Database, userID: number): Promise<void> {
  const isTheirs = sql`giver = ${giverOf(userID)}`;
  const next = sql`SELECT target_id AS id FROM hearts WHERE ${isTheirs} ORDER BY target_id LIMIT ${heartsAtOnce}`;
  const takeSome = async (tx: Queries) => {
    const ids = (await tx.all<{ id: number }>(next)).map(({ id }) => id);
    if (ids.length === 0) return false;
    await tx.run(sql`DELETE FROM hearts WHERE ${isTheirs} AND target_id IN (${list(ids)})`);
    await tx.run(sql`UPDATE heart_counts SET hearts = hearts - 1 WHERE id IN (${list(ids)})`);
    return true;
  };
  while ((await db.get(next)) && (await db.transaction(takeSome)));
}

/** Adds the differences, so servers may be running. */
export const heartCounts: Maintained = {
  name: "hearts",
  rebuild: (db) =>
    db.transaction((tx) =>
      tx.run(sql`
        INSERT INTO heart_counts (id, hearts)
        SELECT id, CAST(sum(hearts) AS BIGINT) FROM (
          SELECT target_id AS id, count(*) AS hearts FROM hearts GROUP BY target_id
          UNION ALL SELECT id, -hearts FROM heart_counts) AS counted
        GROUP BY id HAVING sum(hearts) <> 0
        ON CONFLICT (id) DO UPDATE SET hearts = heart_counts.hearts + excluded.hearts`),
    ),
};
