import { z } from "zod";
import { photoSchema } from "../../content/photos/photo.ts";
import { visibilitySchema } from "../../core/records/visibility.ts";

const serverSchema = z
  .object({
    kind: z.enum(["immich", "webdav", "vitrine"]).optional().meta({
      description: "Which program it should be: another one is refused. By default, it is recognised.",
      example: "immich",
    }),
    url: z.string().min(1).max(2000).meta({
      description: "Its address, which may be in the local network.",
      example: "https://photos.example.org",
    }),
    username: z.string().max(200).optional().meta({
      description: "Whose files are read, of Nextcloud and WebDAV; the key is their password then.",
    }),
  })
  .meta({ id: "ImportServer" });

/** A choice that is not made by default. */
const choice = (description: string) => z.boolean().default(false).meta({ description });

/** What a server reads, and how. */
const planSchema = z.object({
  fileIDs: z
    .array(z.int().min(1))
    .min(1)
    .max(100)
    .optional()
    .meta({
      description: "Archives or exports that were uploaded to the site. They are read as one, in this order.",
      example: [1],
    }),
  folder: z.string().max(4096).optional().meta({
    description:
      "A folder or an archive on the disk of the server instead, below the directory that the variable IMPORT_DIR names; only for admins.",
  }),
  server: serverSchema.optional().meta({
    description:
      "Another server instead: Immich, Nextcloud or WebDAV, or another Vitrine; only for admins. It needs `key`.",
  }),
  authors: z
    .array(
      z.object({
        theirs: z.string().min(1).max(200).meta({ description: "A username of the source.", example: "alice" }),
        ours: z.string().min(1).max(200).meta({ description: "A username of this site.", example: "ada" }),
      }),
    )
    .max(200)
    .optional()
    .meta({
      description:
        "Which accounts write the posts of which authors; only for admins. For other authors, an account of the same name is taken, or one without a password is made.",
    }),
  to: z.string().max(16_384).optional().meta({
    description: "The directory below which files are stored; by default one with the name of the source.",
    example: "/Moved",
  }),
  photos: choice("Whether photos are created from pictures and videos. An export of a photo program always does that."),
  albums: choice("Whether each folder becomes an album."),
  people: choice("Whether the people in photos become tags."),
  stars: choice("Whether photos with five stars become favourites."),
  hidden: choice(
    "Whether files and directories whose names begin with a dot are taken, too; otherwise they are counted.",
  ),
  asFolder: choice(
    "Whether it is taken for a folder of files, whatever it is. Without it, the export of a service that is known and cannot be imported fails, and nothing is stored.",
  ),
  fetch: choice(
    "Whether media that are missing in an export of WordPress are read from the old site, at public addresses; only for admins.",
  ),
  visibility: visibilitySchema.default("private").meta({
    description:
      "Who sees what is imported. `private`, the default: only its owner. `public`: everyone, except what the source says is private.",
    example: "private",
  }),
  dryRun: choice("Whether nothing is stored but the report."),
});

/** The API key of Immich, the app password of WebDAV, or the token for another site. It is only kept in memory. */
const keySchema = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^\P{C}+$/u, "must be one line of visible characters");

export const newPlanSchema = planSchema
  .extend({
    key: keySchema.optional().meta({
      description:
        "For `server`: the API key of Immich, the app password of Nextcloud and WebDAV, the token of another Vitrine, or the password if `username` is sent. It is kept in memory while the import runs, and never stored.",
    }),
  })
  .meta({ id: "NewSourceImport" });

export const resumeSchema = z
  .object({ key: keySchema.meta({ description: "As for the new import." }) })
  .meta({ id: "ImportKey" });

/** As it is read again: with all options. */
const storedPlanSchema = planSchema.extend({ fileIDs: z.array(z.int()).optional() }).meta({ id: "ImportPlan" });

export type Plan = z.output<typeof planSchema>;

export const parsePlan = (text: string | null): Plan | null =>
  text === null ? null : planSchema.parse(JSON.parse(text));

const path = z.string().meta({ description: "The directory.", example: "/2026/lisbon" });
const recursive = z.boolean().meta({ description: "Whether to include subdirectories." });

export const newImportSchema = z.object({ path, recursive: recursive.default(true) }).meta({ id: "NewImport" });

/** The result for each file. A file is `waiting` until it has been read. */
export const outcomes = ["imported", "exists", "refused", "waiting"] as const;
export type Outcome = (typeof outcomes)[number];

const count = z.int().meta({ example: 0 });
const countOf = (description: string, example = 0) => z.int().meta({ description, example });
const nullable = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  schema.nullable().meta({ description, example: null });

export const importSchema = z
  .object({
    id: z.int(),
    path,
    recursive,
    source: nullable(
      z.string(),
      "What was read, if it is outside the site: a folder or an archive. Null for a directory of the site.",
    ),
    kind: nullable(z.string(), "What the source was recognised as, such as `takeout`; null before that."),
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
    failure: nullable(z.string(), "Why the source could not be read; of a running import, why it cannot be read now."),
    items: z.object({ added: count, known: count, changed: count, refused: count, noted: count }).meta({
      description:
        "Number of items of the source by what became of them. Directories are not counted. Those that are `noted` were not to be imported: nothing is wrong with them.",
    }),
    totalItems: nullable(z.int(), "About how many items the source has, if that is known."),
    bytes: countOf("How much was stored."),
    seenBytes: countOf("How much of the source was read, or passed over."),
    totalBytes: nullable(z.int(), "How much the source has, if that is known."),
    bytesPerSecond: nullable(z.int(), "How fast it is being read."),
    secondsLeft: nullable(z.int(), "How long the current phase will take, if that can be told."),
    imported: countOf("Number of files from which photos were created.", 1),
    existing: countOf("Number of files of which you already had a photo."),
    refused: countOf("Number of files that cannot be imported."),
    left: countOf(
      "Number of files that are still to be read. In a finished import, these could not be read: import the directory again later.",
    ),
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
    reason: nullable(z.string(), "Why it was not imported."),
    photo: photoSchema.nullable(),
  })
  .meta({ id: "ImportedFile" });

export type ImportedFile = z.output<typeof importedFileSchema>;

export const importReportSchema = importSchema
  .extend({
    files: z.array(importedFileSchema).meta({ description: "The first 100 files of the import, oldest first." }),
  })
  .meta({ id: "ImportReport" });

/** The outcome of an item: new, there already, with new content, impossible, or only reported. */
const itemOutcomes = ["added", "known", "changed", "refused", "noted"] as const;
export type ItemOutcome = (typeof itemOutcomes)[number];

export const importItemSchema = z
  .object({
    id: z.int(),
    kind: z
      .string()
      .meta({ description: "Such as `file` or `album`; `refused` if that is not known.", example: "file" }),
    name: z.string().meta({ description: "What the source calls it.", example: "2019/harbour.jpg" }),
    outcome: z.enum(itemOutcomes),
    reason: nullable(z.string(), "Why it was refused, or what else there is to say of it."),
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
