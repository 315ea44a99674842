import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, ConfigError } from "./config.ts";
import { drain, ListenError, listen } from "./platform/http/listen.ts";
import { createLog, type Log } from "./platform/log.ts";
import { openVitrine } from "./server.ts";

const grace = 10_000;
const embedded = { database: { engine: "sqlite" }, storage: { kind: "disk" }, redisURL: null } as const;

/** Serves until SIGTERM or SIGINT, lets running requests end, and answers the exit code. */
export async function serve(config: Config): Promise<number> {
  const log = createLog(config.logLevel);
  const { port, close } = await startServer(config, log);
  announce(config, port);
  const signal = await nextSignal();
  log.info("stopping", { signal });
  await close();
  log.info("stopped");
  log.flush();
  return 0;
}

/** `close` takes no new request, waits for those that run, and then closes what they use. */
export async function startServer(config: Config, log: Log): Promise<{ port: number; close(): Promise<void> }> {
  const vitrine = await openVitrine(config, log);
  try {
    const server = listen(config.host, config.port, vitrine.fetch);
    const close = async () => {
      await drain(server, grace);
      await vitrine.close();
    };
    return { port: server.port ?? config.port, close };
  } catch (error) {
    await vitrine.close();
    if (!(error instanceof ListenError)) throw error;
    if (error.reason === "port") throw new ConfigError(`PORT ${config.port} is taken by another program.`);
    throw new ConfigError(`HOST ${config.host} cannot be listened on: ${error.message}`);
  }
}

/** The document alone, from a server on a directory that is thrown away again. */
export async function printOpenAPI(config: Config): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), "vitrine-"));
  const vitrine = await openVitrine({ ...config, dataDir, ...embedded }, createLog("silent"));
  await vitrine.close();
  rmSync(dataDir, { recursive: true });
  return JSON.stringify(vitrine.openapi, null, 2);
}

function announce(config: Config, port: number): void {
  if (config.logLevel === "silent") return;
  const address = config.baseURL || `http://${config.host ?? "localhost"}:${port}`;
  console.error(
    [
      `Vitrine is at ${address}`,
      `Data is in ${config.dataDir}`,
      "The first admin is made by: npx vitrine user add NAME --role admin",
    ].join("\n"),
  );
}

function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => resolve(signal));
  });
}
