import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";
import { keepForSnapshots } from "./core/storage/snapshot-blobs.ts";
import { holdBlobs } from "./core/storage/holds.ts";
import type { BackedUpSite } from "./features/backups/create.ts";
import type { Blobs } from "./platform/blobs/blobs.ts";
import {
  type AddedBlobs,
  addToDisk,
  diskPlaceOf,
  openDiskBlob,
  openDiskBlobs,
  readDiskBlobs,
} from "./platform/blobs/disk.ts";
import { lockDataDirectory, generateSecret, readOrCreateSecret, writeSecret } from "./platform/data-directory.ts";
import {
  databaseFile,
  hasDatabase,
  prepareDirectories,
  refuseLostDatabase,
  refuseMissingDatabase,
} from "./platform/database-directory.ts";
import { copyRows, listCopiedTables, type Source } from "./platform/database/copy-rows.ts";
import { copySqlite } from "./platform/database/copy-sqlite.ts";
import { type Database, DatabaseError, type DatabaseEvents, type Reader } from "./platform/database/database.ts";
import { hasMigrations, type Migration, newestFormat, planMigrations } from "./platform/database/migrate.ts";
import { describeProgram, findRunning, type Heartbeat, startHeartbeat } from "./platform/database/programs.ts";
import type { Schema } from "./platform/database/tables.ts";
import { readOrCreateSetting, writeSetting } from "./platform/database/settings.ts";
import { openSqlite, peekSqlite, type SqliteOptions, type SqliteUpgrade } from "./platform/database/sqlite.ts";
import { refuseUnfinishedMove } from "./platform/database/unfinished-move.ts";
import { type Disk, type DiskState, openDisk } from "./platform/disk.ts";
import type { Log } from "./platform/log.ts";
import { openDisks } from "./platform/site-disks.ts";

export type Engines = {
  db: Database;
  blobs: Blobs;
  /** The disk of the data directory, and that of the database. */
  disk: DiskState;
  /** The key that signs tokens. */
  secret: string;
  keepSecret(secret: string): Promise<void>;
  close(): Promise<void>;
};

const secretName = "jwt-secret";

/**
 * Opens the engines for a server. Refuses a site that is being copied, and lets migrate-engine see that a server uses
 * it.
 */
export async function openForServer(
  config: Config,
  schema: Schema,
  events: DatabaseEvents,
  log?: Log,
): Promise<Engines> {
  const engines = await openEngines(config, schema, events, log);
  const { db } = engines;
  let heartbeat: Heartbeat | null = null;
  const close = async () => {
    await heartbeat?.stop();
    await engines.close();
  };
  try {
    await refuseUnfinishedMove(db);
    heartbeat = await startHeartbeat(db, "server");
    const mover = await findRunning(db, ({ kind }) => kind === "migrate-engine");
    if (!mover) return { ...engines, close };
    throw new DatabaseError(
      `This site is being copied by ${describeProgram(mover)}; start the server after that has finished.`,
    );
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens the configured engines. A data directory can be used by only one process at a time. */
export async function openEngines(
  config: Config,
  schema: Schema,
  events?: DatabaseEvents,
  log?: Log,
): Promise<Engines> {
  const { databaseDir, database, blobStore } = config;
  const isShared = database.engine === "postgres" && blobStore.kind === "s3";
  await prepareDirectories(config, isShared ? null : newestFormat);
  const lock = isShared ? null : lockDataDirectory(databaseDir);
  const disks = openDisks(config, !isShared, log);
  try {
    const db = await connectDatabase(config, {
      schema,
      disk: disks.database,
      ...(events && { events }),
      ...(log && { log }),
    });
    const blobs = await openBlobs(config, disks.files);
    const secret = config.jwtSecret ?? (await findSecret(config, db));
    const keepSecret = (other: string) => storeSecret(config, db, other);
    const close = async () => {
      await db.close();
      blobs.close();
      await disks.close();
      lock?.release();
    };
    return { db, blobs, disk: disks.state, secret, keepSecret, close };
  } catch (error) {
    await disks.close();
    lock?.release();
    throw error;
  }
}

/**
 * Opens only the database, even while a server is running. If there is no site yet, one is created. A server with further
 * modules needs their `schema`.
 */
export async function openDatabase(config: Config, schema?: Schema, upgrade?: SqliteUpgrade): Promise<Database> {
  if (config.database.engine === "sqlite") await prepareDirectories(config, newestFormat);
  const db = await connectDatabase(config, { ...(schema && { schema }), ...(upgrade && { upgrade }) });
  try {
    await refuseUnfinishedMove(db);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Runs `work` with the database of an existing site, even while a server is running. With a schema, what is derived follows. */
export async function withSite(
  config: Config,
  work: (db: Database) => Promise<void>,
  schema?: Schema,
): Promise<number> {
  await refuseMissingSite(config);
  return withDatabase(openDatabase(config, schema), work);
}

/** Closes the database afterwards. Returns the exit code of a command that has succeeded. */
export async function withDatabase(opening: Promise<Database>, work: (db: Database) => Promise<void>): Promise<number> {
  const db = await opening;
  try {
    await work(db);
    return 0;
  } finally {
    await db.close();
  }
}

/**
 * Opens the database for a change that a running server would not notice: on PostgreSQL beside running servers, on
 * SQLite only while no server runs.
 */
export async function openExclusively(config: Config, schema?: Schema, upgrade?: SqliteUpgrade): Promise<Database> {
  if (config.database.engine === "postgres") return openDatabase(config, schema, upgrade);
  await prepareDirectories(config, null);
  const lock = lockDataDirectory(config.databaseDir);
  try {
    const db = await openDatabase(config, schema, upgrade);
    const close = () => db.close().finally(lock.release);
    return { ...db, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * For commands that work on an existing site: in a wrong directory they must not create a new one. `otherwise` says how
 * to create one.
 */
export async function refuseMissingSite(config: Config, otherwise = "start the server to create one"): Promise<void> {
  if (config.database.engine === "postgres") {
    const { peekPostgres } = await loadPostgres();
    if (await peekPostgres(config.database.url, (db) => hasMigrations(db, "postgres"))) return;
    throw new DatabaseError(`There is no site in this database: choose another DATABASE_URL, or ${otherwise}.`);
  }
  refuseMissingDatabase(config, otherwise);
}

/** An existing site, to be backed up even while servers use it. Refuses one that this version would have to upgrade first. */
export async function openForBackup(
  config: Config,
  schema: Schema,
): Promise<BackedUpSite & { db: Database; close(): Promise<void> }> {
  await refuseOlderSite(config, schema, "back it up");
  const { dataDir, database, blobStore } = config;
  // A machine that only makes backups may have no such directory yet.
  await prepareDirectories(config, null);
  const db = await openDatabase(config, schema);
  const disk = openDisk(dataDir, false);
  const blobs = blobStore.kind === "s3" ? await openBlobs(config, disk) : null;
  const pathOf = (sha256: string) => (blobs ? null : diskPlaceOf(dataDir, sha256));
  return {
    db,
    engine: db.engine,
    schema,
    secret: config.jwtSecret ?? (await findSecret(config, db)),
    exportDatabase: (path) =>
      database.engine === "sqlite"
        ? copySqlite(databaseFile(config), path)
        : peekDatabase(config, (reader) => exportRows({ engine: "postgres", ...reader }, path, schema)),
    holdBlobs: () => holdBlobs(db),
    openBlob: (sha256) => (blobs ? blobs.open(sha256) : openDiskBlob(dataDir, sha256)),
    pathOf,
    async close() {
      await db.close();
      blobs?.close();
      await disk.close();
    },
  };
}

async function refuseOlderSite(config: Config, { migrations }: Schema, purpose: string): Promise<void> {
  await refuseMissingSite(config);
  if ((await planSiteUpgrade(config, migrations)).length === 0) return;
  throw new DatabaseError(`The site was written by an older version: start the server to upgrade it, then ${purpose}.`);
}

/** An existing site, to which records and blobs are added even while servers use it. */
export async function openForAdding(
  config: Config,
  schema: Schema,
  purpose = "restore to it",
): Promise<{ db: Database; blobs: AddedBlobs; close(): Promise<void> }> {
  await refuseOlderSite(config, schema, purpose);
  const { dataDir, blobStore } = config;
  await prepareDirectories(config, null);
  const db = await openDatabase(config, schema);
  const disk = openDisk(dataDir, false);
  const bucket = blobStore.kind === "s3" ? await openBlobs(config, disk) : null;
  return {
    db,
    blobs: bucket ?? (await addToDisk(dataDir, disk)),
    async close() {
      await db.close();
      bucket?.close();
      await disk.close();
    },
  };
}

/** What is read of a site: its rows and its blobs. */
export type ReadSite = { db: Database; blobs: Pick<Blobs, "sizeOf" | "open">; close(): Promise<void> };

/** An existing site of this version, to be read even while servers use it. */
export async function openForReading(config: Config, schema: Schema): Promise<ReadSite> {
  const { dataDir, blobStore } = config;
  const db = await openDatabase(config, schema);
  if (blobStore.kind === "disk") return { db, blobs: readDiskBlobs(dataDir), close: db.close };
  await prepareDirectories(config, null);
  const disk = openDisk(dataDir, false);
  const blobs = await openBlobs(config, disk);
  async function close(): Promise<void> {
    await db.close();
    blobs.close();
    await disk.close();
  }
  return { db, blobs, close };
}

/** Copies all rows of a site into a new SQLite database. */
async function exportRows(source: Source, path: string, schema: Schema): Promise<void> {
  const draft = `${path}-draft`;
  const target = await openSqlite(draft, { schema });
  try {
    await copyRows(source, target, await listCopiedTables(target, schema), () => {});
    // Its log is a file of its own, and a copy has none.
    await copySqlite(draft, path);
  } finally {
    await target.close();
  }
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${draft}${suffix}`, { force: true });
}

/** The migrations that the database needs. Changes nothing. */
export async function planUpgrade(config: Config): Promise<Migration[]> {
  const { engine } = config.database;
  const isMissing = engine === "sqlite" && !hasDatabase(config);
  return isMissing ? planMigrations(null, engine) : peekDatabase(config, (db) => planMigrations(db, engine));
}

/**
 * The migrations of this program that an existing site needs; none if there is no site yet. Those of further modules, in
 * `moreFolders`, run when the site is opened. Changes nothing.
 */
export async function planSiteUpgrade(config: Config, moreFolders: URL[]): Promise<Migration[]> {
  const { engine } = config.database;
  if (engine === "sqlite" && !hasDatabase(config)) return [];
  const pending = await peekDatabase(config, async (db) =>
    (await hasMigrations(db, engine)) ? planMigrations(db, engine, moreFolders) : [],
  );
  return pending.filter(({ isOfProgram }) => isOfProgram);
}

/** Reads the database of an existing site without migrating or changing it, even while a server is running. */
export async function peekDatabase<Result>(config: Config, work: (db: Reader) => Promise<Result>): Promise<Result> {
  if (config.database.engine === "sqlite") return peekSqlite(databaseFile(config), work);
  const { peekPostgres } = await loadPostgres();
  return peekPostgres(config.database.url, work);
}

async function connectDatabase(config: Config, given: SqliteOptions = {}): Promise<Database> {
  if (config.database.engine === "sqlite") {
    refuseLostDatabase(config);
    return openSqlite(databaseFile(config), given);
  }
  const { disk: _disk, log: _log, ...more } = given;
  const { url, ...options } = config.database;
  const { openPostgres } = await loadPostgres();
  return openPostgres(url, { ...options, ...more });
}

async function openBlobs(config: Config, disk: Disk): Promise<Blobs> {
  const blobs = await openBlobStore(config, disk);
  return config.database.engine === "sqlite" ? keepForSnapshots(blobs, config.databaseDir) : blobs;
}

async function openBlobStore({ dataDir, blobStore }: Config, disk: Disk): Promise<Blobs> {
  if (blobStore.kind === "disk") return openDiskBlobs(dataDir, disk);
  const { openS3 } = await import("./platform/blobs/s3.ts");
  return openS3(blobStore, join(dataDir, "spool"), { disk });
}

/** Loaded only where it is used, as is S3: a server with the embedded engines starts sooner without them. */
const loadPostgres = () => import("./platform/database/postgres.ts");

/** If several copies of the program may run, they share the secret in the database. */
function findSecret({ dataDir, database }: Config, db: Database): Promise<string> {
  return database.engine === "postgres"
    ? readOrCreateSetting(db, secretName, generateSecret)
    : readOrCreateSecret(dataDir);
}

function storeSecret({ dataDir, database }: Config, db: Database, secret: string): Promise<void> {
  return database.engine === "postgres" ? writeSetting(db, secretName, secret) : writeSecret(dataDir, secret);
}
