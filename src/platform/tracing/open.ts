import type { Log } from "../log.ts";
import type { Tracing, TracingConfig } from "./tracing.ts";

const noTracing: Tracing = {
  requests: null,
  database: (db) => db,
  close: async () => {},
};

/** To be called before the database is opened. Without a collector, nothing is loaded. */
export async function openTracing(config: TracingConfig | null, log: Log): Promise<Tracing> {
  if (!config) return noTracing;
  const { startTracing } = await import("./start.ts");
  return startTracing(config, log);
}
