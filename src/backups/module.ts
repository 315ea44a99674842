import { z } from "zod";
import { dataOption } from "../command.ts";
import { withSite } from "../engines.ts";
import type { Module } from "../module.ts";
import { findLastBackup, recordBackup } from "./store.ts";

/** When the site was backed up. */
export const backupsModule: Module = {
  tables: [{ name: "backups", key: ["id"] }],
  notices: {
    lastBackupAt: {
      schema: z.iso.datetime().nullable().meta({
        description: "When `vitrine record backup` was last run. Null if it never was, and for all but admins.",
        example: null,
      }),
      read: async ({ db }, { role }) => (role === "admin" ? findLastBackup(db) : null),
    },
  },
  commands: [
    {
      name: "record backup",
      summary: "store that a backup was made now",
      details: "For the end of a script that makes backups. The studio reminds admins if there is no recent one.",
      options: dataOption,
      run: ({ config }) => withSite(config, recordBackup),
    },
  ],
};
