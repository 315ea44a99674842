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

/** What the converter gets after the job. */
export type Request =
  /** The bytes of a file are wanted, as a stream with this number. */
  | { kind: "open"; stream: number; id: number }
  /** So many bytes of a stream were used, or of the lines (stream 0). A line counts as `besideLine` more. */
  | { kind: "used"; stream: number; bytes: number }
  | { kind: "close"; stream: number }
  /** A part of an archive, which follows; or why it cannot be read. */
  | { kind: "part"; stream: number; failure?: string };

/** What the converter sends beside the lines that anybody may write. */
export type Message =
  /** Bytes of a stream, which follow. */
  | { kind: "bytes"; stream: number }
  | { kind: "closed"; stream: number; failure?: StreamFailure }
  /** A part of an archive is wanted. */
  | { kind: "part"; stream: number; file: number; start: number; end: number }
  /** It comes on, though there is no line to show for it. */
  | { kind: "working" };

/** Only this file, or its storage, or the server that it comes from. */
export type StreamFailure = {
  kind: "unusable" | "damaged" | "storage" | "unavailable" | "keyRefused";
  message: string;
};

/** By how many bytes of a stream the converter may be ahead of those who use it. */
export const maxAhead = 2 ** 20;
export const lineStream = 0;
export const besideLine = 2 ** 10;
/** The most bytes that follow a line. */
export const maxBodyBytes = 2 ** 22;

/** How many items a source has, about, and how many bytes the files among them have. */
export type Total = { items: number; bytes: number };
