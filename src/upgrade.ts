import type { Config } from "./config.ts";
import { openDatabase, planUpgrade } from "./engines.ts";
import { lockDataDirectory, prepareDataDirectory } from "./platform/data-directory.ts";
import { describeMigration } from "./platform/database/describe-migration.ts";

/** `vitrine migrate`: runs the migrations that the database needs, or only lists them. Returns the exit code. */
export async function upgrade(config: Config, isDryRun: boolean, say: (line: string) => void): Promise<number> {
  const pending = await planUpgrade(config);
  for (const migration of pending) say(`${migration.name}: ${describeMigration(migration)}`);
  if (pending.length === 0) say("The database is up to date.");
  else if (isDryRun)
    say('Nothing was changed. "vitrine migrate" runs these, and so does the next start of the server.');
  else await migrateDatabase(config).then(() => say("Done."));
  return 0;
}

/** Beside running servers on PostgreSQL, never beside one on SQLite. */
async function migrateDatabase(config: Config): Promise<void> {
  if (config.database.engine === "postgres") return (await openDatabase(config)).close();
  await prepareDataDirectory(config.dataDir, null);
  const lock = lockDataDirectory(config.dataDir);
  try {
    await (await openDatabase(config)).close();
  } finally {
    lock.release();
  }
}
