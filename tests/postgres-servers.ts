import { SQL } from "bun";
import { chmodSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { asDaemon, postgresPrograms } from "./daemons.ts";
import { freePort } from "./process.ts";

/** No test cuts the power of the machine: what is written need not reach the disk. */
const settings = ["fsync=off", "full_page_writes=off", "listen_addresses=127.0.0.1", "unix_socket_directories="];

export type PostgresServer = Awaited<ReturnType<typeof startPrimary>>;

/** A PostgreSQL server of its own in a new directory below `scratch`. */
export async function startPrimary(scratch: string) {
  const data = makeDirectory(scratch);
  await run("initdb", "--pgdata", data, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C");
  return startServer(data);
}

/** A server that follows another one. */
export async function startReplica(scratch: string, primary: PostgresServer) {
  const data = makeDirectory(scratch);
  await run("pg_basebackup", "--pgdata", data, "--dbname", primary.url, "--write-recovery-conf", "--checkpoint=fast");
  return startServer(data);
}

async function startServer(data: string) {
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let child = spawn();
  await waitFor(isListening);

  return {
    url,
    pid: () => child.pid,
    /** Runs a statement with a connection of its own. */
    async ask(statement: string): Promise<any[]> {
      const database = new SQL(url, { max: 1, prepare: false });
      try {
        return await database.unsafe(statement);
      } finally {
        await database.close({ timeout: 0 }).catch(() => {});
      }
    },
    signal: (signal: "SIGSTOP" | "SIGCONT") => signalAll(signal),
    async kill(): Promise<void> {
      // Without its parent, the others end by themselves.
      signalAll("SIGCONT");
      child.kill("SIGKILL");
      await child.exited;
      await waitFor(async () => !(await isListening()));
    },
    async restart(): Promise<void> {
      child = spawn();
      await waitFor(isListening);
    },
    async [Symbol.asyncDispose](): Promise<void> {
      if (child.exitCode === null && child.signalCode === null) signalAll("SIGCONT");
      child.kill("SIGQUIT");
      await child.exited;
    },
  };

  function spawn() {
    const words = settings.flatMap((setting) => ["-c", setting]);
    const postgres = join(postgresPrograms ?? "", "postgres");
    return Bun.spawn(asDaemon(postgres, "-D", data, "-p", String(port), ...words), {
      stdout: "ignore",
      stderr: "ignore",
      cwd: data,
    });
  }

  /** To the server and the processes of its connections. */
  function signalAll(signal: "SIGSTOP" | "SIGCONT"): void {
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
    for (const pid of [child.pid, ...children.split(" ").filter(Boolean).map(Number)]) process.kill(pid, signal);
  }

  async function isListening(): Promise<boolean> {
    const { exitCode } = Bun.spawnSync([
      join(postgresPrograms ?? "", "pg_isready"),
      "-q",
      "-h",
      "127.0.0.1",
      "-p",
      `${port}`,
    ]);
    return exitCode === 0;
  }
}

/** Resolves when it is so. */
export async function waitFor(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await Bun.sleep(20);
}

/** In which the user of the server may create directories. */
function makeDirectory(scratch: string): string {
  chmodSync(scratch, 0o777);
  const directory = mkdtempSync(join(scratch, "postgres-"));
  chmodSync(directory, 0o777);
  return join(directory, "data");
}

async function run(program: string, ...words: string[]): Promise<void> {
  const child = Bun.spawn(asDaemon(join(postgresPrograms ?? "", program), ...words), {
    cwd: "/",
    stdout: "ignore",
    stderr: "pipe",
  });
  const [errors, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code !== 0) throw new Error(`${program} exited with ${code}: ${errors}`);
}
