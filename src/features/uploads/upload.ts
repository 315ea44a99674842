import { z } from "zod";
import { fileSchema } from "../../content/files/file.ts";

/** An upload expires this long after it was created or received its last part, whether or not it is finished. */
export const expiryMilliseconds = 24 * 3_600_000;

export const maxUnfinished = 1000;
export const maxParts = 10_000;

export const uploadSchema = z
  .object({
    id: z.int(),
    length: z.int().meta({ example: 48213, description: "Size of the file in bytes." }),
    offset: z.int().meta({ example: 32768, description: "Number of bytes received so far." }),
    file: fileSchema.nullable().meta({ description: "The file, once the upload is finished; null if it was deleted." }),
    ownerID: z.int(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().meta({ description: "When the upload expires, unless another part is sent before." }),
  })
  .meta({ id: "ResumableUpload", description: "An upload of a file, in one or more parts." });

export type Upload = z.output<typeof uploadSchema>;
