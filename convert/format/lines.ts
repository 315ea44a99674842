import { z } from "zod";
import { albumFilterSchema } from "../../src/content/albums/filter.ts";
import { editsSchema } from "../../src/content/photos/edits.ts";
import { zoneSchema } from "../../src/content/photos/photo.ts";

/*
 * What a converter writes: one JSON object a line (docs/build/import-format.md). What no record can have is cut or refused where the record
 * is written.
 */

/** The version of the lines. */
export const formatVersion = 1;
export const lineLimits = {
  /** A post has up to a million characters, and each of them up to six bytes. */
  maxLineBytes: 2 ** 23,
  /** As many albums as a photo may be in, with its places in them. Each value takes longer to check than a long text. */
  maxValues: 10_000,
  maxEscapes: 1_500_000,
};

/** Says what was recognised. It comes first. */
export const headLine = z.object({
  kind: z.literal("source"),
  version: z.literal(formatVersion, { error: `must be ${formatVersion}` }),
  /** Such as `takeout`. */
  program: z.string().regex(/^[a-z0-9-]{1,40}$/, { error: "must be a short name of small letters" }),
  /** Tells it from others, for people and for the next time; null if that is left to the importer. */
  name: z.string().min(1).max(2000).nullable().default(null),
  /** The default for its files. */
  directory: z.string().default(""),
  /** Whether photos are made of its pictures whatever the importer has asked for. */
  alwaysHasPhotos: z.boolean().default(false),
  hasUniqueFiles: z.boolean().default(false),
});

/** What is known of the whole by now. */
export const totalLine = z.object({
  kind: z.literal("total"),
  items: z.int().min(0).nullable().default(null),
  bytes: z.int().min(0).nullable().default(null),
  /** How many files the source has, for the sentence that says what it was taken for. */
  files: z.int().min(0).nullable().default(null),
});

/** All items were there. */
export const endLine = z.object({ kind: z.literal("end") });

/** Nothing more can be read. */
export const failedLine = z.object({
  kind: z.literal("failed"),
  reason: z.string().min(1),
  code: z.enum(["invalid", "unavailable", "keyRefused", "broken"]).catch("broken").default("invalid"),
  field: z.exactOptional(z.string()),
});

/** What the source itself calls an item: the same every time the source is read, and unique among those of its kind. */
const key = z.string();

/** Nobody but the owner sees what a source says nothing of. */
const visibility = z.enum(["public", "private"]).default("private");

/** In milliseconds since 1970, or a text with a time zone. */
const time = z.union([z.number(), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))]);
const timeOrNull = time.nullable().default(null);

const albumItem = z.object({
  kind: z.literal("album"),
  key,
  name: z.string(),
  description: z.string().default(""),
  /** The album that contains it. */
  parent: key.nullable().default(null),
  visibility,
  /** By hand, if it says nothing else. */
  photoOrder: z.exactOptional(z.enum(["manual", "oldestFirst", "newestFirst"])),
  /** Of a smart album, whose photos follow from it. */
  filter: z.exactOptional(albumFilterSchema),
});

/** A directory that is there even if it has no files. */
const directoryItem = z.object({ kind: z.literal("directory"), key, path: z.array(z.string()), visibility });

const photoDetails = z.object({
  title: z.exactOptional(z.string()),
  description: z.exactOptional(z.string()),
  altText: z.exactOptional(z.string()),
  tags: z.exactOptional(z.array(z.string())),
  isFavourite: z.exactOptional(z.boolean()),
  /** When it was taken, as a moment: the file itself may say the same by the clock of the camera, which is better. */
  momentTaken: z.exactOptional(time),
  /**
   * When it was taken, by the clock at that place, as if that were UTC. It wins over what the file says, unless there is also a
   * moment, and the file says that.
   */
  clockTaken: z.exactOptional(time),
  /** The time zone of the camera's clock. `clockTaken` is then a moment. */
  takenAtZone: z.exactOptional(zoneSchema.nullable()),
  /** The time is only for a file that has none. */
  isTimeRough: z.exactOptional(z.boolean()),
  /** Where it was taken, unless the file itself says about the same. */
  place: z.exactOptional(z.object({ latitude: z.number(), longitude: z.number(), name: z.string().nullish() })),
  /** Whether everyone can see that place; otherwise only the owner can. */
  showLocation: z.exactOptional(z.boolean()),
  visibility: z.exactOptional(z.enum(["public", "private"])),
  /** How the picture is turned and cropped. `thumbhash` is that of the edited picture, if it is known. */
  edited: z.exactOptional(z.object({ edits: editsSchema, thumbhash: z.string().nullable() })),
});

/** Where the bytes of a file are: a file of the source (the first, or number `of`), or what the converter sends when it is asked. */
const reference = z.union([
  z.object({ of: z.int().min(0).default(0), path: z.array(z.string()).min(1) }),
  z.object({ id: z.int().min(1) }),
]);

const fileLine = z.object({
  kind: z.literal("file"),
  key,
  /** What reports call it, if its key says little. */
  name: z.exactOptional(z.string()),
  /** Where it will lie, below the directory that the importer chose. */
  path: z.array(z.string()).min(1),
  bytes: reference,
  size: z.exactOptional(z.int().min(0)),
  modifiedAt: z.exactOptional(time.nullable()),
  /** Changes with the content, if the source knows that better than size and time do: a checksum, an ETag. */
  version: z.exactOptional(z.string()),
  visibility,
  /** What the source says of the photo; null if there should be none. */
  photo: photoDetails.nullable().default(null),
  albums: z.array(key).default([]),
  /** Its place among the photos of its albums that are ordered by hand; in the others it comes last. */
  positions: z.exactOptional(z.record(z.string(), z.number())),
  /** Those of its albums whose cover it is. */
  coverOf: z.exactOptional(z.array(key)),
  /** Addresses, or paths, under which it was read. */
  oldAddresses: z.exactOptional(z.array(z.string())),
});

/** Somebody who has written something. An account of the same name is theirs; else one without a password is made. */
const personItem = z.object({
  kind: z.literal("person"),
  key,
  username: z.string(),
  displayName: z.string().default(""),
  /** What they say of themselves, and their addresses: for an account that is made. */
  about: z.exactOptional(z.string()),
  links: z.exactOptional(z.array(z.object({ url: z.string(), label: z.string().nullable().default(null) }))),
});

const postItem = z.object({
  kind: z.literal("post"),
  key,
  /** Whether it stands outside the blog. */
  isPage: z.boolean().default(false),
  title: z.string(),
  /** The one that it had; "" for one made from the title. */
  slug: z.string().default(""),
  /** Markdown. Files and albums of the source are targets of links and pictures in it, as `import:` and the encoded key. */
  content: z.string(),
  /** "" for the beginning of the content. */
  excerpt: z.string().default(""),
  tags: z.array(z.string()).default([]),
  /** Null for a draft; in the future, it is scheduled. */
  publishedAt: timeOrNull,
  createdAt: timeOrNull,
  updatedAt: timeOrNull,
  visibility,
  commentsOpen: z.boolean().default(true),
  /** A person; null for the importer. */
  author: key.nullable().default(null),
  /** A file. */
  cover: key.nullable().default(null),
  /** Addresses, or paths, under which it was read. */
  oldAddresses: z.array(z.string()).default([]),
});

/** Comments are shown in the order in which they are imported: the oldest of a post, photo or album comes first. */
const commentItem = z.object({
  kind: z.literal("comment"),
  key,
  /** A post, an album, or the photo of a file. */
  on: z.object({ kind: z.enum(["post", "album", "file"]), key }),
  /** The comment that it replies to. A reply to a reply becomes one to the first comment. */
  parent: key.nullable().default(null),
  /** One account without a password is made for each name and e-mail address. The address is not stored. */
  author: z.union([z.object({ person: key }), z.object({ name: z.string(), email: z.string().default("") })]),
  content: z.string(),
  createdAt: timeOrNull,
  /** Whether it waits for approval. */
  isWaiting: z.boolean().default(false),
  /** Whether somebody has hidden it. */
  isHidden: z.exactOptional(z.boolean()),
});

/** The key is an address, or path, of the earlier site, which is neither that of a post nor of a file. */
const redirectItem = z.object({
  kind: z.literal("redirect"),
  key,
  to: z.union([z.object({ tag: z.string() }), z.object({ path: z.templateLiteral(["/", z.string()]) })]),
});

/** What the source has, should be imported, and cannot be. */
const refusedItem = z.object({ kind: z.literal("refused"), key, reason: z.string() });

/** What is not meant to be imported, or is imported in another form: the report says it, and nothing is wrong. */
const noteItem = z.object({ kind: z.literal("note"), key, reason: z.string() });

export const itemLine = z.discriminatedUnion("kind", [
  albumItem,
  commentItem,
  directoryItem,
  fileLine,
  noteItem,
  personItem,
  postItem,
  redirectItem,
  refusedItem,
]);

export type Head = z.output<typeof headLine>;
export type Reference = z.output<typeof reference>;
export type AlbumItem = z.output<typeof albumItem>;
export type CommentItem = z.output<typeof commentItem>;
export type DirectoryItem = z.output<typeof directoryItem>;
export type FileLine = z.output<typeof fileLine>;
export type PersonItem = z.output<typeof personItem>;
export type PhotoDetails = z.output<typeof photoDetails>;
export type PostItem = z.output<typeof postItem>;
export type RedirectItem = z.output<typeof redirectItem>;
