import type { ByteStream } from "../byte-stream.ts";

/** A file in a tree. */
export type TreeFile = {
  /** The names from the top of the tree downwards: never empty, absolute, or with "..". */
  path: string[];
  size: number;
  modifiedAt: number | null;
  /** Which of several trees has it, if they are read as one. */
  part?: number;
  /** Throws an `UnusableEntry` if the bytes are not those that the tree says. */
  open(): ByteStream;
};

/** It comes before what lies in it; an archive may not have all. */
type TreeDirectory = { path: string[]; isDirectory: true };

/** What a tree has and nobody can use, with the reason, or nobody needs. */
export type Unusable = { path: string; reason: string; isNeedless?: boolean };

export type TreeEntry = TreeFile | TreeDirectory | Unusable;

/** A folder, or an archive of one. Nothing of an archive is unpacked before it is opened. */
export type Tree = AsyncDisposable & {
  /** The name of the folder, or of the archive without its extension. */
  name: string;
  /** Whether the files of a directory come one after another, before the directories in it. */
  hasFilesTogether?: boolean;
  list(): AsyncIterable<TreeEntry>;
};

export const isUnusable = (entry: TreeEntry): entry is Unusable => "reason" in entry;

/** Where a file lies as it is: below the real path of a folder. */
type Place = { root: string; path: string[] };
const places = new WeakMap<TreeFile["open"], Place>();

/** Says where the file lies that this function opens. */
export function inPlace(open: TreeFile["open"], place: Place): TreeFile["open"] {
  places.set(open, place);
  return open;
}

/** Null for a file that is in an archive, or elsewhere. */
export const placeOf = (open: TreeFile["open"]): Place | null => places.get(open) ?? null;

/** The bytes of one file cannot be read; those of others may be fine. */
export class UnusableEntry extends Error {}

/** They were damaged on their way: another time they may be fine. */
export class DamagedEntry extends UnusableEntry {}

/** A folder or archive that cannot be read at all. */
export class UnusableTree extends Error {}

/** What systems leave in folders and archives beside the files of people. */
const leftovers = new Set([".DS_Store", "Thumbs.db", "desktop.ini", "__MACOSX", "@eaDir", ".@__thumb", "lost+found"]);

export const isLeftover = (name: string) => leftovers.has(name) || name.startsWith("._");

/** The names of a path in an archive, none for its top; a sentence if it leads out of the archive. */
export function splitArchivePath(path: string): string[] | string {
  if (path.startsWith("/") || /^[a-z]:\//i.test(path)) return "Its path is absolute.";
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) return 'Its path contains "..".';
  return names;
}
