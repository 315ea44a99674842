import { z } from "zod";

export const archiveSchema = z
  .object({
    status: z.enum(["none", "waiting", "ready", "failed"]).meta({
      description: "`waiting` until it is made, and `none` if none was asked for, or it is removed.",
      example: "ready",
    }),
    error: z.string().nullable().meta({ description: "Why it could not be made.", example: null }),
    size: z.int().nullable().meta({ description: "In bytes; null until it is made.", example: 41_000_000 }),
    url: z.string().nullable().meta({
      description: "Where it is downloaded, by its owner alone; null until it is made.",
      example: "/api/v1/me/archive/content",
    }),
    requestedAt: z.iso.datetime().nullable(),
    madeAt: z.iso.datetime().nullable(),
    expiresAt: z.iso.datetime().nullable().meta({ description: "It is removed then." }),
  })
  .meta({ id: "Archive" });

export type Archive = z.output<typeof archiveSchema>;
