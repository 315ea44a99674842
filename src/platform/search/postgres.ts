import { sql, type Sql } from "../database/sql.ts";
import type { Term, Wanted } from "./query.ts";

/** What is common is found among this many of the newest documents. */
const recent = 1000;

/**
 * The ids of the documents that match, newest first. The index knows no order, and to sort the matches of a common word
 * takes long: it is asked only when the newest documents have too few. `id + 0` and the query in a select of its own keep
 * the planner from walking through all documents instead.
 */
export function postgresMatches(wanted: Wanted, field: "title" | "everything"): Sql {
  const { passed, size } = wanted;
  const conditions = conditionsOf(wanted, field);
  return sql`
    WITH newest AS MATERIALIZED (
      SELECT id FROM (SELECT * FROM documents_index ORDER BY id DESC LIMIT ${recent}) AS documents_index
      WHERE ${conditions} ORDER BY id DESC LIMIT ${passed + size}),
    enough AS MATERIALIZED (SELECT count(*) >= ${passed + size} AS is_so FROM newest)
    SELECT id FROM (
      SELECT id FROM newest WHERE (SELECT is_so FROM enough)
      UNION ALL SELECT id FROM documents_index WHERE NOT (SELECT is_so FROM enough) AND ${conditions}) AS matches
    ORDER BY id + 0 DESC LIMIT ${size} OFFSET ${passed}`;
}

function conditionsOf({ terms, kind }: Wanted, field: "title" | "everything"): Sql {
  const matches = [...terms.map((ways) => `(${ways.map(print).join(" | ")})`), ...(kind ? [`_${kind}`] : [])];
  const column = field === "title" ? sql`title` : sql`everything`;
  const match = sql`${column} @@ (SELECT CAST(${matches.join(" & ")} AS tsquery))`;
  const phrases = terms.filter(([way]) => (way as Term).words.length > 1).map((ways) => standsIn(ways, field));
  return phrases.reduce((before, phrase) => sql`${before} AND ${phrase}`, match);
}

function print({ words, isPrefix }: Term): string {
  return `${words.join(" & ")}${isPrefix ? ":*" : ""}`;
}

/** A tsvector knows few of the places of a word: whether words stand next to each other is looked up in the words themselves. */
function standsIn(ways: Term[], field: "title" | "everything"): Sql {
  const places = ways.map(({ words, isPrefix }) => {
    const phrase = ` ${words.join(" ")}${isPrefix ? "" : " "}`;
    const inTitle = sql`strpos(title_words, ${phrase}) > 0`;
    return field === "title" ? inTitle : sql`${inTitle} OR strpos(text_words, ${phrase}) > 0`;
  });
  const anywhere = places.reduce((before, place) => sql`${before} OR ${place}`);
  return sql`EXISTS (SELECT 1 FROM documents WHERE documents.id = documents_index.id AND (${anywhere}))`;
}
