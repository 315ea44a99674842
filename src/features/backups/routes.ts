import { z } from "zod";
import type { Database } from "../../platform/database/database.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { Problem } from "../../platform/errors.ts";
import { readLastRun, type Runner } from "./runner.ts";

const tag = "Backups";

const backupSchema = z
  .object({
    id: z.string().meta({ description: "Its name on the command line.", example: "20261117T030000000Z-0f793b25" }),
    createdAt: z.iso.datetime().meta({ description: "The moment that it shows.", example: "2026-11-17T03:00:00.000Z" }),
    version: z.string().meta({ description: "The version of the program that made it.", example: "0.1.0" }),
    fileCount: z.int().meta({ description: "How many files it has.", example: 1200 }),
    bytes: z.int().meta({ description: "How large the site was.", example: 4_100_000_000 }),
    lostFiles: z.int().meta({ description: "How many files the site had lost when it was made.", example: 0 }),
  })
  .meta({ id: "Backup" });

const backupsSchema = z
  .object({
    place: z.string().nullable().meta({
      description: "Where they are: the variable `BACKUP_TO`. Null if it is not set.",
      example: "/mnt/backup/vitrine",
    }),
    isRunning: z.boolean().meta({ description: "Whether this server is making one now.", example: false }),
    lastRun: z
      .object({
        endedAt: z.iso.datetime().meta({ example: "2026-11-17T03:00:41.000Z" }),
        error: z.string().nullable().meta({ description: "Why it has failed; null if it has not.", example: null }),
      })
      .nullable()
      .meta({ description: "The last one that a server made by itself or was asked for." }),
    problem: z.string().nullable().meta({
      description: "Why the backups cannot be listed; null if they can.",
      example: null,
    }),
    backups: z.array(backupSchema).meta({ description: "Newest first." }),
  })
  .meta({ id: "Backups" });

export function backupRoutes(db: Database, runner: Runner): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/backups",
      name: "listBackups",
      tag,
      summary: "List the backups of the site",
      role: "admin",
      response: backupsSchema,
      async handle() {
        const last = await readLastRun(db);
        const { backups, problem } = await listOrExplain();
        return {
          place: runner.place,
          isRunning: runner.isRunning(),
          lastRun: last && { endedAt: new Date(last.endedAt).toISOString(), error: last.error },
          problem,
          backups,
        };
      },
    }),

    route({
      method: "POST",
      path: "/api/v1/backups",
      name: "createBackup",
      tag,
      summary: "Begin to back up the site",
      details: "The backup is made in the background: the list says when it is done.",
      role: "admin",
      response: messageSchema,
      statuses: { 409: "A backup is being made already, or the server does not know where to store it" },
      async handle() {
        runner.start();
        return { message: "The backup has begun." };
      },
    }),
  ];

  async function listOrExplain() {
    try {
      return { backups: await runner.list(), problem: null };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { backups: [], problem: error.message };
    }
  }
}
