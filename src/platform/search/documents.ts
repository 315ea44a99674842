import type { Database, Queries, Reader } from "../database/database.ts";
import { joined, raw, sql, type Sql } from "../database/sql.ts";
import { joinWords } from "./query.ts";
import { nextTurn } from "../event-loop.ts";
import { listWords, wordsOf } from "./words.ts";

/** The parts of a record that are searched and shown in a result. */
export type Texts = { title: string; text: string };

/**
 * All that a record can be found by. `ownText` is its text as the owner sees it, which only the owner can search. Of a private
 * record, only the owner and admins can search anything.
 */
export type Indexed = Texts & { ownerID: number; ownText: string; isPrivate: boolean };

/** A document whose text is not split into words yet. Each write of the record sets another `mark`. */
type Unread = { id: number; kind: string; recordID: number; mark: number };

/** A longer text is split outside of the transaction, this many characters per slice. */
const longestAtOnce = 5000;
const sliceLength = 4000;
/** Limits on the indexed part of a text. The rest of the text cannot be found. */
const longestText = 250_000;
const maxDifferentWords = 6000;
const markedAtOnce = 10_000;

/**
 * Indexes a record in its current state, in the transaction that writes it (`recordChange`). A record with a long text can be
 * found only by its title until the text has been indexed; see `listUnread`.
 */
export async function indexRecord(
  tx: Queries,
  kind: string,
  record: { id: number; ownerID: number; visibility?: string },
  { title, text, ownText = text }: Texts & { ownText?: string },
): Promise<void> {
  const isLong = Math.max(text.length, ownText.length) > longestAtOnce;
  const textWords = isLong ? " " : joinWords(listWords(text));
  const ownWords = isLong || ownText === text ? null : joinWords(listWords(ownText));
  const mark = isLong ? newMark() : null;
  const isPrivate = record.visibility === "private";
  tx.later(sql`
    INSERT INTO documents (kind, record_id, title_words, text_words, owner_id, own_words, is_private, unread)
    VALUES (${kind}, ${record.id}, ${joinWords(listWords(title))}, ${textWords},
      ${isPrivate || ownWords ? record.ownerID : null}, ${ownWords}, ${isPrivate ? 1 : 0}, ${mark})
    ON CONFLICT (kind, record_id) DO UPDATE SET title_words = excluded.title_words, text_words = excluded.text_words,
      owner_id = excluded.owner_id, own_words = excluded.own_words, is_private = excluded.is_private,
      unread = excluded.unread
    WHERE documents.title_words <> excluded.title_words OR documents.text_words <> excluded.text_words
      OR documents.is_private <> excluded.is_private OR documents.owner_id IS DISTINCT FROM excluded.owner_id
      OR documents.own_words IS DISTINCT FROM excluded.own_words OR documents.unread IS DISTINCT FROM excluded.unread`);
}

/** Indexes new records with short texts in one statement. */
export async function indexNewRecords(
  tx: Queries,
  kind: string,
  records: { id: number; ownerID: number; visibility?: string; texts: Texts }[],
): Promise<void> {
  const rows = records.map(({ id, ownerID, visibility, texts: { title, text } }) => {
    const isPrivate = visibility === "private";
    return sql`(${kind}, ${id}, ${joinWords(listWords(title))}, ${joinWords(listWords(text))},
      ${isPrivate ? ownerID : null}, ${isPrivate ? 1 : 0})`;
  });
  tx.later(sql`
    INSERT INTO documents (kind, record_id, title_words, text_words, owner_id, is_private) VALUES ${joined(rows)}`);
}

/** Marks records to be read and indexed again later. `ids` selects their ids. */
export async function markUnread(tx: Queries, kind: string, ids: Sql): Promise<void> {
  await tx.run(sql`UPDATE documents SET unread = ${newMark()} WHERE kind = ${kind} AND record_id IN (${ids})`);
}

/** Marks all records that have a document. Returns how many. */
export const markAllUnread = (db: Database): Promise<number> => markSome(db, sql`1 = 1`);

/** Has the records that an owner finds by more words than others do read and indexed again later. */
export const markOwnWordsUnread = (db: Database, ownerID: number): Promise<number> =>
  markSome(db, sql`owner_id = ${ownerID}`);

async function markSome(db: Database, where: Sql): Promise<number> {
  const last = await db.get<{ id: number | null }>(sql`SELECT max(id) AS id FROM documents`);
  let marked = 0;
  for (let start = 0; start < (last?.id ?? 0); start += markedAtOnce) {
    const some = sql`id > ${start} AND id <= ${start + markedAtOnce} AND ${where}`;
    marked += await db.transaction((tx) => tx.run(sql`UPDATE documents SET unread = ${newMark()} WHERE ${some}`));
  }
  return marked;
}

/** Documents that wait to be read, newest first. */
export function listUnread(db: Reader, size: number): Promise<Unread[]> {
  return db.all<Unread>(sql`
    SELECT id, kind, record_id AS "recordID", unread AS mark FROM documents
    WHERE unread IS NOT NULL ORDER BY id DESC LIMIT ${size}`);
}

/** The words of a document, as its row stores them. */
export type Words = { title: string; text: string; own: string | null; ownerID: number | null; isPrivate: boolean };

/** Splits texts of any length without blocking the event loop. */
export async function splitTexts({ title, text, ownText, ownerID, isPrivate }: Indexed): Promise<Words> {
  const words = { title: joinWords(listWords(title)), text: await splitText(text), isPrivate };
  return ownText === text
    ? { ...words, own: null, ownerID: isPrivate ? ownerID : null }
    : { ...words, own: await splitText(ownText), ownerID };
}

/** Writes the words of an unread document, unless the record has been written again in the meantime. */
export async function fillDocument(tx: Queries, { id, mark }: Unread, words: Words): Promise<void> {
  await tx.run(sql`
    UPDATE documents SET title_words = ${words.title}, text_words = ${words.text}, owner_id = ${words.ownerID},
      own_words = ${words.own}, is_private = ${words.isPrivate ? 1 : 0}, unread = NULL
    WHERE id = ${id} AND unread = ${mark}`);
}

/** Writes the words of a record that has no document, unless it has one by now. */
export async function addDocument(tx: Queries, kind: string, recordID: number, words: Words): Promise<void> {
  await tx.run(sql`
    INSERT INTO documents (kind, record_id, title_words, text_words, owner_id, own_words, is_private)
    VALUES (${kind}, ${recordID}, ${words.title}, ${words.text}, ${words.ownerID}, ${words.own}, ${words.isPrivate ? 1 : 0})
    ON CONFLICT (kind, record_id) DO NOTHING`);
}

/**
 * For an unread document whose record is in the trash, or below a directory in the trash: it keeps its words, and is indexed by
 * them again. One that has no words yet is removed: its record is indexed later.
 */
export async function passOver(tx: Queries, { id, mark }: Unread): Promise<void> {
  const which = sql`id = ${id} AND unread = ${mark}`;
  await tx.run(sql`DELETE FROM documents WHERE ${which} AND title_words = ' ' AND text_words = ' '`);
  await tx.run(sql`UPDATE documents SET title_words = title_words, unread = NULL WHERE ${which}`);
}

/** Has restored records read and indexed, because that may have been passed over while they were in the trash. */
export async function indexRestored(tx: Queries, kind: string, ids: number[]): Promise<void> {
  const rows = ids.map((id) => sql`(${kind}, ${id}, ' ', ' ', ${newMark()})`);
  tx.later(sql`
    INSERT INTO documents (kind, record_id, title_words, text_words, unread) VALUES ${joined(rows)}
    ON CONFLICT (kind, record_id) DO UPDATE SET unread = excluded.unread`);
}

/** Removes documents of records that do not exist. Returns how many. */
export async function removeOrphans(db: Database, kinds: { kind: string; table: string }[]): Promise<number> {
  let removed = 0;
  for (const { kind, table } of kinds) {
    removed += await db.transaction((tx) =>
      tx.run(sql`
        DELETE FROM documents
        WHERE kind = ${kind} AND NOT EXISTS (SELECT 1 FROM ${raw(table)} AS records WHERE records.id = record_id)`),
    );
  }
  return removed;
}

const newMark = () => Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);

async function splitText(text: string): Promise<string> {
  const different = new Set<string>();
  let words = " ";
  let sliceEnd = 0;
  for (const { word, end } of wordsOf(text)) {
    if (end > sliceEnd) {
      await nextTurn();
      sliceEnd = end + sliceLength;
    }
    different.add(word);
    if (words.length > longestText || different.size > maxDifferentWords) break;
    words += `${word} `;
  }
  return words;
}
