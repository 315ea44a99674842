import { z } from "zod";
import type { Notice } from "../records/notice.ts";
import { readUsage } from "./quota.ts";

export const usedStorage: Notice = {
  schema: z
    .object({
      bytes: z.int().meta({
        description:
          "Files, trash, versions, posters, texts, responses that are stored for an Idempotency-Key, and unfinished uploads.",
        example: 48213,
      }),
      quota: z.int().nullable().meta({ description: "The limit in bytes; null for no limit.", example: null }),
    })
    .meta({ description: "The storage that is used; for admins, without unfinished uploads and stored responses." }),
  async read({ db, quotaBytes, countBytes }, { id, role }) {
    if (role === "admin") return { bytes: await countBytes(), quota: null };
    const usage = await readUsage(db, id);
    return { bytes: (usage?.stored ?? 0) + (usage?.reserved ?? 0), quota: quotaBytes };
  },
};

/** Ordinary people cannot make space on the server's disk, and need not know how much there is. */
export const diskSpace: Notice = {
  schema: z
    .object({
      trouble: z
        .enum(["low", "full", "readOnly", "missing", "failing"])
        .meta({ description: "What is wrong. While there is little space left, it is `low`.", example: "low" }),
      freeBytes: z.int().meta({ description: "How much can still be stored.", example: 104857600 }),
    })
    .nullable()
    .meta({ description: "The disk of the server, if something is wrong with it; null for others than admins." }),
  async read({ disk }, { role }) {
    const { bytes, isLow } = disk.space();
    const trouble = disk.trouble() ?? (isLow ? "low" : null);
    return role === "admin" && trouble ? { trouble, freeBytes: bytes } : null;
  },
};

/** It becomes smaller by itself, as soon as nothing keeps it from beginning anew. */
export const largeLog: Notice = {
  schema: z.int().nullable().meta({
    description:
      "How many bytes the log of the database has, if it has grown beyond 64 MB because another program keeps reading the database. Null if it has not, and for all but admins.",
    example: null,
  }),
  read: async ({ db }, { role }) => (role === "admin" ? db.largeLogBytes() : null),
};
