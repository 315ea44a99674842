import type { Database, Reader } from "../../platform/database/database.ts";
import { raw, sql } from "../../platform/database/sql.ts";
import { addDocument } from "../../platform/search/documents.ts";
import { nextTurn } from "../../platform/event-loop.ts";
import type { RecordKind } from "../../core/records/record-kind.ts";
import { readWords } from "./index-records.ts";

const idsAtOnce = 1000;

/**
 * Indexes records without a document: those of an earlier version, and those that were in the trash when they should have
 * been read. This can take minutes; `signal` ends it early, and the next run continues.
 */
export async function indexMissing(db: Database, kinds: RecordKind[], signal?: AbortSignal): Promise<void> {
  for (const kind of kinds) {
    for await (const ids of walkMissing(db, kind)) {
      if (signal?.aborted) return;
      await addMissing(db, kind, ids);
    }
  }
}

/** The ids of records that have no document and are not in the trash themselves, as many as are indexed in one step. */
export async function* walkMissing(db: Reader, kind: RecordKind): AsyncGenerator<number[]> {
  const { table, indexedAtOnce } = kind;
  const last = await db.get<{ id: number | null }>(sql`SELECT max(id) AS id FROM ${raw(table)}`);
  for (let start = 0; start < (last?.id ?? 0); start += idsAtOnce) {
    await nextTurn();
    const ids = await findMissing(db, kind, start);
    for (let done = 0; done < ids.length; done += indexedAtOnce) yield ids.slice(done, done + indexedAtOnce);
  }
}

async function findMissing(db: Reader, { name, table }: RecordKind, start: number): Promise<number[]> {
  const rows = await db.all<{ id: number }>(sql`
    SELECT id FROM ${raw(table)} AS records
    WHERE id > ${start} AND id <= ${start + idsAtOnce} AND trash_id IS NULL
      AND NOT EXISTS (SELECT 1 FROM documents WHERE kind = ${name} AND record_id = records.id)
    ORDER BY id`);
  return rows.map((row) => row.id);
}

async function addMissing(db: Database, kind: RecordKind, ids: number[]): Promise<void> {
  const words = await readWords(db, kind, ids);
  // Nothing is written for records below a directory in the trash.
  if (words.size === 0) return;
  await db.transaction(async (tx) => {
    for (const [id, found] of words) await addDocument(tx, kind.name, id, found);
  });
}
