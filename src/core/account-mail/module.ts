import type { Module } from "../../module.ts";
import { removeOldLinks } from "./links.ts";

const hour = 3_600_000;

/** Mail addresses of accounts, what is sent to them, and links for forgotten passwords. */
export const accountMailModule: Module = {
  tables: [
    { name: "user_addresses", key: ["user_id"], json: ["notices"] },
    { name: "password_links", key: ["id"] },
  ],
  open: ({ db }) => ({ jobs: [{ name: "password links", everyMs: hour, run: () => removeOldLinks(db) }] }),
};
