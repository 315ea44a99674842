import { setImmediate } from "node:timers/promises";
import type { Database } from "../platform/database/database.ts";
import { sql } from "../platform/database/sql.ts";
import { rooms } from "./rooms.ts";
import { type Kind, kinds } from "./search.ts";

const idsAtOnce = 5000;
/** Few, because others want to write, too, and posts can be long. */
const recordsAtOnce = 20;

/**
 * Makes findable what is not: records of an earlier version, or of a copy of the program that still is one. That can take
 * minutes; `signal` ends it early, and the next time it goes on.
 */
export async function indexMissing(db: Database, signal?: AbortSignal): Promise<void> {
  for (const kind of kinds) {
    const { table, find, index } = rooms[kind];
    const last = await db.get<{ id: number | null }>(sql`SELECT max(id) AS id FROM ${table}`);
    for (let start = 0; start < (last?.id ?? 0); start += idsAtOnce) {
      const ids = await findMissing(db, kind, start);
      for (let done = 0; done < ids.length; done += recordsAtOnce) {
        if (signal?.aborted) return;
        const some = ids.slice(done, done + recordsAtOnce);
        // Those below a directory in the trash are not there: to learn that, nothing is written.
        const found = await find(db, some, null);
        if (found.size > 0) await db.transaction((tx) => index(tx, some));
      }
      // Whoever waits for an answer comes first.
      await setImmediate();
    }
  }
}

async function findMissing(db: Database, kind: Kind, start: number): Promise<number[]> {
  const rows = await db.all<{ id: number }>(sql`
    SELECT id FROM ${rooms[kind].table} AS records
    WHERE id > ${start} AND id <= ${start + idsAtOnce} AND trash_id IS NULL
      AND NOT EXISTS (SELECT 1 FROM documents WHERE kind = ${kind} AND record_id = records.id)
    ORDER BY id`);
  return rows.map((row) => row.id);
}
