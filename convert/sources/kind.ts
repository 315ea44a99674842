import type { Visibility } from "../../src/core/records/visibility.ts";
import type { Reader } from "../../src/platform/database/database.ts";
import type { Tree, TreeFile } from "../../src/platform/archives/tree.ts";
import type { Item, Source, Total } from "../../src/features/imports/item.ts";

/** What the importer chose. */
export type SourceWish = {
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
  /** Whether files that are missing are read from the old site; and whether that may lie in a local network. */
  fetch?: { allowPrivate: boolean; signal?: AbortSignal } | undefined;
  /** The most that others may see: what the source says is private stays private. */
  visibility: Visibility;
};

/** A kind of source, such as the export of one program. */
export type SourceKind = {
  kind: Source["kind"];
  /** What people call it, and the directory for its files; null for a folder, which has a name of its own. */
  title: string | null;
  /** Whether photos are always made of its pictures. */
  alwaysHasPhotos: boolean;
  /** Whether it decides itself which hidden files belong to it. */
  ownsHidden?: true;
  /** Tells it from others of its kind, for people and for the next time. Throws a sentence if this site cannot have it. */
  nameOf?(tree: Tree, db: Reader): Promise<string>;
  /** Whether a file of this name may tell that: it is among those that `recognise` gets, however many others there are. */
  isTelling?(path: string[]): boolean;
  /** Whether the tree that has these files is one. */
  recognise(files: TreeFile[]): Promise<boolean>;
  open(tree: Tree, name: string, wish: SourceWish): Source;
};

/** A source that says how much it has, once it has read enough to know. */
export function sourceWithTotal(
  kind: Source["kind"],
  name: string,
  items: (tell: (total: Total) => void) => AsyncIterable<Item>,
): Source {
  let total: Total | null = null;
  const tell = (known: Total) => {
    total = known;
  };
  return { kind, name, items: () => items(tell), total: () => total };
}
