import { z } from "zod";
import { photoSchema } from "../photos/photo.ts";

const path = z.string().meta({ description: "The directory.", example: "/2026/lisbon" });
const recursive = z.boolean().meta({ description: "Whether to import the directories below it, too." });

export const newImportSchema = z.object({ path, recursive: recursive.default(true) }).meta({ id: "NewImport" });

/** What became of a file. One that waits could not be read yet, or not for now. */
export const outcomes = ["imported", "exists", "refused", "waiting"] as const;
export type Outcome = (typeof outcomes)[number];

export const importSchema = z
  .object({
    id: z.int(),
    path,
    recursive,
    status: z.enum(["running", "finished", "cancelled"]),
    imported: z.int().meta({ description: "Files that became photos.", example: 1 }),
    existing: z.int().meta({ description: "Files that were photos of yours already.", example: 0 }),
    refused: z.int().meta({ description: "Files that cannot become photos.", example: 0 }),
    left: z.int().meta({
      description:
        "Files that wait to be read. In a finished import these could not be read for now: import the directory again later.",
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
    path: z.string().nullable().meta({ description: "The directory that the file is in; null when it was deleted." }),
    outcome: z.enum(outcomes),
    reason: z.string().nullable().meta({ description: "Why it was not imported.", example: null }),
    photo: photoSchema.nullable(),
  })
  .meta({ id: "ImportedFile" });

export type ImportedFile = z.output<typeof importedFileSchema>;

export const importReportSchema = importSchema
  .extend({
    files: z.array(importedFileSchema).meta({ description: "The first 100 files of the import, the oldest first." }),
  })
  .meta({ id: "ImportReport" });
