import { z } from "zod";
import type { Part } from "../../platform/database/tables.ts";

const contents = (description: string) =>
  z.object({ count: z.int(), bytes: z.int() }).meta({ description, example: { count: 12, bytes: 48213 } });

/** `Intl.ListFormat` would load the data of all languages at the start. */
const joinWords = (words: string[]) => `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** The fields for kinds of records, and for the bytes that modules declare. */
export type Fields = { counts: string[]; parts: Part[] };

const holdingsSchemaOf = ({ counts, parts }: Fields) =>
  z.object({
    files: contents("Files that are not in the trash."),
    images: contents("Images among the files."),
    videos: contents("Videos among the files."),
    otherFiles: contents("All other files."),
    trash: contents("Files in the trash."),
    ...Object.fromEntries(parts.map(({ field, description }) => [field, contents(description)])),
    bytes: z.int().meta({
      description: `${joinWords(["Files", "trash", ...parts.map(({ field }) => field)])} together.`,
      example: 144639,
    }),
    unfinishedUploads: contents(
      "Uploads that are not finished, by their whole length, and pictures from guests that wait for approval. They count towards the quota.",
    ),
    directories: z.int(),
    ...Object.fromEntries(counts.map((field) => [field, z.int()])),
    savedByDeduplication: z
      .int()
      .meta({ description: "Bytes that take no space, because the same content is already stored.", example: 0 }),
  });

/** With the counts of the kinds of records. */
export type Holdings = z.output<ReturnType<typeof holdingsSchemaOf>>;

const ownerSchemaOf = (fields: Fields) =>
  z
    .object({
      ownerID: z.int(),
      username: z.string().meta({ example: "ada" }),
      ...holdingsSchemaOf(fields).shape,
      quota: z
        .int()
        .nullable()
        .meta({ description: "The storage limit in bytes; null for no limit.", example: 1_000_000 }),
    })
    .meta({ id: "OwnerStorage", description: "The storage that one user takes." });

export type OwnerStorage = z.output<ReturnType<typeof ownerSchemaOf>>;

const countedAt = z.iso.datetime().meta({ description: "The time of the count." });

const variantsSchema = z.object({ count: z.int(), bytes: z.int(), countedAt }).meta({
  description: "Smaller copies of pictures, which can be created again. They are counted once a day; null before that.",
});

export type Variants = z.output<typeof variantsSchema>;

const monthSchema = z
  .object({ month: z.string().meta({ example: "2026-06" }), count: z.int(), bytes: z.int() })
  .meta({ id: "StorageMonth" });

export const storageSchemaOf = (fields: Fields) =>
  z
    .object({
      countedAt,
      owners: z
        .array(ownerSchemaOf(fields))
        .meta({ description: "For an admin, all users, or one page of them; otherwise only yourself." }),
      months: z.array(monthSchema).meta({
        description:
          "Files that are not in the trash, by the month (UTC) in which they were uploaded, newest first: for an admin, those of all users.",
      }),
      site: holdingsSchemaOf(fields)
        .extend({
          stored: contents("Different contents: the same bytes are stored once."),
          variants: variantsSchema.nullable(),
        })
        .nullable()
        .meta({ description: "The whole site; only for admins." }),
    })
    .meta({ id: "StorageReport" });

export type StorageReport = z.output<ReturnType<typeof storageSchemaOf>>;
