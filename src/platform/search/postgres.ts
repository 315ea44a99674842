import type { Database } from "../database/database.ts";
import { sql, type Sql, unindexed } from "../database/sql.ts";
import { type Field, indexedWords, type Wanted } from "./candidates.ts";

/** The newest documents, which are searched without the index. */
const recent = 1000;
const pageSize = 1000;

/**
 * The ids of documents that contain all the words, newest first. The index is not ordered by id, and sorting all
 * matches of a common word is slow, so it is used only if the newest documents contain too few matches. The unindexed
 * id and the query in a subselect keep the planner from scanning all documents instead.
 */
export async function* postgresCandidates(db: Database, wanted: Wanted, field: Field): AsyncGenerator<number[]> {
  const matches = conditionOf(wanted, field);
  const newest = sql`(SELECT * FROM documents_index ORDER BY id DESC LIMIT ${recent}) AS documents_index`;
  const [rows, oldest] = await Promise.all([
    db.all<{ id: number }>(sql`SELECT id FROM ${newest} WHERE ${matches} ORDER BY id DESC`),
    db.get<{ id: number | null }>(sql`SELECT min(id) AS id FROM ${newest}`),
  ]);
  yield rows.map(({ id }) => id);
  for (let before = oldest?.id ?? 0; before > 0;) {
    const id = unindexed("id");
    const page = await db.all<{ id: number }>(sql`
      SELECT id FROM documents_index WHERE ${matches} AND ${id} < ${before} ORDER BY ${id} DESC LIMIT ${pageSize}`);
    yield page.map(({ id }) => id);
    before = page.length < pageSize ? 0 : (page.at(-1)?.id ?? 0);
  }
}

function conditionOf({ query, kind, viewerID, isAdmin }: Wanted, field: Field): Sql {
  const words = indexedWords(query.terms).map(({ word, isPrefix }) => `${word}${isPrefix ? ":*" : ""}`);
  const match = sql`@@ (SELECT CAST(${[...words, ...(kind ? [`_${kind}`] : [])].join(" & ")} AS tsquery))`;
  const everybody = field === "title" ? sql`title ${match}` : sql`everything ${match}`;
  if (viewerID === null) return everybody;
  // The index has the title of a private document among its own words.
  return isAdmin
    ? sql`(${everybody} OR own ${match})`
    : sql`(${everybody} OR (owner_id = ${viewerID} AND own ${match}))`;
}
