import type { Visibility } from "../../core/records/visibility.ts";
import type { Album } from "../../content/albums/album.ts";
import type { SentPlace } from "../../content/photos/photo.ts";

/** What a source contains. Each item comes after those whose keys it names. */
export type Item = AlbumItem | DirectoryItem | FileItem | RefusedItem;

/** What the source itself calls an item: the same every time the source is read, and unique among those of its kind. */
type Key = string;

export type AlbumItem = {
  kind: "album";
  key: Key;
  name: string;
  description: string;
  /** The album that contains it. */
  parent: Key | null;
  visibility: Visibility | undefined;
  /** By hand, if it says nothing else. */
  photoOrder?: Album["photoOrder"];
};

/** A directory that is there even if it has no files. */
export type DirectoryItem = { kind: "directory"; key: Key; path: string[] };

export type FileItem = {
  kind: "file";
  key: Key;
  /** Where it will lie, below the directory that the importer chose. */
  path: string[];
  size: number;
  modifiedAt: number | null;
  /** Changes with the content, if the source knows that better than size and time do: a checksum, an ETag. */
  version?: string;
  open(): AsyncIterable<Uint8Array>;
  visibility: Visibility | undefined;
  /** What the source says of the photo; null if there should be none. */
  photo: PhotoDetails | null;
  albums: Key[];
  /** Its place among the photos of its albums that are ordered by hand; in the others it comes last. */
  positions?: Record<Key, number>;
  /** Those of its albums whose cover it is. */
  coverOf?: Key[];
};

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
  /** The time is only for a file that has none. */
  isTimeRough?: boolean;
  /** Where it was taken, unless the file itself says about the same. */
  place?: SentPlace;
  visibility?: Visibility;
};

/** What the source has and cannot be imported. */
type RefusedItem = { kind: "refused"; key: Key; reason: string };

/** What became of an item: it is new, was there already, has new content, or cannot be imported. */
export type ItemOutcome = "added" | "known" | "changed" | "refused";

/** A source that was recognised. */
export type Source = {
  kind: "folder" | "takeout" | "apple" | "flickr" | "lychee" | "nextcloud";
  /** Names it for people, and for the next time. */
  name: string;
  items(): AsyncIterable<Item>;
};
