import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, readConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/engines.ts";
import { type Module, schemaOf } from "../../src/module.ts";
import type { Database } from "../../src/platform/database/database.ts";
import type { Schema } from "../../src/platform/database/tables.ts";
import { createLog } from "../../src/platform/log.ts";
import { startServer as start } from "../../src/commands/serve.ts";
import { once } from "../../src/platform/once.ts";
import { recordStatements } from "../observed/record.ts";
import { checkResponsesOf, stopChecking } from "./check-responses.ts";
import { addMigratedSqlite, engineEnv, isScaled, makeMigratedDatabase } from "./engine.ts";
import { runVitrine } from "./process.ts";
import { watchLocks } from "./sqlite-locks.ts";

recordStatements();

export type TestServer = {
  url: string;
  dataDir: string;
  /** What its modules expect of a database, if it has others than the program. */
  schema: Schema | undefined;
  /** The key of the set-up link, or null if there is an admin. */
  setupKey: () => Promise<string | null>;
  /** The whole log of the server. */
  logged: () => string;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * A complete server on a free loopback port, with a new data directory unless one is given. Rate limits are effectively
 * off. Every response that `fetch` gets from it is checked against the OpenAPI document. When it is closed, it has its locks.
 */
export async function startServer(env: Record<string, string> = {}, modules?: readonly Module[]): Promise<TestServer> {
  if (env.DATA_DIR) return startIn(env.DATA_DIR, env, modules);
  const dataDir = mkdtempSync(join(tmpdir(), "vitrine-test-"));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  try {
    if (!modules) await addMigratedSqlite(dataDir);
    if (!isScaled) addReserve(dataDir);
    return await startIn(dataDir, env, modules, remove);
  } catch (error) {
    remove();
    throw error;
  }
}

/** The space that the server keeps free, as a file without bytes: to write it is a third of the start. */
function addReserve(dataDir: string): void {
  const path = join(dataDir, "reserve");
  writeFileSync(path, "", { mode: 0o600 });
  truncateSync(path, 16 * 2 ** 20);
}

async function startIn(
  dataDir: string,
  env: Record<string, string>,
  modules?: readonly Module[],
  remove = () => {},
): Promise<TestServer> {
  const engines = await engineEnv(dataDir, makeMigratedDatabase);
  const config: Config = readConfig({
    HOST: "127.0.0.1",
    PORT: "0",
    RATE_LIMIT_PER_SECOND: "1000000",
    RATE_LIMIT_BURST: "1000000",
    PAGE_RATE_LIMIT_BURST: "1000000",
    ...engines,
    ...env,
    DATA_DIR: dataDir,
  });
  let logged = "";
  const write = (text: string) => ((logged += text), true);
  const log = createLog("info", { pretty: false, output: { write, close() {} } });
  const server = await start(config, log, modules);
  const url = `http://127.0.0.1:${server.port}`;
  checkResponsesOf(url, modules);
  const findLostLocks = watchLocks(process.pid, dataDir);
  const close = once(async () => {
    const lost = findLostLocks();
    await server.close();
    stopChecking(url);
    remove();
    if (lost.length > 0) throw new Error(`Something in this process has opened and closed ${lost.join(", ")}.`);
  });
  return {
    url,
    dataDir,
    schema: modules && schemaOf(modules),
    setupKey: server.setupKey,
    logged: () => (log.flush(), logged),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The environment with which the command line uses the same data. */
async function serverEnv({ dataDir }: TestServer): Promise<Record<string, string>> {
  return { DATA_DIR: dataDir, ...(await engineEnv(dataDir)) };
}

/** For a test that reads or writes the database while the server is running. */
export async function serverConfig(server: TestServer): Promise<Config> {
  return readConfig(await serverEnv(server));
}

/** Reads or changes the database while the server is running. */
export async function withDatabase<Result>(server: TestServer, work: (db: Database) => Promise<Result>) {
  const db = await openDatabase(await serverConfig(server), server.schema);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Runs the command line while the server is running. */
export async function runBeside(server: TestServer, words: string[], input = "", env: Record<string, string> = {}) {
  return runVitrine(words, { ...(await serverEnv(server)), ...env }, input);
}
