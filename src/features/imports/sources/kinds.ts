import { isUnusable, type Tree, type TreeFile } from "../../../platform/archives/tree.ts";
import { folderKind } from "./folder.ts";
import { immichFolderKind } from "./immich-folder.ts";
import type { SourceKind } from "./kind.ts";
import { takeoutKind } from "./takeout.ts";
import { wordpressKind } from "./wordpress/wordpress.ts";

/** The first that recognises a tree is taken: a folder is anything. */
const kinds: SourceKind[] = [takeoutKind, immichFolderKind, wordpressKind, folderKind];

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
