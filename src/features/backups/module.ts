import { late } from "../../platform/once.ts";
import { z } from "zod";
import type { Module } from "../../module.ts";
import { table } from "../../platform/database/table.ts";
import { findLastBackup } from "./last-backup.ts";
import { createRunner, readLastRun } from "./runner.ts";

const loadRoutes = late(() => import("./routes.ts"));

const tenMinutes = 600_000;

/** Backups of the site: they are made by the command line, here by a schedule or when an admin asks for one. */
export const backupsModule: Module = {
  tags: { Backups: "Backups of the whole site. For admins." },
  tables: [table("backups", {}, { without: "of this machine" })],
  notices: {
    lastBackupAt: {
      schema: z.iso.datetime().nullable().meta({
        description:
          "When the last backup was made, or `vitrine record backup` was last run. Null if that never was, and for all but admins.",
        example: null,
      }),
      read: async ({ db }, { role }) => (role === "admin" ? findLastBackup(db) : null),
    },
    backupError: {
      schema: z.string().nullable().meta({
        description:
          "Why the last backup that the server tried to make has failed. Null if it has not, and for all but admins.",
        example: null,
      }),
      read: async ({ db }, { role }) => (role === "admin" ? ((await readLastRun(db))?.error ?? null) : null),
    },
  },
  open({ db, config, log, clock, stopping }) {
    const runner = createRunner({ db, config, log, clock, stopping });
    return {
      lateRoutes: {
        names: [
          "GET /api/v1/backups",
          "POST /api/v1/backups",
          "GET /api/v1/backups/contents",
          "POST /api/v1/backups/restore",
        ],
        async load() {
          const { backupRoutes } = await loadRoutes();
          return backupRoutes(db, runner);
        },
      },
      jobs: [{ name: "backups", everyMs: tenMinutes, run: () => runner.runIfDue() }],
      close: runner.close,
    };
  },
};
