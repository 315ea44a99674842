import type { Module } from "../../module.ts";
import { accountMailTables } from "./tables.ts";
import { removeOldLinks } from "./links.ts";

const hour = 3_600_000;

/** Mail addresses of accounts, what is sent to them, and links for forgotten passwords. */
export const accountMailModule: Module = {
  tables: accountMailTables,
  open: ({ db }) => ({ jobs: [{ name: "password links", everyMs: hour, run: () => removeOldLinks(db) }] }),
};
