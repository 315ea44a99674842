import type { Reader } from "../database/database.ts";
import type { Engine } from "../database/migrate.ts";
import { raw, sql } from "../database/sql.ts";

/** Documents that the index should have and does not have. Those that wait to be indexed are not counted. PostgreSQL keeps it itself. */
export async function countUnindexed(db: Reader, engine: Engine): Promise<number> {
  if (engine === "postgres") return 0;
  const row = await db.get<{ count: number }>(sql`
    SELECT count(*) AS count FROM documents
    WHERE id NOT IN (SELECT id FROM documents_waiting)
      AND NOT EXISTS (SELECT 1 FROM documents_index WHERE documents_index.rowid = documents.id)`);
  return row?.count ?? 0;
}

/** Documents of records of this kind that do not exist. */
export async function countOrphans(db: Reader, kind: string, table: string): Promise<number> {
  const row = await db.get<{ count: number }>(sql`
    SELECT count(*) AS count FROM documents
    WHERE kind = ${kind} AND NOT EXISTS (SELECT 1 FROM ${raw(table)} AS records WHERE records.id = documents.record_id)`);
  return row?.count ?? 0;
}
