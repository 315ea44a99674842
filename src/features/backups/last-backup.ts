import type { Database, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

/** The program does not make backups itself: what makes them says so. */
export async function recordBackup(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(sql`DELETE FROM backups`);
    await tx.run(sql`INSERT INTO backups (created_at) VALUES (${Date.now()})`);
  });
}

export async function findLastBackup(db: Reader): Promise<string | null> {
  const row = await db.get<{ created_at: number }>(
    sql`SELECT created_at FROM backups ORDER BY created_at DESC LIMIT 1`,
  );
  return row && new Date(row.created_at).toISOString();
}
