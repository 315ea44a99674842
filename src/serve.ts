import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, ConfigError } from "./config.ts";
import { drain, ListenError, listen, stop } from "./platform/http/listen.ts";
import { createLog, type Log } from "./platform/log.ts";
import { serveMetrics } from "./platform/metrics/endpoint.ts";
import { openVitrine } from "./server.ts";

const grace = 10_000;
const embedded = { database: { engine: "sqlite" }, storage: { kind: "disk" }, redisURL: null } as const;

type RunningServer = {
  port: number;
  /** Tells health checks and clients to go elsewhere, and keeps serving for DRAIN_SECONDS. */
  drain(): Promise<void>;
  /** Accepts no new request, waits for those that run, and then closes what they use. */
  close(): Promise<void>;
};

/** Serves until SIGTERM or SIGINT, lets running requests end, and returns the exit code. */
export async function serve(config: Config): Promise<number> {
  const log = createLog(config.logLevel);
  const server = await startServer(config, log);
  const [terminate, interrupt] = [receive("SIGTERM"), receive("SIGINT")];
  announce(config, server.port);
  const signal = await Promise.race([terminate, interrupt]);
  log.info("stopping", { signal });
  // Ctrl-C skips the draining: a person waits for the end.
  await Promise.race([server.drain(), interrupt]);
  await server.close();
  log.info("stopped");
  log.flush();
  return 0;
}

export async function startServer(config: Config, log: Log): Promise<RunningServer> {
  const vitrine = await openVitrine(config, log);
  try {
    const server = listenOn("PORT", config.host, config.port, vitrine.fetch);
    const metricsServer =
      config.metricsPort === null
        ? null
        : listenOn("METRICS_PORT", config.host ?? "127.0.0.1", config.metricsPort, serveMetrics(vitrine.metrics));
    return {
      port: server.port ?? config.port,
      async drain() {
        vitrine.startDraining();
        if (config.drainSeconds > 0) await drain(server, config.drainSeconds * 1000);
      },
      async close() {
        await stop(server, grace);
        await metricsServer?.stop(true);
        await vitrine.close();
      },
    };
  } catch (error) {
    await vitrine.close();
    throw error;
  }
}

function listenOn(variable: string, ...[host, port, fetch]: Parameters<typeof listen>): ReturnType<typeof listen> {
  try {
    return listen(host, port, fetch);
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    if (error.reason === "port") throw new ConfigError(`${variable} ${port} is taken by another program.`);
    throw new ConfigError(`HOST ${host} cannot be listened on: ${error.message}`);
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

function receive(signal: "SIGTERM" | "SIGINT"): Promise<string> {
  return new Promise((resolve) => {
    process.on(signal, () => resolve(signal));
  });
}
