import type { Module } from "../module.ts";
import { healthRoutes } from "./routes.ts";

export const healthModule: Module = {
  tags: { Server: "Health checks and the description of the API." },
  open: ({ db, disk, isDraining }) => ({ routes: healthRoutes(db, disk, isDraining) }),
};
