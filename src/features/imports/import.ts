import { z } from "zod";
import { photoSchema } from "../../content/photos/photo.ts";

const path = z.string().meta({ description: "The directory.", example: "/2026/lisbon" });
const recursive = z.boolean().meta({ description: "Whether to include subdirectories." });

export const newImportSchema = z.object({ path, recursive: recursive.default(true) }).meta({ id: "NewImport" });

/** The result for each file. A file is `waiting` until it has been read. */
export const outcomes = ["imported", "exists", "refused", "waiting"] as const;
export type Outcome = (typeof outcomes)[number];

export const importSchema = z
  .object({
    id: z.int(),
    path,
    recursive,
    source: z.string().nullable().meta({
      description:
        "What was read, if it is outside the site: a folder or an archive. Null for a directory of the site.",
      example: null,
    }),
    status: z.enum(["running", "finished", "cancelled", "undone"]),
    imported: z.int().meta({ description: "Number of files from which photos were created.", example: 1 }),
    existing: z.int().meta({ description: "Number of files of which you already had a photo.", example: 0 }),
    refused: z.int().meta({ description: "Number of files that cannot be imported.", example: 0 }),
    left: z.int().meta({
      description:
        "Number of files that are still to be read. In a finished import, these could not be read: import the directory again later.",
      example: 0,
    }),
    ownerID: z.int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "Import" });

export type Import = z.output<typeof importSchema>;

export const importedFileSchema = z
  .object({
    fileID: z.int(),
    name: z.string(),
    path: z
      .string()
      .nullable()
      .meta({ description: "The directory that contains the file; null if the file was deleted." }),
    outcome: z.enum(outcomes),
    reason: z.string().nullable().meta({ description: "Why it was not imported.", example: null }),
    photo: photoSchema.nullable(),
  })
  .meta({ id: "ImportedFile" });

export type ImportedFile = z.output<typeof importedFileSchema>;

export const importReportSchema = importSchema
  .extend({
    files: z.array(importedFileSchema).meta({ description: "The first 100 files of the import, oldest first." }),
  })
  .meta({ id: "ImportReport" });
