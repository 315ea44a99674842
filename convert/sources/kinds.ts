import { isUnusable, type Tree, type TreeFile } from "../../src/platform/archives/tree.ts";
import { nextTurn } from "../../src/platform/event-loop.ts";
import { indexName } from "../../src/platform/archives/vitrine-export.ts";
import { appleKind } from "./apple.ts";
import { flickrKind } from "./flickr.ts";
import { folderKind } from "./folder.ts";
import { ghostKind } from "./ghost/ghost.ts";
import { immichFolderKind } from "./immich-folder.ts";
import { withoutHidden } from "./hidden-files.ts";
import type { SourceKind } from "./kind.ts";
import { lycheeKind } from "./lychee.ts";
import { markdownKind } from "./markdown/markdown.ts";
import { nextcloudKind } from "./nextcloud.ts";
import { isMoving, isStill } from "./parts.ts";
import { createSiteCheck } from "./site-directory.ts";
import { takeoutKind } from "./takeout.ts";
import { exportKind } from "./vitrine/export.ts";
import { wordpressKind } from "./wordpress/wordpress.ts";

/** The first that recognises a tree is taken: a folder is anything. */
const kinds: SourceKind[] = [
  exportKind,
  takeoutKind,
  appleKind,
  flickrKind,
  lycheeKind,
  immichFolderKind,
  nextcloudKind,
  ghostKind,
  wordpressKind,
  markdownKind,
  folderKind,
];

/** So many files tell what a tree is. */
const filesSeen = 100_000;
/** Of pictures and videos, fewer do: a library may have nothing else. */
const mediaSeen = 2000;

export async function recognise(tree: Tree): Promise<SourceKind> {
  const files: TreeFile[] = [];
  const checkSite = createSiteCheck(tree.name);
  let media = 0;
  for await (const entry of tree.list()) {
    if (isUnusable(entry) || "isDirectory" in entry) continue;
    checkSite(entry.path);
    const name = entry.path.at(-1) ?? "";
    if ((isStill(name) || isMoving(name)) && ++media > mediaSeen) continue;
    // An export says last what it is.
    if (files.length < filesSeen || name === indexName) files.push(entry);
  }
  for (const kind of kinds) {
    await nextTurn();
    if (await kind.recognise(files)) return kind.ownsHidden ? kind : leavingHidden(kind);
  }
  return leavingHidden(folderKind);
}

/** The same kind, which takes hidden files only if somebody wants them. */
const leavingHidden = (kind: SourceKind): SourceKind => ({
  ...kind,
  open: (tree, name, wish) =>
    wish.hasHidden ? kind.open(tree, name, wish) : withoutHidden(tree, (visible) => kind.open(visible, name, wish)),
});
