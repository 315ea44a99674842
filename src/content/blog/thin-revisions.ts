import type { Database } from "../../platform/database/database.ts";
import { readSlices } from "../../platform/database/slices.ts";
import { joinedBy, sql } from "../../platform/database/sql.ts";
import { nextTurn } from "../../platform/event-loop.ts";

const hour = 3_600_000;
const day = 24 * hour;
const week = 7 * day;

/** Of revisions that are older than `age`, the last of each `span` is kept. */
const rules = [
  { age: 8 * week, span: week },
  { age: week, span: day },
  { age: day, span: hour },
];

const readAtOnce = 500;
/** Each can be as long as a post. */
const removedAtOnce = 20;

/** `next_at` is when it was replaced by the next one that is kept, or by the post as it is now. */
type Row = { post_id: number; number: number; created_at: number; next_at: number; published_at: number | null };

/**
 * Removes revisions of posts: of the older ones, one per hour, day or week stays. The first one stays in any case, and so does
 * the text that was published.
 */
export async function thinRevisions(db: Database, stopping: AbortSignal, now = Date.now()): Promise<void> {
  const read = (last: Row | null, size: number) =>
    db.all<Row>(sql`
      SELECT post_id, number, created_at, published_at, coalesce(
        (SELECT created_at FROM post_revisions AS later
          WHERE later.post_id = chosen.post_id AND later.number > chosen.number ORDER BY later.number LIMIT 1),
        (SELECT coalesce(revised_at, updated_at) FROM posts WHERE posts.id = post_id)) AS next_at
      FROM (
        SELECT post_id, number, created_at, (SELECT published_at FROM posts WHERE posts.id = post_id) AS published_at
        FROM post_revisions WHERE (post_id, number) > (${last?.post_id ?? 0}, ${last?.number ?? 0})
        ORDER BY post_id, number LIMIT ${size}) AS chosen
      ORDER BY post_id, number`);
  for await (const rows of readSlices(read, { size: readAtOnce })) {
    const removed = rows.filter((row) => isSuperfluous(row, now));
    for (let start = 0; start < removed.length; start += removedAtOnce) {
      if (stopping.aborted) return;
      const some = removed.slice(start, start + removedAtOnce);
      const isOne = some.map(({ post_id, number }) => sql`(post_id = ${post_id} AND number = ${number})`);
      await db.transaction((tx) => tx.run(sql`DELETE FROM post_revisions WHERE ${joinedBy(" OR ", isOne)}`));
      await nextTurn();
    }
    if (stopping.aborted) return;
    await nextTurn();
  }
}

function isSuperfluous({ number, created_at, next_at, published_at }: Row, now: number): boolean {
  const rule = rules.find(({ age }) => created_at <= now - age);
  if (!rule || number === 1) return false;
  const isPublished = published_at !== null && created_at <= published_at && published_at < next_at;
  return !isPublished && Math.floor(created_at / rule.span) === Math.floor(next_at / rule.span);
}
