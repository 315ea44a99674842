import { isUnusable, type Tree, type TreeFile } from "../../src/platform/archives/tree.ts";
import { isMoving, isStill } from "./parts.ts";

/** So many files are seen. */
const most = 100_000;
/** Of pictures and videos, fewer: a library may have nothing else. */
const mostMedia = 2000;
/** Beyond these, one of each folder is seen, so far down, and those whose names tell something. */
const mostBeyond = 20_000;
const deepest = 3;

/** Files that tell what a tree is, wherever they stand in it. */
export async function sampleFiles(
  tree: Tree,
  { check, isTelling }: { check(path: string[]): void; isTelling(path: string[]): boolean },
): Promise<TreeFile[]> {
  const files: TreeFile[] = [];
  const folders = new Set<string>();
  let [media, beyond] = [0, 0];
  for await (const entry of tree.list()) {
    if (isUnusable(entry) || "isDirectory" in entry) continue;
    check(entry.path);
    const name = entry.path.at(-1) ?? "";
    const isMedia = isStill(name) || isMoving(name);
    if (isMedia) media++;
    const folder = entry.path.slice(0, -1).slice(0, deepest).join("/");
    const isFirst = folders.size < mostBeyond && !folders.has(folder);
    if (isFirst) folders.add(folder);
    if (files.length < most && !(isMedia && media > mostMedia)) files.push(entry);
    else if (isFirst || (beyond < mostBeyond && isTelling(entry.path))) {
      files.push(entry);
      beyond++;
    }
  }
  return files;
}
