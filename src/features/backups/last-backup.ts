import type { Database, Reader } from "../../platform/database/database.ts";
import { readSetting, writeSetting } from "../../platform/database/settings.ts";
import { sql } from "../../platform/database/sql.ts";

const placeName = "last-backup-place";

/** What makes a backup says so. `place` is null if it was made by another program. */
export async function recordBackup(db: Database, place: string | null = null): Promise<void> {
  if (place !== null) await writeSetting(db, placeName, place);
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

/** Where the last backup of this program was stored. */
export const findLastPlace = (db: Reader): Promise<string | null> => readSetting(db, placeName);
