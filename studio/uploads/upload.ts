import type { File as StoredFile } from "../../client/src/index.ts";
import type { Visibility } from "../lib/default-visibility.ts";

/** A file that a person has chosen, and the directory in it if they have chosen a whole one, such as `Lisbon/day 2`. */
export type ChosenFile = { file: File; directory?: string };

/** Called for each file, unless the page was loaded again in between. */
type Callbacks = {
  onStored?: (result: { file: StoredFile; photoID: number | null }) => void;
  /** It can be tried again. */
  onFailed?: () => void;
  onCancelled?: () => void;
};

export type Target = Callbacks & {
  /** Such as `/2026`. */
  directory: string;
  /** Also creates a photo for each picture and video. */
  isPhoto: boolean;
  /** The album to which the photos are added. */
  albumID?: number;
  /** Who sees it. Default: what is chosen for uploads. */
  visibility?: Visibility | undefined;
  /** The directory is private, so there is no choice. */
  isInPrivateFolder?: boolean;
  /** What to do if the name is taken in the directory. Default: `reuse`, which keeps both files unless they are the same. */
  onConflict?: "reuse" | "replace";
};

/** What is remembered of an upload, even after the page was loaded again. */
export type Upload = {
  id: string;
  /** Who uploads: on a computer that several people use, each continues their own. */
  userID: number;
  /** The tab that sends it. */
  tabID: string;
  name: string;
  size: number;
  lastModified: number;
  /** The directory on the server. */
  path: string;
  isPhoto: boolean;
  albumID: number | null;
  onConflict: "reuse" | "replace";
  /** Who will see it. Null if the directory decides. */
  visibility: Visibility | null;
  /** Private because its directory is. */
  isInPrivateFolder: boolean;
  /** The file on the server, once it is stored. */
  fileID: number | null;
  state: UploadState;
  /** Bytes that the server has. */
  sent: number;
  /** The unfinished upload on the server. */
  serverID: number | null;
  /** Why it has failed. */
  problem: string | null;
  /** Whether the browser keeps the file itself, so that a reload loses nothing. */
  isKept: boolean;
};

/**
 * `waiting` for its turn, `sending`, `finished`, `existing` (the server had it already), `failed`, or `lost`: the page was
 * loaded again, and the browser does not have the file any longer. It has to be chosen again.
 */
type UploadState = "waiting" | "sending" | "finished" | "existing" | "failed" | "lost";

export const isOver = ({ state }: Pick<Upload, "state">): boolean => state === "finished" || state === "existing";

export const isUnfinished = ({ state }: Upload): boolean => state === "waiting" || state === "sending";

/** As the server stores it: some systems write accents as separate characters. */
export const nameOf = (file: File): string => file.name.normalize();

/** The same for an upload and for its file, if it is chosen again. */
export const keyOf = ({ name, size, lastModified }: Pick<Upload, "name" | "size" | "lastModified">): string =>
  JSON.stringify([name.normalize(), size, lastModified]);
