import { kindsOf, type Module } from "../../module.ts";
import { json, table } from "../../platform/database/table.ts";
import { createKeyLimits } from "./limits.ts";
import { keyRoutes } from "./routes.ts";
import { removeExpiredKeys } from "./store.ts";

const hour = 3_600_000;

/** Keys with which programs act for people. */
export const keysModule: Module = {
  tables: [table("app_keys", { scopes: json() }, { without: "a secret" })],
  open: ({ db, modules }) => ({
    routes: keyRoutes(db, createKeyLimits(kindsOf(modules))),
    jobs: [{ name: "app keys", everyMs: hour, deletesByAge: true, run: () => removeExpiredKeys(db) }],
  }),
};
