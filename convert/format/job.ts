import type { Visibility } from "../../src/core/records/visibility.ts";

/** What the importer chose. */
export type SourceOptions = {
  /** Whether a photo is made of each picture and video of a folder. */
  hasPhotos: boolean;
  /** Whether each folder with files becomes an album. */
  hasAlbums: boolean;
  /** Whether people in photos become tags. */
  hasPeople: boolean;
  /** Whether photos with five stars become favourites. */
  hasStars?: boolean;
  /** Whether hidden files are taken, too. */
  hasHidden?: boolean;
  /** Whether it is taken for a folder of files, whatever it is. */
  asFolder?: boolean;
  /** Whether files that are missing are read from the old site; and whether that may lie in a local network. */
  fetch?: { allowPrivate: boolean } | undefined;
  /** The most that others may see: what the source says is private stays private. */
  visibility: Visibility;
};

/** A server by its address, the user whose files are read ("" if the key is enough), and the key. */
export type NamedServer = {
  url: string;
  user: string;
  key: string;
  kind?: "immich" | "webdav" | "vitrine" | undefined;
  /** Whether it must not lie where no server of a person does: its address comes from a request. */
  isGuarded: boolean;
};

/** What the converter reads: folders and archives by their paths, archives that this process has, or a server. */
type Origin =
  | { paths: string[]; without: readonly string[] }
  | { files: { name: string; size: number }[] }
  | { server: NamedServer };

/** The first line that the converter gets. */
export type Job = {
  /** `check` finds out only whether a server responds and accepts the key. */
  action: "read" | "check";
  origin: Origin;
  options: SourceOptions;
  /** That of this site: its own export is refused. */
  siteID: string | null;
  /** Authorities that were added to those of the system. */
  certificates: string[];
};

/** How many items a source has, about, and how many bytes the files among them have. */
export type Total = { items: number; bytes: number };
