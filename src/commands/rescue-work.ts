import { existsSync, linkSync, readdirSync, rmSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { describeReferences, listUsedBlobs } from "../core/storage/used-blobs.ts";
import { type Engines, openEngines } from "../engines.ts";
import { indexMissing } from "../features/search/index-missing.ts";
import { catchUp } from "../features/search/index-records.ts";
import { kindsOf, type Module } from "../module.ts";
import { storeWhole } from "../platform/blobs/blobs.ts";
import { diskPlaceOf, openDiskBlob } from "../platform/blobs/disk.ts";
import { DataDirectoryError, isOfSystem, readOrCreateSecret } from "../platform/data-directory.ts";
import { databaseFile, embeddedIn, refuseUnclearPlace, type SiteDirectories } from "../platform/database-directory.ts";
import { copyRows, listCopiedTables } from "../platform/database/copy-rows.ts";
import { DatabaseError } from "../platform/database/database.ts";
import { derivedTable, salvageDatabase } from "../platform/database/salvage.ts";
import { mendReferences } from "../platform/database/salvage-references.ts";
import { readOrCreateSetting } from "../platform/database/settings.ts";
import { sql } from "../platform/database/sql.ts";
import { openSqlite } from "../platform/database/sqlite.ts";
import type { Schema } from "../platform/database/tables.ts";
import { makeDirectory, syncDirectory } from "../platform/durable.ts";
import { hashOf } from "../platform/hash.ts";
import { tryLock } from "../platform/lock.ts";
import type { Call } from "./command.ts";
import { describeLosses } from "./rescue-report.ts";

/** Returns the exit code: 0 if nothing is missing. */
export async function rescue({ config, schema, words, options }: Call, modules: readonly Module[]): Promise<number> {
  const [to = ""] = words;
  if (config.database.engine === "postgres") {
    throw new DatabaseError(
      "The database is in PostgreSQL: rescue it with the tools of PostgreSQL (a backup, or pg_dump of what can be read).",
    );
  }
  const from = config.dataDir;
  refuseMissing(config);
  using _lock = refuseRunning(config.databaseDir);
  const directory = await prepareEmpty(to);
  const databaseDir = await prepareEmpty(options["to-database-dir"] ?? to);
  const secret = existsSync(join(from, "jwt-secret")) ? await readOrCreateSecret(from) : null;

  const draft = join(databaseDir, ".rescue.db");
  const salvaged = await salvageDatabase(databaseFile(config), draft, schema);
  const mended = await mendReferences(draft, schema, salvaged);
  const engines = await openEngines({ ...config, ...embeddedIn(directory), databaseDir }, schema);
  try {
    if (secret) await engines.keepSecret(secret);
    await copyDraft(draft, engines, schema);
    for (const { rebuild } of schema.maintained) await rebuild(engines.db);
    await indexMissing(engines.db, kindsOf(modules));
    await catchUp(engines.db, kindsOf(modules), Infinity);
    for (const line of await describeLosses(engines.db, schema, salvaged, mended)) console.log(line);
    let faults = config.blobStore.kind === "disk" ? await copyBlobs(from, directory, engines) : 0;
    if (!secret) console.log("The secret that signs tokens is missing: everyone has to sign in again.");
    faults += salvaged.reduce(
      (sum, { lost, doubtful, mended }) => sum + lost.size + doubtful.length + mended.length,
      secret ? 0 : 1,
    );
    const rows = salvaged.reduce((sum, { saved }) => sum + saved, 0);
    console.log(
      `${rows} rows were read. The new site is in ${directory}. ${faults === 0 ? "Nothing is missing." : ""}`.trim(),
    );
    return faults === 0 ? 0 : 1;
  } finally {
    await engines.close();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${draft}${suffix}`, { force: true });
  }
}

function refuseMissing(site: SiteDirectories): void {
  refuseUnclearPlace(site);
  if (statSync(databaseFile(site), { throwIfNoEntry: false })?.isFile()) return;
  throw new DataDirectoryError(
    `There is no database in ${site.databaseDir}: choose the directory of the site with --data or DATA_DIR.`,
  );
}

/** Pages that a server writes meanwhile would not belong together. */
function refuseRunning(from: string): Disposable {
  const path = join(from, "lock");
  const lock = existsSync(path) ? tryLock(path) : { release() {} };
  if (!lock) throw new DataDirectoryError(`${from} is in use by a server: stop it first.`);
  return { [Symbol.dispose]: lock.release };
}

async function prepareEmpty(to: string): Promise<string> {
  const directory = resolve(to);
  // Applies to all files that this process creates, including those of SQLite.
  process.umask(0o077);
  await makeDirectory(directory);
  if (readdirSync(directory).every(isOfSystem)) return directory;
  throw new DataDirectoryError(`${directory} is not empty: choose an empty directory.`);
}

async function copyDraft(draft: string, { db }: Engines, schema: Schema): Promise<void> {
  // Upgrades a database of an earlier version.
  const source = await openSqlite(draft, { schema });
  try {
    const tables = await listCopiedTables(db, schema);
    const copied = tables.filter(({ name }) => name !== derivedTable);
    await copyRows(source, db, copied, () => {});
    const settings = await source.all<{ name: string; value: string }>(sql`SELECT name, value FROM settings`);
    // Those that describe the new database itself stay.
    for (const { name, value } of settings) await readOrCreateSetting(db, name, () => value);
  } finally {
    await source.close();
  }
}

/** Returns how many are missing or damaged. Those that are not are linked where that is possible. */
async function copyBlobs(from: string, to: string, { db, blobs }: Engines): Promise<number> {
  let [saved, faults, unused] = [0, 0, 0];
  for await (const names of listUsedBlobs(db)) {
    for (const sha256 of names) {
      const fault = await copyBlob(from, to, blobs, sha256);
      if (fault) console.log(`${fault}: ${sha256} (${(await describeReferences(db, sha256)).join(", ")})`);
      if (fault) faults++;
      else saved++;
    }
  }
  for (let byte = 0; byte < 256; byte++) {
    const shelf = byte.toString(16).padStart(2, "0");
    await syncDirectory(join(to, "blobs", shelf));
    const place = join(from, "blobs", shelf);
    const stored = existsSync(place) ? readdirSync(place) : [];
    unused += stored.filter((name) => !existsSync(diskPlaceOf(to, name))).length;
  }
  console.log(`${saved} files were copied, ${faults} are missing or damaged.`);
  if (unused > faults) console.log(`Further files in ${join(from, "blobs")} belong to no row that was saved.`);
  return faults;
}

async function copyBlob(from: string, to: string, blobs: Engines["blobs"], sha256: string) {
  const [source, target] = [diskPlaceOf(from, sha256), diskPlaceOf(to, sha256)];
  const bytes = await openDiskBlob(from, sha256);
  if (!bytes) return "missing";
  try {
    if ((await hashOf(bytes.stream())) !== sha256) return "damaged";
    linkSync(source, target);
    return null;
  } catch (error) {
    // A disk that cannot read it, or another disk, a file system without links, or too many of them.
    if ((error as NodeJS.ErrnoException).code === "EIO") return "damaged";
    await mkdir(dirname(target), { recursive: true });
    return (await storeWhole(blobs, sha256, bytes.stream())) ? null : "damaged";
  }
}
