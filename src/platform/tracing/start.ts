import { observe } from "../database/observe.ts";
import type { Log } from "../log.ts";
import { version } from "../version.ts";
import { createExporter } from "./export.ts";
import { createSpans } from "./spans.ts";
import { observeStatements, traceTransactions } from "./statements.ts";
import type { Tracing, TracingConfig } from "./tracing.ts";

export function startTracing(config: TracingConfig, log: Log): Tracing {
  const exporter = createExporter(config, { "service.name": config.serviceName, "service.version": version }, log);
  const { requests, span } = createSpans(exporter.add);
  const stop = observe(observeStatements(span));
  return {
    requests,
    database: (db) => traceTransactions(db, span),
    async close() {
      stop();
      await exporter.close();
    },
  };
}
