import { z } from "zod";

const contents = (description: string) =>
  z.object({ count: z.int(), bytes: z.int() }).meta({ description, example: { count: 12, bytes: 48213 } });

const holdingsSchema = z.object({
  files: contents("Files that are not in the trash."),
  trash: contents("Files in the trash."),
  versions: contents("What files held before."),
  bytes: z.int().meta({ description: "Files, trash and versions together.", example: 144639 }),
  unfinishedUploads: contents("Uploads that are not finished, by their whole length. They count towards the quota."),
  directories: z.int(),
  photos: z.int(),
  posts: z.int(),
  comments: z.int(),
  albums: z.int(),
  savedByDeduplication: z
    .int()
    .meta({ description: "Bytes that take no room, because the same are stored already.", example: 0 }),
});

export type Holdings = z.output<typeof holdingsSchema>;

const ownerSchema = z
  .object({
    ownerID: z.int(),
    username: z.string().meta({ example: "ada" }),
    ...holdingsSchema.shape,
    quota: z
      .int()
      .nullable()
      .meta({ description: "How many bytes there may be; null: as many as there is room for.", example: 1_000_000 }),
  })
  .meta({ id: "OwnerStorage", description: "What somebody takes up." });

export const storageSchema = z
  .object({
    owners: z.array(ownerSchema).meta({ description: "Everybody for an admin, yourself for everybody else." }),
    site: holdingsSchema
      .extend({ stored: contents("Different contents: the same bytes are stored once.") })
      .nullable()
      .meta({ description: "All of it together, for an admin only." }),
  })
  .meta({ id: "StorageReport" });

export type StorageReport = z.output<typeof storageSchema>;
