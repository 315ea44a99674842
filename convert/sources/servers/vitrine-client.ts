import { z } from "zod";
import { albumFilterSchema } from "../../../src/content/albums/filter.ts";
import { zoneSchema } from "../../../src/content/photos/photo.ts";
import type { Remote } from "../../../src/platform/outgoing/remote.ts";

const longestResponse = 2 ** 26;
const mostRecords = 5_000_000;

const visibility = z.enum(["public", "private"]).catch("private");

const user = z.object({ id: z.int(), role: z.string() });

const file = z.object({
  id: z.int(),
  name: z.string(),
  path: z.string(),
  isDirectory: z.boolean(),
  size: z.int(),
  sha256: z.string().nullable(),
  visibility,
  ownerID: z.int(),
  updatedAt: z.string(),
});

const place = z.object({
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  name: z.string().nullable().catch(null),
});

const photo = z.object({
  id: z.int(),
  title: z.string(),
  description: z.string().catch(""),
  altText: z.string().catch(""),
  tags: z.array(z.string()).catch([]),
  isFavourite: z.boolean().catch(false),
  fileID: z.int().nullable(),
  takenAt: z.string().nullable().catch(null),
  takenAtZone: zoneSchema.nullable().catch(null),
  place: place.nullable().catch(null),
  showLocation: z.boolean().catch(false),
  // It is private if it is edited in a way that is not understood.
  edits: z.unknown().optional(),
  thumbhash: z.string().nullable().catch(null),
  visibility,
});

const album = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string().catch(""),
  parentID: z.int().nullable(),
  visibility,
  coverPhotoID: z.int().nullable().catch(null),
  photoOrder: z.enum(["manual", "oldestFirst", "newestFirst"]).catch("manual"),
  filter: albumFilterSchema.nullable().catch(null),
});

const post = z.object({
  id: z.int(),
  kind: z.enum(["post", "page"]),
  title: z.string(),
  slug: z.string(),
  content: z.string(),
  excerpt: z.string().catch(""),
  tags: z.array(z.string()).catch([]),
  coverID: z.int().nullable().catch(null),
  visibility,
  publishedAt: z.string().nullable(),
  commentsOpen: z.boolean().catch(false),
  createdAt: z.string(),
  updatedAt: z.string(),
});

const comment = z.object({
  id: z.int(),
  content: z.string(),
  parentID: z.int().nullable().catch(null),
  status: z.string(),
  author: z.object({ username: z.string() }),
  createdAt: z.string(),
});

export type VitrineFile = z.output<typeof file>;
export type VitrinePhoto = z.output<typeof photo>;
export type VitrineAlbum = z.output<typeof album>;

/** The token of a person who has a password. */
export async function signIn(remote: Remote, username: string, password: string): Promise<string> {
  const options = {
    method: "POST" as const,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username, password }),
  };
  const signedIn = z.object({ token: z.string() });
  return signedIn.parse(JSON.parse(await remote.text("/signin", longestResponse, options))).token;
}

/** The API of another site, as far as it is read. */
export function createVitrineClient(remote: Remote) {
  /** A list by cursor, to its end. */
  async function* list<Schema extends z.ZodType>(path: string, schema: Schema): AsyncGenerator<z.output<Schema>> {
    let count = 0;
    const seen = new Set<string>();
    for (let address: string | null = path; address !== null && !seen.has(address);) {
      seen.add(address);
      const { text, next }: { text: string; next: string | null } = await remote.page(address, longestResponse);
      const found = z.array(z.unknown()).parse(JSON.parse(text));
      for (const one of found) yield schema.parse(one);
      count += found.length;
      if (count > mostRecords) throw new Error(`${remote.url} does not come to an end.`);
      address = next;
    }
  }

  const pages = "cursor=&pageSize=500";
  return {
    async readMe() {
      const whole = user.parse(JSON.parse(await remote.text("/api/v1/me", longestResponse)));
      const isAdmin = whole.role === "admin";
      return { id: whole.id, isAdmin, whose: isAdmin ? "visibility=all" : "owner=me" };
    },
    photos: (whose: string) => list(`/api/v1/photos?${whose}&${pages}`, photo),
    albums: (whose: string) => list(`/api/v1/albums?${whose}&${pages}`, album),
    photosOf: (albumID: number) => list(`/api/v1/albums/${albumID}/photos?${pages}`, z.object({ id: z.int() })),
    posts: (whose: string, kind: "post" | "page") =>
      list(`/api/v1/blog?${whose}&kind=${kind}&sort=createdAt&order=asc&${pages}`, post),
    comments: (postID: number) => list(`/api/v1/comments?blogPostID=${postID}&${pages}`, comment),
    directory: (path: string) => list(`/api/v1/files?path=${encodeURIComponent(path)}&${pages}`, file),
  };
}

export type VitrineClient = ReturnType<typeof createVitrineClient>;
