/** Separate PostgreSQL servers: a primary, standbys of it, and the switch from one to another. */
import { SQL } from "bun";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asDaemon } from "./daemons.ts";
import { postgresProgram, runAsDaemon } from "./private-postgres.ts";
import { freePort } from "../process.ts";
import { until } from "../until.ts";

export type PostgresServer = Awaited<ReturnType<typeof startPrimary>>;

/** A new, empty server. `settings` are those of its command line, such as `max_connections=100`. */
export async function startPrimary(settings: string[] = []) {
  const directory = makeDirectory();
  const data = join(directory, "data");
  const options = ["--no-sync", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"];
  await runAsDaemon(directory, postgresProgram("initdb"), "--pgdata", data, ...options);
  return start(directory, settings);
}

/** A standby of this server, which streams what it writes. Resolves once it does. It can take the place of one that has ended. */
export async function startStandby(primary: PostgresServer, port?: number) {
  const directory = makeDirectory();
  const from = `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`;
  const options = ["--no-sync", "--checkpoint=fast", "--write-recovery-conf", "--dbname", from];
  await runAsDaemon(directory, postgresProgram("pg_basebackup"), "--pgdata", join(directory, "data"), ...options);
  const standby = await start(directory, [], port);
  await primary.untilTrue("SELECT count(*) > 0 FROM pg_stat_replication WHERE state = 'streaming'");
  return standby;
}

async function start(directory: string, settings: string[], givenPort?: number) {
  const data = join(directory, "data");
  const port = givenPort ?? (await freePort());
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const own = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "wal_level=replica"];
  const words = [...own, ...settings].flatMap((setting) => ["-c", setting]);
  const spawn = () =>
    Bun.spawn(asDaemon(postgresProgram("postgres"), "-D", data, "-p", String(port), ...words), {
      stdout: "ignore",
      stderr: "ignore",
    });
  let child = spawn();
  const ask = (statement: string) => askOnce(url, statement);
  const untilTrue = (statement: string) =>
    until(async () => {
      const [row] = await ask(statement).catch(() => []);
      if (row && Object.values(row)[0] === true) return true;
      if (child.exitCode !== null) throw new Error("PostgreSQL has ended.");
      return false;
    });
  const crash = async () => {
    child.kill("SIGQUIT");
    await child.exited;
  };
  await untilTrue("SELECT true");
  return {
    port,
    url,
    pid: () => child.pid,
    ask,
    untilTrue,
    /** All its processes end at once, as if the machine had. */
    crash,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    /** It stops, or goes on, as a machine or a network that does not respond. */
    signalAll: (signal: "SIGSTOP" | "SIGCONT") => signalTree(child.pid, signal),
    /** Its first process is killed; without it, the others end by themselves. */
    async kill() {
      signalTree(child.pid, "SIGCONT");
      child.kill("SIGKILL");
      await child.exited;
      await until(
        () => ask("SELECT true").catch(() => null),
        (rows) => rows === null,
      );
    },
    async restart() {
      child = spawn();
      await untilTrue("SELECT true");
    },
    /** Resolves as soon as it takes writes. */
    promote: () => ask("SELECT pg_promote()"),
    /** From now on, a commit waits until a standby has it. */
    async waitForStandby() {
      await ask("ALTER SYSTEM SET synchronous_standby_names = '*'");
      await ask("SELECT pg_reload_conf()");
      await untilTrue("SELECT count(*) > 0 FROM pg_stat_replication WHERE sync_state = 'sync'");
    },
    async [Symbol.asyncDispose]() {
      signalTree(child.pid, "SIGCONT");
      await crash();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function askOnce(url: string, statement: string): Promise<any[]> {
  const database = new SQL(url, { max: 1, prepare: false });
  try {
    return await database.unsafe(statement);
  } finally {
    await database.close({ timeout: 0 }).catch(() => {});
  }
}

/** The process and those that it has started. */
function signalTree(pid: number, signal: NodeJS.Signals): void {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    for (const one of [pid, ...children.filter(Boolean).map(Number)]) process.kill(one, signal);
  } catch {
    // It has ended.
  }
}

/** A directory that PostgreSQL can write to as well. */
function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "vitrine-cluster-"));
  chmodSync(directory, 0o777);
  return directory;
}
