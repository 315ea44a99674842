import { z } from "zod";
import type { Database } from "../../platform/database/database.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { Problem } from "../../platform/errors.ts";
import { id, queryInteger, text } from "../../platform/http/validate.ts";
import { contentsSchema } from "./contents.ts";
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

const usualLimit = 50;
const recordKinds = ["photo", "album", "post", "file", "directory"] as const;
const backupID = z
  .string()
  .regex(/^[0-9TZ]{10,30}-[0-9a-f]{8}$/, { error: "must be the id of a backup" })
  .optional()
  .meta({ description: "The id of the backup. Without it, the newest one.", example: "20261117T030000000Z-0f793b25" });

const contentsQuery = z.object({
  backup: backupID,
  kind: z.enum(recordKinds).optional().meta({ description: "Only records of this kind.", example: "photo" }),
  search: text(200)
    .optional()
    .meta({ description: "Only those whose title or name contains this.", example: "harbour" }),
  limit: queryInteger(1000).optional().meta({ description: "At most this many (50).", example: 50 }),
});

const restoreSchema = z
  .object({
    backup: backupID,
    kind: z.enum(recordKinds).meta({ example: "photo" }),
    id: id().meta({ description: "The id of the record in the backup.", example: 17 }),
  })
  .meta({ id: "RestoreFromBackup" });

const restoredSchema = z
  .object({
    kind: z.enum(recordKinds).meta({ example: "photo" }),
    id: z.int().meta({
      description: "The id of the record in the site: that in the backup, unless another record has it.",
      example: 17,
    }),
    name: z.string().meta({ example: "Harbour at dusk" }),
    state: z.enum(["restored", "present", "trashed"]).meta({
      description:
        "`present` if it was not deleted, and `trashed` if it is in the trash, from which it can be restored.",
      example: "restored",
    }),
    otherRestored: z.int().meta({ description: "How many other records were restored with it.", example: 2 }),
    otherFailed: z.int().meta({ description: "How many could not be.", example: 0 }),
    reason: z.string().nullable().meta({ description: "Why the first of these could not be.", example: null }),
  })
  .meta({ id: "RestoredFromBackup" });

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
      scope: "admin",
      response: messageSchema,
      statuses: { 409: "A backup is being made already, or the server does not know where to store it" },
      async handle() {
        runner.start();
        return { message: "The backup has begun." };
      },
    }),

    route({
      method: "GET",
      path: "/api/v1/backups/contents",
      name: "listBackupContents",
      tag,
      summary: "List the records in a backup",
      details: "Those that were permanently deleted come first. Reading a backup takes a few seconds.",
      role: "admin",
      query: contentsQuery,
      response: contentsSchema,
      statuses: { 409: "The backup cannot be read, or the server does not know where it is" },
      handle: ({ query: { backup, kind, search = "", limit = usualLimit } }) =>
        runner.contents(backup, { search, kind: kind ?? null, limit }),
    }),

    route({
      method: "POST",
      path: "/api/v1/backups/restore",
      name: "restoreFromBackup",
      tag,
      summary: "Restore one record from a backup",
      details:
        "A record that was permanently deleted comes back as it was, with its bytes and what it needs: a photo with its file, a file with the directories above it, a directory with all that was in it, an album with its photos, a post with its comments. What exists, or is in the trash, stays as it is. Nothing becomes more public than it was.",
      role: "admin",
      scope: "admin",
      body: restoreSchema,
      response: restoredSchema,
      statuses: { 409: "The backup cannot be read, or the record cannot be restored from it" },
      async handle({ body, caller }) {
        const [first, ...others] = await runner.restore(caller.username, body);
        if (!first) throw new Problem("conflict", "The backup could not be read.");
        const { state, newID, name } = first;
        if (state === "failed" || newID === null) throw new Problem("conflict", first.reason ?? "");
        const failed = others.filter((outcome) => outcome.state === "failed");
        return {
          kind: body.kind,
          id: newID,
          name,
          state,
          otherRestored: others.filter((outcome) => outcome.state === "restored").length,
          otherFailed: failed.length,
          reason: failed[0]?.reason ?? null,
        };
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
