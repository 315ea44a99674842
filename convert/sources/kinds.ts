import { isUnusable, type Tree, type TreeFile } from "../../src/platform/archives/tree.ts";
import { invalid } from "../../src/platform/errors.ts";
import { nextTurn } from "../../src/platform/event-loop.ts";
import { appleKind } from "./apple.ts";
import { isMoving, isStill, withoutHidden } from "./files.ts";
import { flickrKind } from "./flickr.ts";
import { folderKind } from "./folder.ts";
import { ghostKind } from "./ghost/ghost.ts";
import type { SourceKind } from "./kind.ts";
import { lycheeKind } from "./lychee.ts";
import { markdownKind } from "./markdown/markdown.ts";
import { facebookKind } from "./meta/facebook.ts";
import { instagramKind } from "./meta/instagram.ts";
import { describeService, findService } from "./services.ts";
import { immichFolderKind, nextcloudKind } from "./storage-folders.ts";
import { takeoutKind } from "./takeout.ts";
import { exportKind } from "./vitrine/export.ts";
import { wordpressKind } from "./wordpress/wordpress.ts";

/** The first that recognises a tree is taken. */
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
  instagramKind,
  facebookKind,
  markdownKind,
];

/** What a tree is. Throws if it is something that is known and cannot be imported, unless it should be a folder of files all the same. */
export async function recognise(tree: Tree, asFolder = false): Promise<SourceKind> {
  const files = await sampleFiles(tree);
  if (asFolder) return leavingHidden(folderKind);
  for (const kind of kinds) {
    await nextTurn();
    if (await kind.recognise(files)) return kind.ownsHidden ? kind : leavingHidden(kind);
  }
  const service = findService(files);
  if (service !== null) throw invalid(describeService(service));
  return leavingHidden(folderKind);
}

/** The same kind, which takes hidden files only if somebody wants them. */
const leavingHidden = (kind: SourceKind): SourceKind => ({
  ...kind,
  list: (tree, options, setTotal) =>
    options.hasHidden
      ? kind.list(tree, options, setTotal)
      : withoutHidden(tree, (visible) => kind.list(visible, options, setTotal)),
});

/** Number of files inspected to detect the kind of source; of pictures and videos, fewer: a library may have nothing else. */
const [maxFiles, maxMedia] = [100_000, 2000];
/** Beyond these, one of each folder is inspected, so far down, and those whose names tell something. */
const [maxBeyond, deepest] = [20_000, 3];

/** Files that tell what a tree is, wherever they are in it. */
async function sampleFiles(tree: Tree): Promise<TreeFile[]> {
  const files: TreeFile[] = [];
  const folders = new Set<string>();
  const checkSite = createSiteCheck(tree.name);
  let [media, beyond] = [0, 0];
  for await (const entry of tree.list()) {
    if (isUnusable(entry) || "isDirectory" in entry) continue;
    const name = entry.path.at(-1) ?? "";
    const above = entry.path.slice(0, -1);
    checkSite(above.join("/"), name);
    const isMedia = isStill(name) || isMoving(name);
    if (isMedia) media++;
    const folder = above.slice(0, deepest).join("/");
    const isFirst = folders.size < maxBeyond && !folders.has(folder);
    if (isFirst) folders.add(folder);
    const isTelling = () => kinds.some((kind) => kind.isTelling?.(entry.path));
    if (files.length < maxFiles && !(isMedia && media > maxMedia)) files.push(entry);
    else if (isFirst || (beyond < maxBeyond && isTelling())) {
      files.push(entry);
      beyond++;
    }
  }
  return files;
}

/** Refuses the data directory of a site, wherever it is in a tree: it has the secrets of that site, and what its trash holds. */
function createSiteCheck(treeName: string) {
  const secrets = new Map<string, Set<string>>();
  return (directory: string, name: string): void => {
    if (name === "jwt-secret" || name === "format")
      secrets.set(directory, (secrets.get(directory) ?? new Set()).add(name));
    if (name === "vitrine.db" || secrets.get(directory)?.size === 2)
      throw invalid(
        `${directory || treeName} is the data directory of a Vitrine site: import what "vitrine export" writes of that site instead.`,
      );
  };
}
