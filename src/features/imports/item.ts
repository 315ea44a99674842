import type { Visibility } from "../../core/records/visibility.ts";
import type { Album } from "../../content/albums/album.ts";
import type { Edits } from "../../platform/images/edits.ts";
import type { SentPlace } from "../../content/photos/photo.ts";
import type { ByteStream } from "../../platform/byte-stream.ts";

/** What a source contains. Each item comes after those whose keys it names. */
export type Item =
  AlbumItem | CommentItem | DirectoryItem | FileItem | NoteItem | PersonItem | PostItem | RedirectItem | RefusedItem;

/** What the source itself calls an item: the same every time the source is read, and unique among those of its kind. */
type Key = string;

export type AlbumItem = {
  kind: "album";
  key: Key;
  name: string;
  description: string;
  /** The album that contains it. */
  parent: Key | null;
  visibility: Visibility;
  /** By hand, if it says nothing else. */
  photoOrder?: Album["photoOrder"];
  /** Of a smart album, whose photos follow from it. */
  filter?: NonNullable<Album["filter"]>;
};

/** A directory that is there even if it has no files. */
export type DirectoryItem = { kind: "directory"; key: Key; path: string[]; visibility: Visibility };

export type FileItem = {
  kind: "file";
  key: Key;
  /** What reports call it, if its key says little. */
  name?: string;
  /** Where it will lie, below the directory that the importer chose. */
  path: string[];
  size: number;
  modifiedAt: number | null;
  /** Changes with the content, if the source knows that better than size and time do: a checksum, an ETag. */
  version?: string;
  open(): ByteStream;
  visibility: Visibility;
  /** What the source says of the photo; null if there should be none. */
  photo: PhotoDetails | null;
  albums: Key[];
  /** Its place among the photos of its albums that are ordered by hand; in the others it comes last. */
  positions?: Record<Key, number>;
  /** Those of its albums whose cover it is. */
  coverOf?: Key[];
  /** Addresses, or paths, under which it was read. */
  oldAddresses?: string[];
};

/** Somebody who has written something. An account of the same name is theirs; else one without a password is made. */
export type PersonItem = { kind: "person"; key: Key; username: string; displayName: string };

export type PostItem = {
  kind: "post";
  key: Key;
  /** Whether it stands outside the blog. */
  isPage: boolean;
  title: string;
  /** The one that it had; "" for one made from the title. */
  slug: string;
  /** Markdown. Files and albums of the source are targets of links and pictures in it, as `referenceTo` writes them. */
  content: string;
  /** "" for the beginning of the content. */
  excerpt: string;
  tags: string[];
  /** Null for a draft; in the future, it is scheduled. */
  publishedAt: number | null;
  createdAt: number | null;
  updatedAt: number | null;
  visibility: Visibility;
  commentsOpen: boolean;
  /** A person; null for the importer. */
  author: Key | null;
  /** A file. */
  cover: Key | null;
  /** Addresses, or paths, under which it was read. */
  oldAddresses: string[];
};

/** Comments are shown in the order in which they are imported: the oldest of a post comes first. */
export type CommentItem = {
  kind: "comment";
  key: Key;
  post: Key;
  /** The comment that it replies to. A reply to a reply becomes one to the first comment. */
  parent: Key | null;
  /** One account without a password is made for each name and e-mail address. The address is not stored. */
  author: { person: Key } | { name: string; email: string };
  content: string;
  createdAt: number | null;
  /** Whether it waits for approval. */
  isWaiting: boolean;
  /** Whether somebody has hidden it. */
  isHidden?: boolean;
};

/** The key is an address, or path, of the earlier site, which is neither that of a post nor of a file. */
export type RedirectItem = { kind: "redirect"; key: Key; to: { tag: string } | { path: `/${string}` } };

export type PhotoDetails = {
  title?: string;
  description?: string;
  altText?: string;
  tags?: string[];
  isFavourite?: boolean;
  /** When it was taken, as a moment: the file itself may say the same by the clock of the camera, which is better. */
  momentTaken?: number;
  /**
   * When it was taken, by the clock at that place, as if that were UTC. It wins over what the file says, unless there is also a
   * moment, and the file says that.
   */
  clockTaken?: number;
  /** The time zone of the camera's clock. `clockTaken` is then a moment. */
  takenAtZone?: string | null;
  /** The time is only for a file that has none. */
  isTimeRough?: boolean;
  /** Where it was taken, unless the file itself says about the same. */
  place?: SentPlace;
  /** Whether everyone can see that place; otherwise only the owner can. */
  showLocation?: boolean;
  visibility?: Visibility;
  /** How the picture is turned and cropped. `thumbhash` is that of the edited picture, if it is known. */
  edited?: { edits: Edits; thumbhash: string | null };
};

/** What the source has, should be imported, and cannot be. */
type RefusedItem = { kind: "refused"; key: Key; reason: string };

/** What is not meant to be imported, or is imported in another form: the report says it, and nothing is wrong. */
type NoteItem = { kind: "note"; key: Key; reason: string };

/** What became of an item: it is new, was there already, has new content, cannot be imported, or is only told of. */
export type ItemOutcome = "added" | "known" | "changed" | "refused" | "noted";

/** A source that was recognised. */
export type Source = {
  kind:
    | "apple"
    | "facebook"
    | "flickr"
    | "folder"
    | "ghost"
    | "immich"
    | "instagram"
    | "lychee"
    | "markdown"
    | "nextcloud"
    | "takeout"
    | "vitrine"
    | "webdav"
    | "wordpress";
  /** Names it for people, and for the next time. */
  name: string;
  /** Whether no two files, and no two directories, have the same key: then none of them is remembered. */
  hasUniqueFiles?: boolean;
  items(): AsyncIterable<Item>;
  /** How many items there will be, about, and how many bytes the files among them have, once the source knows. */
  total?(): Total | null;
};

export type Total = { items: number; bytes: number };
