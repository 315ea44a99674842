import { z } from "zod";
import { fileSchema } from "../files/file.ts";

/** How long an upload waits for its next part; when it is finished, how long it can still be asked for. */
export const patience = 24 * 3_600_000;

export const maxUnfinished = 1000;
export const maxParts = 10_000;

export const uploadSchema = z
  .object({
    id: z.int(),
    length: z.int().meta({ example: 48213, description: "How many bytes the file has." }),
    offset: z.int().meta({ example: 32768, description: "How many of them have arrived." }),
    file: fileSchema.nullable().meta({ description: "The file, once it is made; null again when it was deleted." }),
    ownerID: z.int(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().meta({ description: "When it is forgotten, unless a part comes before." }),
  })
  .meta({ id: "ResumableUpload", description: "A file on its way, which may come in many parts." });

export type Upload = z.output<typeof uploadSchema>;
