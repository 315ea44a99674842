import { type Command, dataOption } from "./command.ts";
import type { Config } from "./config.ts";
import { openAlone, planUpgrade, refuseMissingSite } from "./engines.ts";
import { describeMigration } from "./platform/database/describe-migration.ts";

export const migrateCommand: Command = {
  name: "migrate",
  summary: "run the migrations that this version needs, or only list them",
  details: "The start of the server runs them, too.",
  options: { "dry-run": { summary: "only list them, and change nothing" }, ...dataOption },
  run: ({ config, options }) => upgrade(config, options["dry-run"] !== undefined),
};

async function upgrade(config: Config, isDryRun: boolean): Promise<number> {
  if (!isDryRun) await refuseMissingSite(config);
  const pending = await planUpgrade(config);
  for (const migration of pending) console.log(`${migration.name}: ${describeMigration(migration)}`);
  if (pending.length === 0) console.log("The database is up to date.");
  else if (isDryRun)
    console.log('Nothing was changed. "vitrine migrate" runs these, and so does the next start of the server.');
  else {
    await (await openAlone(config)).close();
    console.log("Done.");
  }
  return 0;
}
