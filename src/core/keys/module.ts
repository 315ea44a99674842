import { kindsOf, type Module } from "../../module.ts";
import { createKeyLimits } from "./limits.ts";
import { keyRoutes } from "./routes.ts";
import { removeExpiredKeys } from "./store.ts";

const hour = 3_600_000;

/** Keys with which programs act for people. */
export const keysModule: Module = {
  tables: [{ name: "app_keys", key: ["id"], json: ["scopes"] }],
  open: ({ db, modules }) => ({
    routes: keyRoutes(db, createKeyLimits(kindsOf(modules))),
    jobs: [{ name: "app keys", everyMs: hour, deletesByAge: true, run: () => removeExpiredKeys(db) }],
  }),
};
