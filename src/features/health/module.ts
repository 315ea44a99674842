import type { Module } from "../../module.ts";
import { metricsRoute } from "./metrics-endpoint.ts";
import { healthRoutes } from "./routes.ts";

export const healthModule: Module = {
  tags: { Server: "Health checks and the description of the API." },
  open: ({ db, disk, isDraining, metrics, config: { metricsToken } }) => ({
    routes: healthRoutes(db, disk, isDraining),
    unlistedRoutes: metricsToken === null ? [] : [metricsRoute(metrics, metricsToken)],
  }),
};
