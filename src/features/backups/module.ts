import { z } from "zod";
import type { Module } from "../../module.ts";
import { findLastBackup } from "./last-backup.ts";

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
};
