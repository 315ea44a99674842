import { type Command, dataOption } from "./command.ts";
import type { Config } from "./config.ts";
import { openExclusively, planUpgrade, refuseMissingSite } from "./engines.ts";
import { describeMigration } from "./platform/database/describe-migration.ts";

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
