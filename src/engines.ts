import { join } from "node:path";
import type { Config } from "./config.ts";
import type { Blobs } from "./platform/blobs/blobs.ts";
import { openDisk } from "./platform/blobs/disk.ts";
import { openS3 } from "./platform/blobs/s3.ts";
import {
  DataDirectoryError,
  hasFile,
  lockDataDirectory,
  makeSecret,
  prepareDataDirectory,
  readOrMakeSecret,
  writeSecret,
} from "./platform/data-directory.ts";
import { type Database, DatabaseError, type DatabaseEvents } from "./platform/database/database.ts";
import { hasMigrations, type Migration, newestFormat, planMigrations } from "./platform/database/migrate.ts";
import { openPostgres, peekPostgres } from "./platform/database/postgres.ts";
import { describeProgram, findRunning, type Heartbeat, startHeartbeat } from "./platform/database/programs.ts";
import type { Schema } from "./platform/database/tables.ts";
import { readOrMakeSetting, writeSetting } from "./platform/database/settings.ts";
import { openSqlite, peekSqlite } from "./platform/database/sqlite.ts";
import { refuseUnfinishedMove } from "./platform/database/unfinished-move.ts";

export type Engines = {
  db: Database;
  blobs: Blobs;
  /** What tokens are signed with. */
  secret: string;
  keepSecret(secret: string): Promise<void>;
  close(): Promise<void>;
};

const secretName = "jwt-secret";

/** The engines for a server: not those of a site that is being copied, and migrate-engine sees that they are in use. */
export async function openForServer(config: Config, schema: Schema, events: DatabaseEvents): Promise<Engines> {
  const engines = await openEngines(config, schema, events);
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
      `This site is being copied by ${describeProgram(mover)}: start the server when that has ended.`,
    );
  } catch (error) {
    await close();
    throw error;
  }
}

/** What a site stands on, as it is configured. What lies in the data directory is for one process at a time. */
export async function openEngines(config: Config, schema: Schema, events?: DatabaseEvents): Promise<Engines> {
  const { dataDir, database, storage } = config;
  const isShared = database.engine === "postgres" && storage.kind === "s3";
  await prepareDataDirectory(dataDir, isShared ? null : newestFormat);
  const lock = isShared ? null : lockDataDirectory(dataDir);
  try {
    const db = await connectDatabase(config, { schema, ...(events && { events }) });
    const blobs = await openBlobs(config);
    const secret = config.jwtSecret ?? (await findSecret(config, db));
    const keepSecret = (other: string) => storeSecret(config, db, other);
    const close = async () => {
      await db.close();
      blobs.close();
      lock?.release();
    };
    return { db, blobs, secret, keepSecret, close };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** The database alone, also beside a running server. Where there is no site yet, it is made. */
export async function openDatabase(config: Config): Promise<Database> {
  if (config.database.engine === "sqlite") await prepareDataDirectory(config.dataDir, newestFormat);
  const db = await connectDatabase(config);
  try {
    await refuseUnfinishedMove(db);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** The database for a change that a running server would not notice: beside servers on PostgreSQL, not on SQLite. */
export async function openAlone(config: Config): Promise<Database> {
  if (config.database.engine === "postgres") return openDatabase(config);
  await prepareDataDirectory(config.dataDir, null);
  const lock = lockDataDirectory(config.dataDir);
  try {
    const db = await openDatabase(config);
    const close = () => db.close().finally(lock.release);
    return { ...db, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * For a command that works with what is there: in a wrong directory it must not make a new site. `otherwise` says how one is
 * made on purpose.
 */
export async function refuseMissingSite(
  { dataDir, database }: Config,
  otherwise = "start the server to make one",
): Promise<void> {
  if (database.engine === "postgres") {
    if (await peekPostgres(database.url, (db) => hasMigrations(db, "postgres"))) return;
    throw new DatabaseError(`There is no site in this database: choose another DATABASE_URL, or ${otherwise}.`);
  }
  if (hasFile(dataDir, "vitrine.db")) return;
  throw new DataDirectoryError(
    `There is no site in ${dataDir}: choose another directory with --data or DATA_DIR, or ${otherwise}.`,
  );
}

/** The migrations that the database needs, without a change to anything. */
export function planUpgrade({ dataDir, database }: Config): Promise<Migration[]> {
  return database.engine === "postgres"
    ? peekPostgres(database.url, (db) => planMigrations(db, "postgres"))
    : peekSqlite(join(dataDir, "vitrine.db"), (db) => planMigrations(db, "sqlite"));
}

function connectDatabase(
  { dataDir, database }: Config,
  more: { events?: DatabaseEvents; schema?: Schema } = {},
): Promise<Database> {
  if (database.engine === "sqlite") return openSqlite(join(dataDir, "vitrine.db"), more);
  const { url, ...options } = database;
  return openPostgres(url, { ...options, ...more });
}

async function openBlobs({ dataDir, storage }: Config): Promise<Blobs> {
  return storage.kind === "s3" ? openS3(storage, join(dataDir, "spool")) : openDisk(dataDir);
}

/** Where there may be many copies, they share the secret in the database. */
function findSecret({ dataDir, database }: Config, db: Database): Promise<string> {
  return database.engine === "postgres" ? readOrMakeSetting(db, secretName, makeSecret) : readOrMakeSecret(dataDir);
}

function storeSecret({ dataDir, database }: Config, db: Database, secret: string): Promise<void> {
  return database.engine === "postgres" ? writeSetting(db, secretName, secret) : writeSecret(dataDir, secret);
}
