import { RedisClient, SQL } from "bun";
import { Database as Sqlite } from "bun:sqlite";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { openPostgres } from "../../src/platform/database/postgres.ts";
import { openSqlite, type SqliteOptions } from "../../src/platform/database/sqlite.ts";
import { slowCommits } from "../../src/platform/database/writer.ts";
import { createLog } from "../../src/platform/log.ts";
import { needs, serverNames } from "./optional.ts";

/** The engines that the tests run on: embedded, or, with TEST_ENGINE=scaled, PostgreSQL, S3 and Redis. */
export const isScaled = process.env.TEST_ENGINE === "scaled";

const scaled = needs(serverNames, isScaled);
export const { test: testScaled, describe: describeScaled } = scaled;

/** For what needs a program besides these engines. With CI=true it runs anyway, and so fails without the program. */
export const scaledWith = (program: string, isThere: boolean) =>
  isScaled ? needs(program, isThere || process.env.CI === "true") : scaled;

const made = new Map<string, Promise<Record<string, string>>>();

/** The environment of a server on this data directory: the same engines on every call. `makeNew` makes a new database. */
export function engineEnv(dataDir: string, makeNew = makeDatabase): Promise<Record<string, string>> {
  if (!isScaled) return Promise.resolve({});
  let env = made.get(dataDir);
  if (!env) made.set(dataDir, (env = makeEngines(makeNew)));
  return env;
}

async function makeEngines(makeNew: () => Promise<string>): Promise<Record<string, string>> {
  const env: Record<string, string> = { DATABASE_URL: await makeNew() };
  const storage = process.env.TEST_S3_URL;
  if (storage) {
    const { AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "" } = process.env;
    Object.assign(env, { STORAGE_URL: storage, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY });
  }
  const redis = process.env.TEST_REDIS_URL;
  if (redis) env.REDIS_URL = await emptyRedis(redis);
  return env;
}

/** The next of the server's databases, emptied. The first one counts them, for all processes that run tests. */
async function emptyRedis(server: string): Promise<string> {
  const first = new RedisClient(server);
  const databases = (await first.send("CONFIG", ["GET", "databases"])) as Record<string, string> | string[];
  const count = Number(Array.isArray(databases) ? databases[1] : databases.databases);
  const url = `${server}/${1 + ((await first.incr("tests")) % (count - 1))}`;
  first.close();
  const redis = new RedisClient(url);
  await redis.send("FLUSHDB", []);
  redis.close();
  return url;
}

/** Creates an empty database on the PostgreSQL server of the tests; returns its URL. */
export const makeDatabase = (): Promise<string> => withServer((server) => createDatabase(server));

/** A new database that has its tables already: a copy is made faster than the tables. */
export const makeMigratedDatabase = (): Promise<string> =>
  withServer(async (server) => {
    await server`SELECT pg_advisory_lock(${templateLock})`;
    const [existing] = await server`SELECT 1 FROM pg_database WHERE datname = ${template}`;
    if (!existing) {
      const draft = await createDatabase(server);
      await (await openPostgres(draft, { schema: schemaOf(modules) })).close();
      await server.unsafe(`ALTER DATABASE ${new URL(draft).pathname.slice(1)} RENAME TO ${template}`);
    }
    await server`SELECT pg_advisory_unlock(${templateLock})`;
    return createDatabase(server, template);
  });

const templateLock = 20_261_116;
/** One for each run of the tests, because the next one may have other tables. */
const template = `vitrine_template_${process.ppid}`;

async function createDatabase(server: SQL, from = "template1"): Promise<string> {
  const name = `vitrine_${crypto.randomUUID().replaceAll("-", "")}`;
  await server.unsafe(`CREATE DATABASE ${name} TEMPLATE ${from}`);
  return Object.assign(new URL(serverURL()), { pathname: `/${name}` }).href;
}

async function withServer<Result>(work: (server: SQL) => Promise<Result>): Promise<Result> {
  const server = new SQL(serverURL(), { max: 1 });
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

function serverURL(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error("TEST_ENGINE=scaled requires TEST_DATABASE_URL.");
  return url;
}

/** A SQLite database to which a thread writes, as on a disk on which commits are slow. */
export async function openSqliteWithThread(path: string, options: SqliteOptions = {}): Promise<Database> {
  const { promise: moved, resolve, reject } = Promise.withResolvers<void>();
  const log = { ...createLog("silent"), warn: () => resolve(), error: reject };
  const db = await openSqlite(path, { ...options, log, slowCommitMs: 0 });
  for (let commits = 0; commits < slowCommits; commits++) await db.transaction(async () => {});
  await moved;
  return db;
}

let servers = 0;
let migrated: Promise<Uint8Array> | null = null;

/**
 * Writes a SQLite database that has its tables already into a new data directory: a copy takes a tenth of the time. The first
 * server of each process gets none, and migrates an empty one.
 */
export async function addMigratedSqlite(dataDir: string): Promise<void> {
  if (isScaled || servers++ === 0) return;
  migrated ??= migrateSqlite();
  writeFileSync(join(dataDir, "vitrine.db"), await migrated, { mode: 0o600 });
}

async function migrateSqlite(): Promise<Uint8Array> {
  const directory = mkdtempSync(join(tmpdir(), "vitrine-migrated-"));
  const file = join(directory, "vitrine.db");
  await (await openSqlite(file, { schema: schemaOf(modules) })).close();
  // Most of it is still in the WAL file.
  using database = new Sqlite(file);
  const bytes = database.serialize();
  rmSync(directory, { recursive: true });
  return bytes;
}
