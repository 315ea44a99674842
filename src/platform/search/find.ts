import type { Database, Reader } from "../database/database.ts";
import { list, sql, type Sql } from "../database/sql.ts";
import type { Field, Wanted } from "./candidates.ts";
import { postgresCandidates } from "./postgres.ts";
import { isTermIn } from "./query.ts";
import { sqliteCandidates } from "./sqlite.ts";
import { nextTurn } from "../event-loop.ts";

/** A matching document, with those of its words that the viewer may search, separated by spaces. */
export type IndexedDocument = { id: number; kind: string; recordID: number; title: string; text: string };

/** Limits of one slice of reading. A query of several terms reads fewer bytes. */
const documentsAtOnce = 100;
const bytesAtOnce = 4_000_000;
/** Documents with the same title; the newest ones. */
const maxWithOneTitle = 100;

/**
 * The documents that contain all terms in this field, newest first. The index finds the documents that contain the
 * words; whether the words are adjacent is checked here. Ends early when the time is past `until`.
 */
export async function* findDocuments(
  db: Database,
  wanted: Wanted,
  { field, until }: { field: Field; until: number },
): AsyncGenerator<IndexedDocument> {
  const { query, kind } = wanted;
  for await (const ids of candidatesIn(db, wanted, field)) {
    for await (const some of readInSlices(db, ids, bytesAtOnce / query.terms.length, wanted)) {
      for (const document of some) {
        const places = field === "everything" ? [document.title, document.text] : [document.title];
        const isMatch = query.terms.every((term) => places.some((words) => isTermIn(term, words)));
        if (isMatch && (!kind || document.kind === kind)) yield document;
      }
      if (performance.now() > until) return;
    }
    if (performance.now() > until) return;
  }
}

function candidatesIn(db: Database, wanted: Wanted, field: Field): AsyncGenerator<number[]> {
  if (field === "whole title") return candidatesByTitle(db, wanted);
  return db.engine === "sqlite" ? sqliteCandidates(db, wanted, field) : postgresCandidates(db, wanted, field);
}

async function* candidatesByTitle(db: Reader, wanted: Wanted): AsyncGenerator<number[]> {
  const { query, kind } = wanted;
  const ofKind = kind ? sql`AND kind = ${kind}` : sql``;
  const rows = await db.all<{ id: number }>(sql`
    SELECT id FROM documents
    WHERE substr(title_words, 1, 100) = substr(${query.title}, 1, 100) AND title_words = ${query.title} ${ofKind}
      AND ${isFoundBy(wanted)}
    ORDER BY id DESC LIMIT ${maxWithOneTitle}`);
  yield rows.map(({ id }) => id);
}

/** The documents with these ids, in the same order, about `bytes` bytes at a time. */
async function* readInSlices(
  db: Reader,
  ids: number[],
  bytes: number,
  wanted: Wanted,
): AsyncGenerator<IndexedDocument[]> {
  for (let start = 0; start < ids.length; start += documentsAtOnce) {
    const sizes = await db.all<{ id: number; bytes: number }>(sql`
      SELECT id, octet_length(text_words) AS bytes FROM documents
      WHERE id IN (${list(ids.slice(start, start + documentsAtOnce))}) ORDER BY id DESC`);
    while (sizes.length > 0) {
      let sum = 0;
      const end = sizes.findIndex((row, index) => (sum += row.bytes) > bytes && index > 0);
      const some = sizes.splice(0, end === -1 ? sizes.length : end);
      await nextTurn();
      const documents = await db.all<IndexedDocument>(sql`
        SELECT id, kind, record_id AS "recordID", title_words AS title,
          CASE WHEN owner_id = ${wanted.viewerID} THEN coalesce(own_words, text_words) ELSE text_words END AS text
        FROM documents WHERE id IN (${list(some.map(({ id }) => id))}) AND ${isFoundBy(wanted)} ORDER BY id DESC`);
      await nextTurn();
      yield documents;
    }
  }
}

/** The condition of documents that the viewer may search. Whether the viewer sees the record is decided when it is read. */
function isFoundBy({ viewerID, isAdmin }: Wanted): Sql {
  if (isAdmin) return sql`1 = 1`;
  return viewerID === null ? sql`is_private = 0` : sql`(is_private = 0 OR owner_id = ${viewerID})`;
}
