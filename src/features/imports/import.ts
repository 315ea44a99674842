import { z } from "zod";
import { photoSchema } from "../../content/photos/photo.ts";
import type { ItemOutcome } from "./item.ts";
import { storedPlanSchema } from "./plan.ts";

const path = z.string().meta({ description: "The directory.", example: "/2026/lisbon" });
const recursive = z.boolean().meta({ description: "Whether to include subdirectories." });

export const newImportSchema = z.object({ path, recursive: recursive.default(true) }).meta({ id: "NewImport" });

/** The result for each file. A file is `waiting` until it has been read. */
export const outcomes = ["imported", "exists", "refused", "waiting"] as const;
export type Outcome = (typeof outcomes)[number];

const count = z.int().meta({ example: 0 });

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
    kind: z.string().nullable().meta({
      description: "What the source was recognised as, such as `takeout`; null before that.",
      example: null,
    }),
    plan: storedPlanSchema.nullable().meta({
      description: "What was asked for, if the server reads the source; null for an import by the command line.",
      example: null,
    }),
    isDryRun: z.boolean().meta({ description: "Whether it only reports what would be imported." }),
    status: z.enum(["running", "finished", "failed", "cancelled", "undoing", "undone"]),
    phase: z.enum(["reading", "photos", "finished"]).meta({
      description: "Whether the source is being read, or photos are being made of what was read.",
      example: "finished",
    }),
    needsKey: z.boolean().meta({
      description: "Whether it waits for the key of another server: after a restart, or if that server refuses it.",
      example: false,
    }),
    failure: z.string().nullable().meta({
      description: "Why the source could not be read; of a running import, why it cannot be read now.",
      example: null,
    }),
    items: z.object({ added: count, known: count, changed: count, refused: count, noted: count }).meta({
      description:
        "Number of items of the source by what became of them. Directories are not counted. Those that are `noted` were not to be imported: nothing is wrong with them.",
    }),
    totalItems: z.int().nullable().meta({
      description: "About how many items the source has, if that is known.",
      example: null,
    }),
    bytes: z.int().meta({ description: "How much was stored.", example: 0 }),
    seenBytes: z.int().meta({ description: "How much of the source was read, or passed over.", example: 0 }),
    totalBytes: z.int().nullable().meta({ description: "How much the source has, if that is known.", example: null }),
    bytesPerSecond: z.int().nullable().meta({ description: "How fast it is being read.", example: null }),
    secondsLeft: z.int().nullable().meta({
      description: "How long the current phase will take, if that can be told.",
      example: null,
    }),
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

const itemOutcomes = ["added", "known", "changed", "refused", "noted"] as const satisfies ItemOutcome[];

export const importItemSchema = z
  .object({
    id: z.int(),
    kind: z
      .string()
      .meta({ description: "Such as `file` or `album`; `refused` if that is not known.", example: "file" }),
    name: z.string().meta({ description: "What the source calls it.", example: "2019/harbour.jpg" }),
    outcome: z.enum(itemOutcomes),
    reason: z.string().nullable().meta({
      description: "Why it was refused, or what else there is to say of it.",
      example: null,
    }),
    record: z
      .object({ kind: z.string().meta({ example: "file" }), id: z.int() })
      .nullable()
      .meta({ description: "The record of the site that it became. It may have been deleted since." }),
  })
  .meta({ id: "ImportItem" });

export type ImportItem = z.output<typeof importItemSchema>;

export const itemsQuery = z.object({
  kind: z.enum(["album", "comment", "file", "person", "post"]).optional().meta({
    description: "Only items of this kind. A `person` is an author; those who have only commented are left out.",
    example: "person",
  }),
  outcome: z.enum(itemOutcomes).optional().meta({ description: "Only items with this outcome.", example: "refused" }),
});

export const importsQuery = z.object({
  origin: z.enum(["elsewhere", "site"]).optional().meta({
    description: "Only imports of what lies outside the site, or of directories of the site.",
    example: "elsewhere",
  }),
});
