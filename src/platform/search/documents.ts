import type { Database, Queries } from "../database/database.ts";
import { joined, sql } from "../database/sql.ts";
import { postgresMatches } from "./postgres.ts";
import type { Term } from "./query.ts";
import { indexSomeWaiting, sqliteMatches } from "./sqlite.ts";
import { listWords } from "./words.ts";

/** After a great import a search waits for the index so long, and then finds what it knows. */
const patience = 1000;
/** What lies behind this much of a text is not found: engines have their limits. */
const longestText = 250_000;
/** How much of a text counts for its rank. */
const rankedText = 10_000;

/** What of a record is searched through, and shown of it when it is found. */
export type Texts = { title: string; text: string };

/** A match; its words stand between spaces, and are those that the viewer may find. */
export type Document<Kind extends string> = { id: number; kind: Kind; recordID: number } & Texts;

/**
 * Makes a record findable by what it is now. To be called in the transaction that writes the record. Where its owner sees
 * more text than others do, that is `ownText`: by what only stands there, only the owner finds it.
 */
export async function indexRecord(
  tx: Queries,
  kind: string,
  record: { id: number; ownerID: number },
  { title, text }: Texts,
  ownText = text,
): Promise<void> {
  const words = joinWords(text) + (ownText === text ? "" : joinWords(ownText, markOf(record.ownerID)));
  tx.later(sql`
    INSERT INTO documents (kind, record_id, title_words, text_words)
    VALUES (${kind}, ${record.id}, ${joinWords(title)}, ${words})
    ON CONFLICT (kind, record_id) DO UPDATE SET title_words = excluded.title_words, text_words = excluded.text_words
    WHERE documents.title_words <> excluded.title_words OR documents.text_words <> excluded.text_words`);
}

/** Makes new records findable, by one statement. */
export async function indexNewRecords(
  tx: Queries,
  kind: string,
  records: { id: number; texts: Texts }[],
): Promise<void> {
  const rows = records.map(
    ({ id, texts }) => sql`(${kind}, ${id}, ${joinWords(texts.title)}, ${joinWords(texts.text)})`,
  );
  tx.later(sql`INSERT INTO documents (kind, record_id, title_words, text_words) VALUES ${joined(rows)}`);
}

/**
 * Some of what matches all terms: the newest `size` by their titles and the newest `size` by all they have, after as many
 * that are passed over. With fewer than `size`, there are no more.
 */
export async function findDocuments<Kind extends string>(
  db: Database,
  terms: Term[],
  { kind, viewerID, passed, size }: { kind: Kind | undefined; viewerID: number | null; passed: number; size: number },
): Promise<Document<Kind>[]> {
  await catchUp(db);
  const mark = viewerID === null ? null : markOf(viewerID);
  const ways = terms.map((term) => (mark ? [term, { ...term, words: term.words.map((word) => mark + word) }] : [term]));
  const matches = db.engine === "sqlite" ? sqliteMatches : postgresMatches;
  const wanted = { terms: ways, kind, passed, size };
  const rows = await db.all<Document<Kind>>(sql`
    SELECT id, kind, record_id AS "recordID", title_words AS title, substr(text_words, 1, ${rankedText}) AS text
    FROM documents WHERE id IN (
      SELECT id FROM (${matches(wanted, "title")}) AS by_title
      UNION SELECT id FROM (${matches(wanted, "everything")}) AS by_everything)`);
  return mark ? rows.map((row) => ({ ...row, text: row.text.replaceAll(` ${mark}`, " ") })) : rows;
}

/** Where the index does not follow the documents by itself, it is told of the newest now. */
async function catchUp(db: Database): Promise<void> {
  const until = performance.now() + patience;
  while (db.engine === "sqlite" && performance.now() < until && (await indexSomeWaiting(db)));
}

/** No word has a _ of its own. */
const markOf = (userID: number) => `${userID}_`;

function joinWords(text: string, mark = ""): string {
  let words = " ";
  for (const word of listWords(text)) {
    if (words.length > longestText) break;
    words += `${mark}${word} `;
  }
  return words;
}
