import { setTimeout } from "node:timers/promises";
import type { Database } from "../database/database.ts";
import { list, sql, type Sql } from "../database/sql.ts";
import type { Wanted } from "./query.ts";

/** The ids of the documents that match, newest first. */
export function sqliteMatches({ terms, kind, passed, size }: Wanted, field: "title" | "everything"): Sql {
  const matches = terms.map((ways) => {
    const phrases = ways.map(({ words, isPrefix }) => `"${words.join(" ")}"${isPrefix ? "*" : ""}`);
    return `(${phrases.join(" OR ")})`;
  });
  const columns = field === "title" ? "title_words" : "{title_words text_words}";
  const match = `${columns} : (${matches.join(" AND ")})${kind ? ` AND kind : "${kind}"` : ""}`;
  return sql`
    SELECT rowid AS id FROM documents_index WHERE documents_index MATCH ${match}
    ORDER BY rowid DESC LIMIT ${size} OFFSET ${passed}`;
}

/** So many at once that the rest of the line hardly notices. */
const documentsAtOnce = 200;

/** Indexes all documents that wait for it, and rests as long as it works: nobody waits for this. `signal` ends it early. */
export async function indexWaiting(db: Database, signal: AbortSignal): Promise<void> {
  for (let started = performance.now(); await indexSomeWaiting(db); started = performance.now()) {
    await setTimeout(performance.now() - started);
    if (signal.aborted) return;
  }
}

/** Indexes some of the documents that wait for it, the newest first. Answers whether there are more. */
export async function indexSomeWaiting(db: Database): Promise<boolean> {
  const waiting = sql`SELECT id FROM documents_waiting ORDER BY id DESC LIMIT ${documentsAtOnce}`;
  if ((await db.get(waiting)) === null) return false;
  return db.transaction(async (tx) => {
    const rows = await tx.all<{ id: number }>(waiting);
    const ids = list(rows.map((row) => row.id));
    await tx.run(sql`DELETE FROM documents_index WHERE rowid IN (${ids})`);
    await tx.run(sql`
      INSERT INTO documents_index (rowid, kind, title_words, text_words)
      SELECT id, kind, title_words, text_words FROM documents WHERE id IN (${ids})`);
    await tx.run(sql`DELETE FROM documents_waiting WHERE id IN (${ids})`);
    return rows.length === documentsAtOnce;
  });
}
