import type { Module } from "../module.ts";
import { healthRoutes } from "./routes.ts";

export const healthModule: Module = {
  tags: { Server: "The health of the process, and the description of this API." },
  open: ({ db, isDraining }) => ({ routes: healthRoutes(db, isDraining) }),
};
