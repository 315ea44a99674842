import type { Database } from "../database/database.ts";
import { sql, type Sql, unindexed } from "../database/sql.ts";
import { type Field, indexedWords, type Wanted } from "./candidates.ts";

const pageSize = 1000;
/** Documents per block, as in `everybodys_words` of the database. */
const blockSize = 2048;
/** Blocks per statement, which ends early in the first one that completes the page. */
const blocksAtOnce = 256;
/** Stands for the number of a block in a query; no word contains it. */
const anyBlock = "#";

/**
 * The ids of documents that contain all the words, newest first. The index is not ordered by id, and sorting all matches of a
 * common word is slow. So it has the words of each block of documents separately, and a statement reads one block after the
 * other: a page reads the matches of a few blocks, however many documents there are, and a block without a match costs a lookup.
 */
export async function* postgresCandidates(db: Database, wanted: Wanted, field: Field): AsyncGenerator<number[]> {
  const matches = conditionOf(wanted, field);
  const last = await db.get<{ id: number | null }>(sql`SELECT max(id) AS id FROM documents`);
  const id = unindexed("id");
  for (let before = (last?.id ?? 0) + 1; before > 0;) {
    const newest = Math.floor((before - 1) / blockSize);
    const oldest = Math.max(newest - blocksAtOnce + 1, 0);
    const page = await db.all<{ id: number }>(sql`
      SELECT found.id FROM generate_series(CAST(${newest} AS BIGINT), ${oldest}, -1) AS block CROSS JOIN LATERAL (
        SELECT id FROM documents WHERE ${matches} AND ${id} < ${before} ORDER BY ${id} DESC LIMIT ${pageSize}
      ) AS found LIMIT ${pageSize}`);
    yield page.map((row) => row.id);
    before = page.length < pageSize ? oldest * blockSize : (page.at(-1)?.id ?? 0);
  }
}

/** Where a word occurs, and of which documents: as in the functions of the database. */
const places = {
  title: { letter: "t", words: sql`is_private = 0 AND everybodys_words(id, kind, title_words, text_words)` },
  everything: { letter: "e", words: sql`is_private = 0 AND everybodys_words(id, kind, title_words, text_words)` },
  own: {
    letter: "o",
    words: sql`(is_private <> 0 OR own_words IS NOT NULL) AND owners_words(id, kind, title_words, coalesce(own_words, text_words))`,
  },
};

/** The condition of documents in the block that the statement names. */
function conditionOf({ query, kind, viewerID, isAdmin }: Wanted, field: Field): Sql {
  const words = indexedWords(query.terms).map(({ word, isPrefix }) => `${word}${isPrefix ? ":*" : ""}`);
  const all = [...words, ...(kind ? [`_${kind}`] : [])].map((word) => `${anyBlock}${word}`).join(" & ");
  const has = ({ letter, words }: (typeof places)["own"]) =>
    sql`${words} @@ CAST(replace(${all}, ${anyBlock}, block || ${`${letter}_`}) AS tsquery)`;
  const everybody = has(places[field === "title" ? "title" : "everything"]);
  if (viewerID === null) return everybody;
  // The index has the title of a private document among its own words.
  const own = has(places.own);
  return isAdmin ? sql`((${everybody}) OR (${own}))` : sql`((${everybody}) OR (owner_id = ${viewerID} AND ${own}))`;
}
