import { type Command, dataOption } from "./command.ts";
import type { Config } from "../config.ts";
import { openExclusively, planSiteUpgrade, planUpgrade, refuseMissingSite } from "../engines.ts";
import { DatabaseError } from "../platform/database/database.ts";
import { describeMigration } from "../platform/database/describe-migration.ts";
import { runOwnCommand } from "../platform/own-command.ts";

export const migrateCommand: Command = {
  name: "migrate",
  summary: "run the migrations that this version needs, or only list them",
  details: "The server also runs them when it starts.",
  options: { "dry-run": { summary: "list them without changing anything" }, ...dataOption },
  run: ({ config, options }) => upgrade(config, options["dry-run"] !== undefined),
};

async function upgrade(config: Config, isDryRun: boolean): Promise<number> {
  if (!isDryRun) await refuseMissingSite(config);
  const pending = await planUpgrade(config);
  for (const migration of pending) console.log(`${migration.name}: ${describeMigration(migration)}`);
  if (pending.length === 0) console.log("The database is up to date.");
  else if (isDryRun)
    console.log('Nothing was changed. These migrations run with "vitrine migrate" or when the server is started next.');
  else {
    await (await openExclusively(config)).close();
    console.log("Done.");
  }
  return 0;
}

/**
 * Runs the migrations that an existing site needs before a server opens it, in another process: on SQLite they would block
 * this one. `say` gets what is done, and how long it took; `setUpgrading` is called when it begins and when it has ended.
 */
export async function upgradeSite(
  config: Config,
  moreMigrations: URL[],
  say: (line: string) => void,
  setUpgrading: (is: boolean) => void,
): Promise<void> {
  const pending = await planSiteUpgrade(config, moreMigrations);
  if (pending.length === 0) return;
  setUpgrading(true);
  say(`The database is being upgraded: ${pending.length === 1 ? "one migration" : `${pending.length} migrations`}.`);
  for (const migration of pending) say(`  ${migration.name}: ${describeMigration(migration)}`);
  const started = performance.now();
  const { code, stderr } = await runOwnCommand(["migrate", "--data", config.dataDir]);
  if (code !== 0) {
    const reason = stderr.trim().replace(/^vitrine: /, "");
    throw new DatabaseError(reason || `The upgrade of the database ended with ${code}; nothing was changed.`);
  }
  say(`The upgrade took ${((performance.now() - started) / 1000).toFixed(1)} s.`);
  setUpgrading(false);
}
