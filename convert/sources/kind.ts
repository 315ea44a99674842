import type { SourceOptions } from "../format/job.ts";
import type { Total } from "../format/job.ts";
import type { Tree, TreeFile } from "../../src/platform/archives/tree.ts";
import type { Item } from "./items.ts";

/** Says how many items there are, about, and how many bytes, as soon as that is known. */
export type SetTotal = (total: Total) => void;

/** A kind of source, such as the export of one program. */
export type SourceKind = {
  kind: string;
  /** What people call it, and the directory for its files; null for a folder, which has a name of its own. */
  title: string | null;
  /** Whether photos are always made of its pictures. */
  alwaysHasPhotos: boolean;
  /** Whether it decides itself which hidden files belong to it. */
  ownsHidden?: true;
  /** Whether a file of this name may tell that: it is among those that `recognise` gets, however many others there are. */
  isTelling?(path: string[]): boolean;
  /** Tells it from others of its kind, for people and for the next time. Throws a sentence if the site with this id cannot have it. */
  nameOf?(tree: Tree, siteID: string | null): Promise<string>;
  /** Whether no two files, and no two directories, have the same key: then none of them is remembered. */
  hasUniqueFiles?(tree: Tree): boolean;
  /** Whether the tree that has these files is one. */
  recognise(files: TreeFile[]): Promise<boolean>;
  list(tree: Tree, options: SourceOptions, setTotal: SetTotal): AsyncIterable<Item>;
};
