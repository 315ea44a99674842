import { isUnusable, type Tree, type TreeFile, type Unusable } from "./tree.ts";

/** A directory of a tree with the files in it; `isListed` if the tree lists the directory itself. */
type DirectoryOfTree = { path: string[]; isListed: boolean; files: TreeFile[] };

/**
 * The directories of a tree, each with all its files, and what cannot be used. Of a folder, one directory is in memory at a
 * time; the entries of an archive can have any order, so that its list is read first.
 */
export async function* listByDirectory(tree: Tree): AsyncGenerator<DirectoryOfTree | Unusable> {
  const open = new Map<string, DirectoryOfTree>();
  const directoryAt = (path: string[]): DirectoryOfTree => {
    const key = path.join("/");
    const found = open.get(key) ?? { path, isListed: false, files: [] };
    open.set(key, found);
    return found;
  };
  let last = "";
  for await (const entry of tree.list()) {
    if (isUnusable(entry)) yield entry;
    else if ("isDirectory" in entry) directoryAt(entry.path).isListed = true;
    else directoryAt(entry.path.slice(0, -1)).files.push(entry);
    if (isUnusable(entry) || !tree.hasFilesTogether) continue;
    const current = ("isDirectory" in entry ? entry.path : entry.path.slice(0, -1)).join("/");
    if (current !== last) yield* close(current);
    last = current;
  }
  yield* close(null);

  function* close(except: string | null): Generator<DirectoryOfTree> {
    for (const [key, directory] of open) {
      if (key === except) continue;
      open.delete(key);
      yield directory;
    }
  }
}
