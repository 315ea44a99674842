/** PgBouncer as docs/operate/scaling.md configures it. */
import { SQL } from "bun";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asDaemon } from "./daemons.ts";
import { findProgram } from "../optional.ts";
import { freePort } from "../process.ts";
import { until } from "../until.ts";

export const pgbouncer = findProgram("pgbouncer");

const [, minor = "0"] =
  /PgBouncer 1\.(\d+)/.exec(pgbouncer ? Bun.spawnSync([pgbouncer, "--version"]).stdout.toString() : "") ?? [];
/** In transaction mode, earlier versions do not carry prepared statements over. Debian 12 has 1.18. */
export const pool =
  Number(minor) >= 21
    ? { size: 5, settings: "pool_mode = transaction\nmax_prepared_statements = 500" }
    : { size: 60, settings: "pool_mode = session" };

/** The configuration of docs/operate/scaling.md, with a small pool. */
export async function startPgBouncer(databaseURL: string, { size, settings: mode } = pool) {
  const { hostname, port, pathname, username } = new URL(databaseURL);
  const own = await freePort();
  const directory = mkdtempSync(join(tmpdir(), "vitrine-pooler-"));
  chmodSync(directory, 0o755);
  const [settings, users] = [join(directory, "pgbouncer.ini"), join(directory, "users.txt")];
  writeFileSync(users, `"${username}" ""\n`);
  const configure = (host: string, hostPort: string) =>
    writeFileSync(
      settings,
      `[databases]
* = host=${host} port=${hostPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
${mode}
default_pool_size = ${size}
max_client_conn = 1000
server_login_retry = 1
`,
    );
  configure(hostname, port);
  // It runs as another user, and a server that ran in this process before may have changed the umask.
  for (const file of [settings, users]) chmodSync(file, 0o644);
  const child = Bun.spawn(asDaemon(pgbouncer ?? "pgbouncer", settings), { stdout: "ignore", stderr: "ignore" });
  const url = `postgres://${username}@127.0.0.1:${own}${pathname}`;
  await until(() => canConnect(url));
  return {
    url,
    /** Its clients stay connected, and are served by another server from now on. */
    follow(other: string) {
      const to = new URL(other);
      configure(to.hostname, to.port);
      child.kill("SIGHUP");
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function canConnect(url: string): Promise<boolean> {
  const database = new SQL(url, { max: 1, prepare: false });
  try {
    await database`SELECT 1`;
    return true;
  } catch {
    return false;
  } finally {
    await database.close({ timeout: 0 }).catch(() => {});
  }
}
