import type { Reader } from "./platform/database/database.ts";
import { inChunks, list, sql } from "./platform/database/sql.ts";

/**
 * Every row that holds a blob, in the trash or not. They are read by one statement: a blob that moves from one table to
 * another meanwhile is seen in one of them.
 */
const holders = sql`(
  SELECT sha256 FROM files WHERE sha256 IS NOT NULL UNION ALL
  SELECT sha256 FROM file_versions UNION ALL
  SELECT sha256 FROM upload_parts
) AS holders`;

/** Which of these blobs are still held. */
export async function findUsedBlobs(db: Reader, sha256: string[]): Promise<Set<string>> {
  const rows = await inChunks(sha256, (some) =>
    db.all<{ sha256: string }>(sql`SELECT DISTINCT sha256 FROM ${holders} WHERE sha256 IN (${list(some)})`),
  );
  return new Set(rows.map((row) => row.sha256));
}

/** All blobs that are held, each once. */
export async function listUsedBlobs(db: Reader): Promise<string[]> {
  const rows = await db.all<{ sha256: string }>(sql`SELECT DISTINCT sha256 FROM ${holders} ORDER BY sha256`);
  return rows.map((row) => row.sha256);
}
