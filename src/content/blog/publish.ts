import { recordActivity } from "../../core/activity/record.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import type { Log } from "../../platform/log.ts";
import { markUnread } from "../../platform/search/documents.ts";
import { isLive } from "../../core/trash/trash.ts";
import { isInStatusIndexes } from "./status-indexes.ts";

/** Another copy of the program may schedule posts: each copy looks this often. */
const lookEvery = 30_000;
const publishedAtOnce = 100;

export type Publisher = {
  /** Publishes a post that was just scheduled on time. Without it, that would be up to half a minute late. */
  look(): void;
  close(): Promise<void>;
};

/** Publishes posts at their times, or as soon as the program runs again. */
export function startPublisher(db: Database, log: Log): Publisher {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let work = Promise.resolve();
  const closed = new AbortController();

  function look(): void {
    if (closed.signal.aborted) return;
    clearTimeout(timer);
    work = work.then(publishAndWait);
  }

  async function publishAndWait(): Promise<void> {
    let delay = lookEvery;
    try {
      let next = await readNextTime();
      while (next !== null && next <= Date.now() && !closed.signal.aborted) {
        await db.transaction(publishSome);
        next = await readNextTime();
      }
      if (next !== null) delay = Math.min(lookEvery, Math.max(0, next - Date.now()));
    } catch (error) {
      log.error("posts could not be published", { stack: (error as Error).stack });
    }
    if (closed.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(look, delay);
    timer.unref();
  }

  async function readNextTime(): Promise<number | null> {
    const row = await db.get<{ time: number | null }>(
      sql`SELECT min(published_at) AS time FROM posts WHERE ${isScheduled}`,
    );
    return row?.time ?? null;
  }

  look();
  return {
    look,
    async close() {
      closed.abort();
      clearTimeout(timer);
      await work;
    },
  };
}

const isScheduled = sql`${isLive} AND ${isInStatusIndexes} AND status = 'scheduled'`;

/** Posts that another copy is publishing at the same time are left to it. */
async function publishSome(tx: Queries): Promise<void> {
  const due = await tx.all<{ id: number; ownerID: number; name: string; is_page: number; chosen_private: number }>(sql`
    SELECT id, owner_id AS "ownerID", title AS name, is_page, chosen_private FROM posts
    WHERE ${isScheduled} AND published_at <= ${Date.now()}
    ORDER BY published_at, id LIMIT ${publishedAtOnce} ${tx.forUpdate}`);
  for (const { is_page, chosen_private, ...post } of due) {
    const { id } = post;
    tx.later(sql`UPDATE posts SET status = 'published', is_private = chosen_private WHERE id = ${id}`);
    const before = { is_page, status: "scheduled", is_private: 1 };
    await tx.changed("post", [{ id, before, after: { is_page, status: "published", is_private: chosen_private } }]);
    recordActivity(tx, null, "published", { ...post, kind: "post" });
    await markUnread(tx, "post", sql`SELECT CAST(${id} AS BIGINT)`);
  }
}
