import type { Tree } from "../../src/platform/archives/tree.ts";
import { invalid } from "../../src/platform/errors.ts";
import { nextTurn } from "../../src/platform/event-loop.ts";
import { appleKind } from "./apple.ts";
import { flickrKind } from "./flickr.ts";
import { folderKind } from "./folder.ts";
import { ghostKind } from "./ghost/ghost.ts";
import { immichFolderKind } from "./immich-folder.ts";
import { withoutHidden } from "./hidden-files.ts";
import type { SourceKind } from "./kind.ts";
import { lycheeKind } from "./lychee.ts";
import { facebookKind } from "./meta/facebook.ts";
import { instagramKind } from "./meta/instagram.ts";
import { markdownKind } from "./markdown/markdown.ts";
import { nextcloudKind } from "./nextcloud.ts";
import { sampleFiles } from "./sample.ts";
import { describeService, findService } from "./services.ts";
import { createSiteCheck } from "./site-directory.ts";
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
  const checkSite = createSiteCheck(tree.name);
  const files = await sampleFiles(tree, {
    check: checkSite,
    isTelling: (path) => kinds.some((kind) => kind.isTelling?.(path)),
  });
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
  open: (tree, name, wish) =>
    wish.hasHidden ? kind.open(tree, name, wish) : withoutHidden(tree, (visible) => kind.open(visible, name, wish)),
});
