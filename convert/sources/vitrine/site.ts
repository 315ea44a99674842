import { z } from "zod";
import { albumFilterSchema } from "../../../src/content/albums/filter.ts";
import { zoneSchema } from "../../../src/content/photos/photo.ts";

/** Records of another site, as its API sends them; an export is read as the same. */

const visibility = z.enum(["public", "private"]).catch("private");
const text = z.string().catch("");
const time = z.string().nullable().catch(null);
const tags = z.array(z.string()).catch([]);
const reference = z.int().nullable().catch(null);

export const siteFile = z.object({
  id: z.int(),
  name: z.string(),
  path: z.string(),
  isDirectory: z.boolean(),
  size: z.int(),
  sha256: z.string().nullable(),
  /** In an export, it is private if a directory above it is. */
  visibility,
  ownerID: z.int(),
  updatedAt: z.string(),
});

export const sitePhoto = z.object({
  id: z.int(),
  title: z.string(),
  description: text,
  altText: text,
  tags,
  isFavourite: z.boolean().catch(false),
  fileID: z.int().nullable(),
  takenAt: time,
  takenAtZone: zoneSchema.nullable().catch(null),
  place: z
    .object({
      latitude: z.number().nullable(),
      longitude: z.number().nullable(),
      name: z.string().nullish().catch(null),
    })
    .nullable()
    .catch(null),
  showLocation: z.boolean().catch(false),
  // It is private if it is edited in a way that is not understood.
  edits: z.unknown().optional(),
  /** That of the edited picture. */
  thumbhash: time,
  visibility,
});

export const siteAlbum = z.object({
  id: z.int(),
  name: z.string(),
  description: text,
  parentID: z.int().nullable(),
  visibility,
  coverPhotoID: reference,
  photoOrder: z.enum(["manual", "oldestFirst", "newestFirst"]).catch("manual"),
  filter: albumFilterSchema.nullable().catch(null),
});

export const sitePost = z.object({
  id: z.int(),
  kind: z.enum(["post", "page"]),
  title: z.string(),
  slug: z.string(),
  content: z.string(),
  /** "" for the beginning of the content. */
  excerpt: text,
  tags,
  coverID: reference,
  visibility,
  publishedAt: z.string().nullable(),
  commentsOpen: z.boolean().catch(false),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export const siteComment = z.object({
  id: z.int(),
  content: z.string(),
  parentID: reference,
  status: z.string(),
  author: z.object({ username: z.string() }),
  createdAt: z.string(),
});

export type SiteFile = z.output<typeof siteFile>;
export type SitePhoto = z.output<typeof sitePhoto>;
export type SiteAlbum = z.output<typeof siteAlbum>;
export type SitePost = z.output<typeof sitePost>;
export type SiteComment = Omit<z.output<typeof siteComment>, "author">;

/** The keys of records, so that texts can name them. */
export const recordKey = (kind: "album" | "comment" | "file" | "person" | "post", id: number | string): string =>
  `${kind} ${id}`;
