import { join } from "node:path";
import { countSince } from "../core/activity/store.ts";
import { refuseMissingSite } from "../engines.ts";
import { lockDataDirectory, removePrivateFile } from "../platform/data-directory.ts";
import { databaseFile, prepareDirectories, type SiteDirectories } from "../platform/database-directory.ts";
import { DatabaseError, type Reader } from "../platform/database/database.ts";
import { hasUnknownMigrations, planMigrations, readMigratedBy } from "../platform/database/migrate.ts";
import { sql } from "../platform/database/sql.ts";
import { leaveLog, peekSqlite } from "../platform/database/sqlite.ts";
import {
  exchangeDatabase,
  listSnapshots,
  removeSurplusSnapshots,
  type Snapshot,
} from "../platform/database/upgrade-snapshots.ts";
import { version } from "../platform/version.ts";
import { type Command, dataOption, UsageError } from "./command.ts";
import { confirm } from "./confirm.ts";

export const rollbackCommand: Command = {
  name: "rollback",
  summary: "return to the database as it was before an upgrade; stop the server first",
  details: "Says what would be lost, and asks for confirmation. The newer database is kept.",
  options: {
    to: { value: "NAME", summary: "this snapshot, instead of the newest one that this version can read" },
    list: { summary: "only list the snapshots" },
    yes: { summary: "do not ask for confirmation" },
    ...dataOption,
  },
  async run({ config, options: { to, list, yes } }) {
    if (config.database.engine === "postgres") throw new DatabaseError(onPostgres);
    await refuseMissingSite(config);
    const { databaseDir } = config;
    if (list !== undefined) return print(databaseDir);
    await prepareDirectories(config, null);
    const lock = lockDataDirectory(databaseDir);
    try {
      return await rollBack(config, await choose(databaseDir, to), yes !== undefined);
    } finally {
      lock.release();
    }
  },
};

const onPostgres =
  "There are no snapshots on PostgreSQL: the previous minor version runs on the upgraded database, so start that one. To go back further, restore a backup that was made before.";

function print(databaseDir: string): number {
  const snapshots = listSnapshots(databaseDir);
  for (const { name, bytes } of snapshots) console.log(`${name}  ${bytes} bytes`);
  if (snapshots.length === 0) console.log("There are no snapshots.");
  return 0;
}

async function choose(databaseDir: string, name: string | undefined): Promise<Snapshot> {
  const snapshots = listSnapshots(databaseDir);
  if (name !== undefined) {
    const named = snapshots.find((one) => one.name === name);
    if (named) return named;
    throw new UsageError(`There is no snapshot ${name}: "vitrine rollback --list" lists them.`);
  }
  for (const one of snapshots.toReversed()) if (one.reason === "upgrade" && (await isReadable(one))) return one;
  throw new DatabaseError(
    `There is no snapshot before an upgrade in ${join(databaseDir, "upgrades")} that version ${version} can read.`,
  );
}

const isReadable = ({ path }: Snapshot) => peekSqlite(path, async (db) => !(await hasUnknownMigrations(db, "sqlite")));

async function rollBack(site: SiteDirectories, snapshot: Snapshot, isConfirmed: boolean): Promise<number> {
  const database = databaseFile(site);
  for (const line of await describeLoss(database, snapshot)) console.log(line);
  if (!isConfirmed && !(await confirm("rollback", "Return to it? [y/N] "))) {
    console.log("Nothing was changed.");
    return 1;
  }
  const needsOther = await peekSqlite(snapshot.path, async (db) => (await planMigrations(db, "sqlite")).length > 0);
  const newer = await peekSqlite(database, readMigratedBy);
  leaveLog(database);
  // The next program that opens the directory writes its own format.
  removePrivateFile(site.dataDir, "format");
  const aside = await exchangeDatabase(database, snapshot, newer);
  removeSurplusSnapshots(site.databaseDir);
  console.log(`Done. The newer database is ${aside}.`);
  if (needsOther)
    console.log(
      `Now start version ${snapshot.version} of the program: this one (${version}) would upgrade the database again.`,
    );
  return 0;
}

/** What was done since the snapshot, by the list of activity, which has a row for each change of a record. */
async function describeLoss(database: string, { path, takenAt, version: old, reason }: Snapshot): Promise<string[]> {
  const last = await peekSqlite(path, (db) =>
    db.get<{ seq: number }>(sql`SELECT seq FROM sqlite_sequence WHERE name = 'activity'`),
  );
  const changes = await peekSqlite(database, async (db) =>
    (await hasActivity(db)) ? countSince(db, last?.seq ?? 0) : null,
  );
  const lines = changes?.map(({ kind, action, count }) => `  ${kind} ${action}: ${count}`) ?? [];
  const loss =
    lines.length > 0 ? ["What was done since then would be undone:", ...lines] : ["Nothing was done since then."];
  return [
    `The snapshot of ${takenAt.toISOString()}, before ${reason === "upgrade" ? "an upgrade" : "a rollback"}, belongs to version ${old}.`,
    ...(changes ? loss : ["It is not known what was done since then: the version that is in use keeps no list of it."]),
  ];
}

/** Versions that are old enough have none. */
const hasActivity = async (db: Reader) =>
  (await db.get(sql`SELECT 1 AS one FROM sqlite_schema WHERE name = 'activity'`)) !== null;
