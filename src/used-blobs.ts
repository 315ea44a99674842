import type { Reader } from "./platform/database/database.ts";
import { inChunks, list, sql } from "./platform/database/sql.ts";

/** Which of these blobs some row refers to; by one statement, so that a blob whose row moves between tables is seen. */
export async function findUsedBlobs(db: Reader, sha256: string[]): Promise<Set<string>> {
  const rows = await inChunks(sha256, (some) =>
    db.all<{ sha256: string }>(sql`SELECT DISTINCT sha256 FROM blob_references WHERE sha256 IN (${list(some)})`),
  );
  return new Set(rows.map((row) => row.sha256));
}

/** All blobs that some row refers to, each once. */
export async function listUsedBlobs(db: Reader): Promise<string[]> {
  const rows = await db.all<{ sha256: string }>(sql`SELECT DISTINCT sha256 FROM blob_references ORDER BY sha256`);
  return rows.map((row) => row.sha256);
}
