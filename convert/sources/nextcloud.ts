import {
  isUnusable,
  type Tree,
  type TreeEntry,
  type TreeFile,
  type Unusable,
} from "../../src/platform/archives/tree.ts";
import { folderSource } from "./folder.ts";
import type { SourceKind } from "./kind.ts";

/** What Nextcloud keeps beside the files of a person, and beside the folders of all people. */
const ownFolders: [name: RegExp, reason: string][] = [
  [/^files_trashbin$/, "It is the trash of Nextcloud."],
  [/^files_versions$/, "Older versions of files are not taken."],
  [/^(cache|uploads|files_encryption)$/, "It is no folder of files: Nextcloud works in it."],
  [/^appdata_[a-z0-9]+$/, "It has previews and other data of Nextcloud itself."],
];

/** The data folder of Nextcloud, or that of one person in it: a folder, without what Nextcloud keeps for itself. */
export const nextcloudKind: SourceKind = {
  kind: "nextcloud",
  title: null,
  alwaysHasPhotos: false,
  recognise: async (files) => findLevel(files) !== null,
  open: (tree, name, wish) => ({
    ...folderSource(filesOnly(tree), name, wish),
    kind: "nextcloud",
    hasUniqueFiles: false,
  }),
};

/** How far below the top the `files` of people are; null if this is not Nextcloud. */
function findLevel(files: Pick<TreeFile, "path">[]): number | null {
  for (const level of [0, 1, 2]) {
    const hasOwn = files.some(({ path }) => /^files_(trashbin|versions)$/.test(path[level] ?? ""));
    const hasApp = level > 0 && files.some(({ path }) => /^appdata_[a-z0-9]+$/.test(path[level - 1] ?? ""));
    if ((hasOwn || hasApp) && files.some(({ path }) => path[level] === "files" && path.length > level + 1))
      return level;
  }
  return null;
}

function filesOnly(tree: Tree): Tree {
  return {
    ...tree,
    async *list() {
      const seen = new Map<string, Pick<TreeFile, "path">>();
      for await (const entry of tree.list())
        if ("open" in entry) seen.set(entry.path.slice(0, 4).join("/"), { path: entry.path.slice(0, 4) });
      const level = findLevel([...seen.values()]) ?? 0;
      const told = new Set<string>();
      for await (const entry of tree.list()) {
        const found = isUnusable(entry) ? null : ownFolderOf(entry.path, level);
        if (isUnusable(entry)) yield entry;
        else if (!found) yield* withoutFiles(entry, level);
        else if (!told.has(found.path)) {
          told.add(found.path);
          yield found;
        }
      }
    },
  };
}

function ownFolderOf(path: string[], level: number): Unusable | null {
  for (const at of [level - 1, level]) {
    const [, reason] = ownFolders.find(([name]) => path.length > at && name.test(path[at] ?? "")) ?? [];
    if (reason) return { path: path.slice(0, at + 1).join("/"), reason, isNeedless: true };
  }
  return null;
}

/** `ada/files/Photos` → `ada/Photos`. */
function* withoutFiles(entry: Exclude<TreeEntry, Unusable>, level: number): Generator<TreeEntry> {
  if (entry.path[level] !== "files") yield entry;
  else if (entry.path.length > 1) yield { ...entry, path: entry.path.toSpliced(level, 1) };
}
