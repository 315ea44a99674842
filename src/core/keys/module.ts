import { late } from "../../platform/once.ts";
import { kindsOf, type Module } from "../../module.ts";
import { json, table } from "../../platform/database/table.ts";
import { createKeyLimits } from "./limits.ts";
import { removeExpiredKeys } from "./store.ts";

const loadRoutes = late(() => import("./routes.ts"));

const hour = 3_600_000;

/** Keys with which programs act for people. */
export const keysModule: Module = {
  tables: [table("app_keys", { scopes: json() }, { without: "a secret" })],
  open: ({ db, modules }) => ({
    lateRoutes: {
      names: ["POST /api/v1/keys", "GET /api/v1/keys", "DELETE /api/v1/keys/:id"],
      async load() {
        const { keyRoutes } = await loadRoutes();
        return keyRoutes(db, createKeyLimits(kindsOf(modules)));
      },
    },
    jobs: [{ name: "app keys", everyMs: hour, deletesByAge: true, run: () => removeExpiredKeys(db) }],
  }),
};
