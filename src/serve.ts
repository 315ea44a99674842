import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Server } from "bun";
import { type Config, ConfigError } from "./config.ts";
import { createLog } from "./platform/log.ts";
import { openVitrine, type Vitrine } from "./server.ts";

const grace = 10_000;
const mostIdleSeconds = 30;

/** Serves until SIGTERM or SIGINT, lets running requests end, and answers the exit code. */
export async function serve(config: Config): Promise<number> {
  const log = createLog(config.logLevel);
  const vitrine = await openVitrine(config, log);
  const server = listen(config, vitrine);
  announce(config, server);
  const signal = await nextSignal();
  log.info("stopping", { signal });
  await drain(server);
  await vitrine.close();
  log.info("stopped");
  log.flush();
  return 0;
}

export function listen(config: Config, vitrine: Vitrine): Server<unknown> {
  const options = {
    port: config.port,
    fetch: vitrine.fetch,
    development: false,
    idleTimeout: mostIdleSeconds,
    // Above our own limits, so that it is our code that answers what is too large.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    error: () => Response.json({ error: "Something went wrong on the server." }, { status: 500 }),
  };
  try {
    return Bun.serve({ ...options, hostname: config.host ?? "::" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw new ConfigError(`PORT ${config.port} is taken by another program.`);
    if (config.host) throw new ConfigError(`HOST ${config.host} cannot be listened on: ${(error as Error).message}`);
    // A machine without IPv6.
    return Bun.serve({ ...options, hostname: "0.0.0.0" });
  }
}

/** The document alone, from a server on a directory that is thrown away again. */
export async function printOpenAPI(config: Config): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), "vitrine-"));
  const vitrine = await openVitrine({ ...config, dataDir }, createLog("silent"));
  await vitrine.close();
  rmSync(dataDir, { recursive: true });
  return JSON.stringify(vitrine.openapi, null, 2);
}

function announce(config: Config, server: Server<unknown>): void {
  if (config.logLevel === "silent") return;
  const address = config.baseURL || `http://${config.host ?? "localhost"}:${server.port}`;
  const lines = [`Vitrine is at ${address}`, `Data is in ${config.dataDir}`];
  lines.push("The first admin is made by: npx vitrine user add NAME --role admin");
  console.error(lines.join("\n"));
}

function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => resolve(signal));
  });
}

async function drain(server: Server<unknown>): Promise<void> {
  const late = setTimeout(() => void server.stop(true), grace);
  await server.stop();
  clearTimeout(late);
}
