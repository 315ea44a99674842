import type { Module } from "../module.ts";
import { removeLeftovers } from "./released.ts";
import { storageRoutes } from "./routes.ts";
import { sweep } from "./sweep.ts";

const hour = 3_600_000;

export const storageModule: Module = {
  tags: { Storage: "Storage usage." },
  tables: [{ name: "reservations", key: ["id"], isTemporary: true }],
  open: ({ db, blobs, modules, config }) => ({
    routes: storageRoutes(db, modules, config.quotaBytes),
    jobs: [
      { name: "reservations", everyMs: hour, run: () => removeLeftovers(db, blobs) },
      { name: "blobs", everyMs: 24 * hour, run: (lease) => sweep(db, blobs, lease) },
    ],
  }),
};
