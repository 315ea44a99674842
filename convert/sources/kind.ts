import type { SourceOptions as SourceWish } from "../../src/features/imports/converter-job.ts";
import type { Tree, TreeFile } from "../../src/platform/archives/tree.ts";
import type { Item, Source, Total } from "../../src/features/imports/item.ts";

export type { SourceWish };

/** A kind of source, such as the export of one program. */
export type SourceKind = {
  kind: Source["kind"];
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
