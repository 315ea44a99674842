import type { Visibility } from "../../../core/records/visibility.ts";
import { isUnusable, type Tree, type TreeFile } from "../../../platform/archives/tree.ts";
import type { Source } from "../item.ts";
import { folderKind } from "./folder.ts";
import { takeoutKind } from "./takeout.ts";

/** What the importer chose. */
export type SourceWish = {
  /** Whether a photo is made of each picture and video of a folder. */
  hasPhotos: boolean;
  /** Whether each folder with files becomes an album. */
  hasAlbums: boolean;
  /** Whether people in photos become tags. */
  hasPeople: boolean;
  visibility: Visibility | undefined;
};

/** A kind of source, such as the export of one program. */
export type SourceKind = {
  kind: Source["kind"];
  /** What people call it, and the directory for its files; null for a folder, which has a name of its own. */
  title: string | null;
  /** Whether photos are always made of its pictures. */
  alwaysHasPhotos: boolean;
  /** Whether the tree that has these files is one. */
  recognise(files: TreeFile[]): Promise<boolean>;
  open(tree: Tree, name: string, wish: SourceWish): Source;
};

/** The first that recognises a tree is taken: a folder is anything. */
const kinds: SourceKind[] = [takeoutKind, folderKind];

/** So many files tell what a tree is. */
const filesSeen = 100_000;

export async function recognise(tree: Tree): Promise<SourceKind> {
  const files: TreeFile[] = [];
  for await (const entry of tree.list()) {
    if (isUnusable(entry) || "isDirectory" in entry) continue;
    if (files.push(entry) >= filesSeen) break;
  }
  for (const kind of kinds) if (await kind.recognise(files)) return kind;
  return folderKind;
}
