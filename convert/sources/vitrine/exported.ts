import { z } from "zod";
import type { ReadExport } from "../../../src/platform/archives/vitrine-export.ts";
import { invalid } from "../../../src/platform/errors.ts";
import { publicIf } from "../items.ts";
import { siteAlbum, type SiteAlbum, siteComment, sitePhoto, type SitePhoto, type SitePost } from "./site.ts";

/** The records of an export (`docs/reference/export-fields.md`), as far as another site takes them. */

const id = z.int().min(0);
const reference = id.nullable().catch(null);
const text = z.string().catch("");
const time = z.string().nullable().catch(null);
const tags = z.array(z.string()).catch([]);
/** What cannot be understood is private. */
const isPrivate = z.boolean().catch(true);
const trashID = id.nullable().catch(null);

const schemas = {
  people: z.object({ id, username: z.string() }),
  profiles: z.object({
    userID: id,
    displayName: text,
    about: text,
    links: z.array(z.object({ url: z.string(), label: z.string().nullable().catch(null) })).catch([]),
  }),
  files: z.object({
    id,
    parentID: id,
    ownerID: id,
    trashID,
    name: z.string(),
    size: id,
    sha256: z.string().nullable(),
    isPrivate,
    updatedAt: text,
    path: text,
  }),
  photos: sitePhoto.omit({ visibility: true, showLocation: true }).extend({
    ownerID: id,
    trashID,
    fileID: reference,
    title: text,
    isPrivate,
    locationShownAt: time,
    // As it is stored, with the hash of the file that it was made from.
    edits: z
      .object({ edits: z.unknown(), thumbhash: z.string().catch(""), of: text })
      .nullable()
      .catch({ edits: "unknown", thumbhash: "", of: "" }),
  }),
  albums: siteAlbum.omit({ visibility: true }).extend({
    trashID,
    parentID: reference,
    position: z.number().catch(0),
    name: text,
    isPrivate,
  }),
  "album-photos": z.object({ albumID: id, photoID: id, position: z.number().catch(0) }),
  posts: z.object({
    id,
    ownerID: id,
    trashID,
    isPage: z.boolean(),
    title: text,
    slug: text,
    status: z.string(),
    chosenPrivate: isPrivate,
    publishedAt: time,
    tags,
    excerpt: text,
    coverID: reference,
    commentsClosedAt: time,
    createdAt: text,
    updatedAt: text,
    content: z.string(),
  }),
  slugs: z.object({ slug: z.string(), postID: id }),
  comments: siteComment
    .omit({ author: true })
    .extend({ ownerID: id, trashID, postID: reference, photoID: reference, albumID: reference, createdAt: text }),
  redirects: z.object({
    address: z.string(),
    kind: z.string(),
    recordID: reference,
    target: z.string().nullable().catch(null),
  }),
};

type Schemas = typeof schemas;
type Name = keyof Schemas;
export type Exported<File extends Name> = z.output<Schemas[File]>;

/** What is kept in memory while an export is read. */
const remembered: Name[] = ["people", "profiles", "photos", "albums", "album-photos", "slugs", "redirects"];
const mostRemembered = 2 ** 30;

/** Reads records of an export without those in the trash, and counts what is not as it should be. */
export function createRecordReader(site: ReadExport) {
  const unreadable = new Map<string, number>();
  for (const file of remembered)
    if ((site.find(`data/${file}.jsonl`)?.size ?? 0) > mostRemembered)
      throw invalid(`data/${file}.jsonl is too large to be added to another site.`);

  async function* read<File extends Name>(file: File): AsyncGenerator<Exported<File>> {
    const schema: z.ZodType = schemas[file];
    unreadable.delete(file);
    for await (const record of site.read(file)) {
      const { data, success } = schema.safeParse(record);
      if (!success) unreadable.set(file, (unreadable.get(file) ?? 0) + 1);
      else if ((data as { trashID?: number | null }).trashID == null) yield data as Exported<File>;
    }
  }

  return { unreadable: unreadable as ReadonlyMap<string, number>, read };
}

export type RecordReader = ReturnType<typeof createRecordReader>;

/** As the API would send it to an admin. */
export function toSitePhoto(photo: Exported<"photos">): SitePhoto & { ownerID: number; editedOf: string } {
  const { isPrivate: isHidden, locationShownAt, edits, ...same } = photo;
  return {
    ...same,
    edits: edits?.edits,
    thumbhash: edits?.thumbhash ?? null,
    editedOf: edits?.of ?? "",
    showLocation: locationShownAt !== null,
    visibility: publicIf(!isHidden),
  };
}

export const toSiteAlbum = (album: Exported<"albums">): SiteAlbum & { position: number } => ({
  ...album,
  visibility: publicIf(!album.isPrivate),
});

export function toSitePost(post: Exported<"posts">): SitePost {
  const { isPage, status, chosenPrivate, publishedAt, commentsClosedAt, ...same } = post;
  return {
    ...same,
    kind: isPage ? "page" : "post",
    visibility: publicIf(!chosenPrivate),
    publishedAt: status === "draft" ? null : (publishedAt ?? same.createdAt),
    commentsOpen: commentsClosedAt === null,
  };
}
