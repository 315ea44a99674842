import { type Command, dataOption } from "./command.ts";
import type { Config } from "../config.ts";
import { openExclusively, peekDatabase, planSiteUpgrade, planUpgrade, refuseMissingSite } from "../engines.ts";
import { DatabaseError } from "../platform/database/database.ts";
import { hasMigrations, type Migration } from "../platform/database/migrate.ts";
import { listPrograms } from "../platform/database/programs.ts";
import { runOwnCommand } from "../platform/own-command.ts";

export const migrateCommand: Command = {
  name: "migrate",
  summary: "run the migrations that this version needs, or only list them",
  details: "The server also runs them when it starts. With SQLite, stop the server first, except with --dry-run.",
  options: {
    "dry-run": { summary: "list them without changing anything" },
    "no-snapshot": { summary: "without the snapshot that rollback needs" },
    ...dataOption,
  },
  async run({ config, options }) {
    const isDryRun = options["dry-run"] !== undefined;
    if (!isDryRun) await refuseMissingSite(config);
    const pending = await planUpgrade(config);
    if (pending.length === 0) console.log("The database is up to date.");
    else if (isDryRun) await listMigrations(config, pending);
    else await upgrade(config, options["no-snapshot"] !== undefined);
    return 0;
  },
};

async function listMigrations(config: Config, pending: Migration[]): Promise<void> {
  for (const migration of pending) console.log(describe(migration));
  const running = await describeServers(config);
  if (running) console.log(running);
  console.log('Nothing was changed. These migrations run with "vitrine migrate" or when the server is started next.');
}

/** The servers that use the database now. If one of them were too old to stay, the migrations would have been refused. */
async function describeServers(config: Config): Promise<string | null> {
  if (config.database.engine !== "postgres") return null;
  const programs = await peekDatabase(config, async (db) =>
    (await hasMigrations(db, "postgres")) ? listPrograms(db) : [],
  );
  const servers = programs.filter(({ kind }) => kind === "server");
  if (servers.length === 0) return null;
  const versions = [...new Set(servers.map(({ version }) => version))].join(" and ");
  const who = servers.length === 1 ? "One server" : `${servers.length} servers`;
  return `${who} of version ${versions} can keep running meanwhile and be replaced one at a time.`;
}

/** Each step is printed when it begins. PostgreSQL may begin again, because it had to wait for a table. */
async function upgrade(config: Config, hasNoSnapshot: boolean): Promise<void> {
  const printed = new Set<string>();
  const next = (migration: Migration) => {
    if (!printed.has(migration.name)) console.log(describe(migration));
    printed.add(migration.name);
  };
  const copied = (path: string) => console.log(`snapshot: ${path}`);
  if (config.database.engine === "postgres") console.log(withoutSnapshot);
  const db = await openExclusively(config, undefined, { next, copied, hasNoSnapshot });
  await db.close();
  console.log(done);
}

const describe = ({ name, summary }: Migration) => `${name}: ${summary}`;
const done = "Done.";
const withoutSnapshot =
  "no snapshot, because this is PostgreSQL: the previous minor version still runs on the upgraded database";

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
  const started = performance.now();
  const { code, stderr } = await runOwnCommand(["migrate", "--data", config.dataDir], {
    printed: (line) => line !== done && say(`  ${line}`),
  });
  if (code !== 0) {
    const reason = stderr.trim().replace(/^vitrine: /, "");
    throw new DatabaseError(
      reason || `The upgrade of the database ended with ${code}. Start it again: it continues where it stopped.`,
    );
  }
  say(`The upgrade took ${((performance.now() - started) / 1000).toFixed(1)} s.`);
  setUpgrading(false);
}
