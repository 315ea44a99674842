import type { Database, Queries } from "../database/database.ts";
import { list, sql, type Sql } from "../database/sql.ts";
import { type Field, type IndexedWord, indexedWords, type Wanted } from "./candidates.ts";
import { nextTurn } from "../event-loop.ts";

/** Ids per query. A word with fewer documents is rare. */
const pageSize = 1000;
/** Lengths of the prefixes in the index. A prefix of another length is looked up by a shorter one. */
const prefixLengths = [6, 4, 3, 2];
/** Documents per block, when FTS5 intersects the lists of two words, and of more. */
const largeBlock = 131_072;
const smallBlock = 16_384;

/**
 * The ids of documents that may contain all the words, newest first. FTS5 runs on the event loop and cannot be
 * interrupted, so the cost of each query is bounded: it intersects the lists of the words for one block of documents at
 * a time. Documents are indexed with the names of their blocks. Now and then, each word is looked up by itself: if it
 * is rare in the older blocks, all its documents there are candidates, and blocks without it are skipped.
 */
export async function* sqliteCandidates(db: Database, wanted: Wanted, field: Field): AsyncGenerator<number[]> {
  const { query, kind } = wanted;
  const words = indexedWords(query.terms).map(printWord);
  const last = await db.get<{ id: number | null }>(sql`SELECT max(id) AS id FROM documents`);
  let before = (last?.id ?? 0) + 1;
  const [letter, size] = blocksFor(words.length + (kind ? 1 : 0));
  const newest = Math.floor((before - 1) / size);

  async function ask(some: string[], places: string[]): Promise<number[]> {
    await nextTurn();
    const rows = await db.all<{ id: number }>(sql`
      SELECT rowid AS id FROM documents_index
      WHERE documents_index MATCH ${printMatch(some, places, field, wanted)} AND rowid < ${before}
      ORDER BY rowid DESC LIMIT ${pageSize}`);
    return rows.map(({ id }) => id);
  }

  let [nextLook, step] = [newest - 1, 1];
  for (let block = newest; block >= 0; block--) {
    if (block <= nextLook) {
      let highest = block;
      for (const word of words) {
        const ids = await ask([word], []);
        if (ids.length < pageSize) return yield ids;
        highest = Math.min(highest, Math.floor((ids[0] as number) / size));
      }
      step = highest < block ? 1 : step * 2;
      block = highest;
      before = Math.min(before, (block + 1) * size);
      nextLook = block - step;
    }
    const places = [...(newest > 0 ? [`block : "${letter}${block}"`] : []), ...(kind ? [`kind : "${kind}"`] : [])];
    while (before > block * size) {
      const ids = await ask(words, places);
      yield ids;
      before = ids.length < pageSize ? block * size : (ids.at(-1) as number);
    }
  }
}

/**
 * First letter of the names of the blocks, and their size. A single list needs no blocks, because each of its entries
 * is a candidate.
 */
function blocksFor(lists: number): [string, number] {
  if (lists === 1) return ["", Number.MAX_SAFE_INTEGER];
  return lists === 2 ? ["l", largeBlock] : ["s", smallBlock];
}

function printWord({ word, isPrefix }: IndexedWord): string {
  if (!isPrefix) return `"${word}"`;
  const characters = Array.from(word);
  const length = prefixLengths.find((one) => one <= characters.length);
  return `"${characters.slice(0, length).join("")}"*`;
}

/** Conditions on the block and kind come first, so that FTS5 skips other documents in the lists of the words. */
function printMatch(words: string[], places: string[], field: Field, { viewerID, isAdmin }: Wanted): string {
  const allIn = (columns: string, more: string[] = []) =>
    [...places, ...more, ...words.map((word) => `${columns} : ${word}`)].join(" AND ");
  const everybody = allIn(field === "title" ? "title_words" : "{title_words text_words}");
  if (viewerID === null) return everybody;
  // The index has the title of a private document among its own words.
  return `(${everybody}) OR (${allIn("{title_words own_words}", isAdmin ? [] : [`owner_id : "${viewerID}"`])})`;
}

/** Limits of one slice of indexing. */
const documentsAtOnce = 200;
const bytesAtOnce = 40_000;
/** After a smaller write, there is time to merge in the same slice. */
const smallWrite = 10_000;
/** Pages of the index merged per slice, and slices after each larger write. */
const pagesAtOnce = 64;
const mergesAtOnce = 8;

/** Indexes some of the waiting documents, newest first. Returns whether there are more. */
export async function indexSomeWaiting(db: Database): Promise<boolean> {
  const waiting = await db.all<{ id: number; bytes: number }>(sql`
    SELECT id, octet_length(title_words) + octet_length(text_words) + coalesce(octet_length(own_words), 0) AS bytes
    FROM documents_waiting JOIN documents USING (id) ORDER BY id DESC LIMIT ${documentsAtOnce}`);
  if (waiting.length === 0) return false;
  let bytes = 0;
  const some = waiting.filter((row, index) => (bytes += row.bytes) <= bytesAtOnce || index === 0);
  const isSmall = bytes <= smallWrite;
  await nextTurn();
  await db.transaction(async (tx) => {
    await indexDocuments(tx, list(some.map(({ id }) => id)));
    if (isSmall) await mergeSome(tx);
  });
  if (!isSmall) await mergeIndex(db);
  return some.length < waiting.length || waiting.length === documentsAtOnce;
}

async function indexDocuments(tx: Queries, ids: Sql): Promise<void> {
  await tx.run(sql`DELETE FROM documents_index WHERE rowid IN (${ids})`);
  await tx.run(sql`
    INSERT INTO documents_index (rowid, block, kind, owner_id, title_words, text_words, own_words)
    SELECT id, 's' || (id / ${smallBlock}) || ' l' || (id / ${largeBlock}), kind, owner_id,
      CASE is_private WHEN 0 THEN title_words ELSE '' END, CASE is_private WHEN 0 THEN text_words ELSE '' END,
      CASE is_private WHEN 0 THEN own_words ELSE title_words || coalesce(own_words, text_words) END
    FROM documents WHERE id IN (${ids})`);
  await tx.run(sql`DELETE FROM documents_waiting WHERE id IN (${ids})`);
}

/** Merges segments of the index in slices. If FTS5 merged them itself, a single write could take any amount of time. */
async function mergeIndex(db: Database): Promise<void> {
  for (let slice = 0; slice < mergesAtOnce; slice++) {
    await nextTurn();
    if (!(await db.transaction(mergeSome))) return;
  }
}

/** Returns whether there was anything to merge. */
async function mergeSome(tx: Queries): Promise<boolean> {
  const countChanges = async () => (await tx.get<{ count: number }>(sql`SELECT total_changes() AS count`))?.count ?? 0;
  const before = await countChanges();
  await tx.run(sql`INSERT INTO documents_index (documents_index, rank) VALUES ('merge', ${pagesAtOnce})`);
  return (await countChanges()) - before >= 2;
}
