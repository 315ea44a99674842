/** Separate PostgreSQL servers: a primary, standbys of it, and the switch from one to another. */
import { SQL } from "bun";
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asDaemon, postgresPrograms } from "./daemons.ts";
import { freePort } from "../process.ts";
import { until } from "../until.ts";

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

type Options = {
  /** Lines of its configuration. */
  settings?: string;
  /** The server whose writes it streams. It can take the place of one that has ended. */
  standbyOf?: PostgresServer;
  port?: number;
};

/** A new server: empty, or a standby, which streams when this resolves. */
export async function startPostgres({ settings = "", standbyOf, port: givenPort }: Options = {}) {
  const directory = mkdtempSync(join(tmpdir(), "vitrine-postgres-"));
  chmodSync(directory, 0o777);
  const data = join(directory, "data");
  const port = givenPort ?? (await freePort());
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  /** Runs a program of PostgreSQL on the data of this server. */
  const run = (name: string, ...words: string[]) =>
    runAsDaemon(directory, postgresProgram(name), "--pgdata", data, ...words);

  if (standbyOf) {
    const from = `host=127.0.0.1 port=${standbyOf.port} user=postgres application_name=standby`;
    await run("pg_basebackup", "--no-sync", "--checkpoint=fast", "--write-recovery-conf", "--dbname", from);
  } else {
    const isTrusted = ["--username=postgres", "--auth=trust"];
    await run("initdb", "--no-sync", ...isTrusted, "--encoding=UTF8", "--locale=C");
  }
  // Of two lines for one setting, the last one is used: a standby has those of its primary.
  const own = `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = off\n`;
  appendFileSync(join(data, "postgresql.conf"), `${settings}\n${own}`);

  let child: Bun.Subprocess;
  const ask = (statement: string) => askOnce(url, statement);
  const untilTrue = (statement: string) =>
    until(async () => {
      const [row] = await ask(statement).catch(() => []);
      if (row && Object.values(row)[0] === true) return true;
      if (child.exitCode !== null) throw new Error("PostgreSQL has ended.");
      return false;
    });
  const start = async () => {
    const words = asDaemon(postgresProgram("postgres"), "-D", data);
    child = Bun.spawn(words, { stdout: "ignore", stderr: "ignore" });
    await untilTrue("SELECT true");
  };
  /** At once, as if the machine had ended, or in order. Also one that was started on its data by something else. */
  const stop = async (mode: "immediate" | "fast") => {
    await run("pg_ctl", "--wait", "--silent", "--mode", mode, "stop").catch(() => {});
    await child.exited;
  };
  await start();
  if (standbyOf) await standbyOf.untilTrue("SELECT count(*) > 0 FROM pg_stat_replication WHERE state = 'streaming'");
  return {
    data,
    port,
    url,
    ask,
    untilTrue,
    run,
    start,
    stop,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    /** It stops, or goes on, as a machine or a network that does not respond. */
    signalAll: (signal: "SIGSTOP" | "SIGCONT") => signalTree(child.pid, signal),
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
      await stop("immediate");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export const postgresProgram = (name: string): string => join(postgresPrograms ?? "", name);

/** Runs a program of PostgreSQL, or another one, as the user that PostgreSQL runs as; returns what it prints. */
export async function runAsDaemon(directory: string, ...words: string[]): Promise<string> {
  const child = Bun.spawn(asDaemon(...words), { cwd: directory, stdout: "pipe", stderr: "pipe" });
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`${words.join(" ")}: ${errors}`);
  return output;
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
