import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { asDaemon, postgresPrograms } from "./daemons.ts";
import { freePort } from "../process.ts";

/** Runs a program of PostgreSQL, or another one, as the user that PostgreSQL runs as; returns what it prints. */
export async function runAsDaemon(directory: string, ...words: string[]): Promise<string> {
  const child = Bun.spawn(asDaemon(...words), { cwd: directory, stdout: "pipe", stderr: "pipe" });
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`${words.join(" ")}: ${errors}`);
  return output;
}

export const postgresProgram = (name: string): string => join(postgresPrograms ?? "", name);

/** A separate PostgreSQL server, running, with these lines in its configuration. That user can write to the directory. */
export async function initPostgres(directory: string, settings: string) {
  const data = join(directory, "data");
  const port = await freePort();
  const run = (name: string, ...words: string[]) =>
    runAsDaemon(directory, postgresProgram(name), "--pgdata", data, ...words);
  const start = () => run("pg_ctl", "--wait", "--silent", "--log", join(data, "log"), "start");
  const isTrusted = ["--username=postgres", "--auth=trust"];
  await run("initdb", "--no-sync", ...isTrusted, "--encoding=UTF8", "--locale=C");
  const own = `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n`;
  appendFileSync(join(data, "postgresql.conf"), `${settings}\n${own}`);
  await start();
  return {
    data,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    run,
    start,
    stop: (mode: "immediate" | "fast") => run("pg_ctl", "--wait", "--silent", "--mode", mode, "stop").catch(() => {}),
  };
}
