import type { Reader } from "../../platform/database/database.ts";
import { list, raw, sql } from "../../platform/database/sql.ts";
import { blobColumnsOf, type Schema } from "../../platform/database/tables.ts";
import { nextTurn } from "../../platform/event-loop.ts";

const namesAtOnce = 200;

/**
 * Which of these blobs some row refers to. Each is looked up by one statement, so that a blob whose row moves between tables
 * is seen. Other work can run between two statements.
 */
export async function findUsedBlobs(db: Reader, sha256: string[]): Promise<Set<string>> {
  const used = new Set<string>();
  for (let start = 0; start < sha256.length; start += namesAtOnce) {
    if (start > 0) await nextTurn();
    const some = list(sha256.slice(start, start + namesAtOnce));
    const rows = await db.all<{ sha256: string }>(
      sql`SELECT DISTINCT sha256 FROM blob_references WHERE sha256 IN (${some})`,
    );
    for (const row of rows) used.add(row.sha256);
  }
  return used;
}

/** All blobs that some row refers to, each once, in 256 slices: however many there are, none of the statements takes long. */
export async function* listUsedBlobs(db: Reader): AsyncGenerator<string[]> {
  for (let byte = 0; byte < 256; byte++) {
    const prefix = byte.toString(16).padStart(2, "0");
    // "g" comes after all hexadecimal digits.
    const rows = await db.all<{ sha256: string }>(sql`
      SELECT DISTINCT sha256 FROM blob_references WHERE sha256 >= ${prefix} AND sha256 < ${`${prefix}g`} ORDER BY sha256`);
    yield rows.map((row) => row.sha256);
  }
}

/** What rows say about the sizes of these blobs. */
export async function findSizes(
  db: Reader,
  { tables }: Pick<Schema, "tables">,
  sha256: string[],
): Promise<Map<string, Set<number>>> {
  const sizes = new Map<string, Set<number>>();
  const columns = blobColumnsOf(tables);
  for (let start = 0; start < sha256.length; start += namesAtOnce) {
    const some = list(sha256.slice(start, start + namesAtOnce));
    for (const { table, column, size } of columns) {
      const rows = await db.all<{ sha256: string; size: number }>(sql`
        SELECT ${raw(column)} AS sha256, ${raw(size)} AS size FROM ${raw(table)} WHERE ${raw(column)} IN (${some})`);
      for (const row of rows) sizes.set(row.sha256, (sizes.get(row.sha256) ?? new Set()).add(row.size));
    }
  }
  return sizes;
}

/** What refers to a blob, for people: `file 12`, `version 3 of file 12`, `upload 7`. */
export async function describeReferences(db: Reader, sha256: string): Promise<string[]> {
  const rows = await db.all<{ label: string }>(
    sql`SELECT DISTINCT label FROM blob_references WHERE sha256 = ${sha256} ORDER BY label`,
  );
  return rows.map((row) => row.label);
}
