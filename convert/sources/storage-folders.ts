import { isUnusable, type Tree, type TreeEntry, type TreeFile } from "../../src/platform/archives/tree.ts";
import { listFolder } from "./folder.ts";
import { note, type Item } from "./items.ts";
import type { SourceKind } from "./kind.ts";

/*
 * Folders in which servers keep the files of people, beside what they have made themselves. Of each folder that is left out, the report has a
 * line.
 */
type OwnFolder = [name: RegExp, reason: string];

const ofImmich: OwnFolder[] = [
  [/^thumbs$/, "Previews of Immich are not taken: they are made again."],
  [/^encoded-video$/, "Copies of videos that Immich has made are not taken."],
  [/^profile$/, "Pictures of accounts are not taken."],
  [/^backups$/, "Copies of the database of Immich are not taken. Its API has the albums and favourites in it."],
];
/** The folders in which Immich keeps what people have sent. */
const uploads = /^(library|upload)$/;
/** Immich puts it into each of its folders. */
const marker = ".immich";
const isOfImmich = (name = "") => uploads.test(name) || ofImmich.some(([own]) => own.test(name));

/** The folder in which Immich stores its files. It says nothing of albums, favourites and who has archived what. */
export const immichFolderKind: SourceKind = {
  kind: "immich",
  title: "Immich",
  alwaysHasPhotos: true,
  recognise: async (files) => [0, 1].some((top) => hasImmichAt(files, top)),
  async *list(tree, options) {
    const skipped = new Map<string, string>();
    const filesOnly = filterTree(tree, async function* (entries) {
      for await (const entry of entries) {
        // At the top, or in the only folder there.
        const folder = isUnusable(entry) ? "" : (entry.path.slice(0, 2).find(isOfImmich) ?? "");
        const [, reason] = ofImmich.find(([name]) => name.test(folder)) ?? [];
        if (reason) skipped.set(folder, reason);
        else if (isUnusable(entry) || entry.path.at(-1) !== marker) yield entry;
      }
    });
    yield* listFolder({ ...filesOnly, hasFilesTogether: false }, { ...options, hasPhotos: true });
    for (const [folder, reason] of skipped) yield note(folder, reason);
  },
};

function hasImmichAt(files: TreeFile[], top: number): boolean {
  const below = files.map(({ path }) => path.slice(top)).filter(([folder, name]) => name && isOfImmich(folder));
  const folders = new Set(below.map(([folder]) => folder));
  const isWhole = folders.has("thumbs") && folders.has("encoded-video");
  return below.some(([, name]) => name === marker) || (isWhole && [...folders].some((name = "") => uploads.test(name)));
}

/** What Nextcloud keeps beside the files of a person, and beside the folders of all people. */
const ofNextcloud: OwnFolder[] = [
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
  recognise: async (files) => findLevel(files.map(({ path }) => path)) !== null,
  async *list(tree, options): AsyncGenerator<Item> {
    const tops = new Map<string, string[]>();
    for await (const entry of tree.list())
      if ("open" in entry) tops.set(entry.path.slice(0, 4).join("/"), entry.path.slice(0, 4));
    const level = findLevel([...tops.values()]) ?? 0;
    const skipped = new Set<string>();
    yield* listFolder(
      filterTree(tree, async function* (entries) {
        for await (const entry of entries) {
          const own = isUnusable(entry) ? null : findOwnFolder(entry.path, level);
          if (own && !skipped.has(own.path)) yield own;
          if (own) skipped.add(own.path);
          else yield* withoutFiles(entry, level);
        }
      }),
      options,
    );
  },
};

/** How far below the top the `files` of people are; null if this is not Nextcloud. */
function findLevel(paths: string[][]): number | null {
  const has = (level: number, name: RegExp) => level >= 0 && paths.some((path) => name.test(path[level] ?? ""));
  const isLevel = (level: number) =>
    (has(level, /^files_(trashbin|versions)$/) || has(level - 1, /^appdata_[a-z0-9]+$/)) &&
    paths.some((path) => path[level] === "files" && path.length > level + 1);
  return [0, 1, 2].find(isLevel) ?? null;
}

function findOwnFolder(path: string[], level: number) {
  for (const at of [level - 1, level]) {
    const [, reason] = ofNextcloud.find(([name]) => path.length > at && name.test(path[at] ?? "")) ?? [];
    if (reason) return { path: path.slice(0, at + 1).join("/"), reason, isNeedless: true };
  }
  return null;
}

/** `ada/files/Photos` → `ada/Photos`. */
function* withoutFiles(entry: TreeEntry, level: number): Generator<TreeEntry> {
  if (isUnusable(entry) || entry.path[level] !== "files") yield entry;
  else if (entry.path.length > 1) yield { ...entry, path: entry.path.toSpliced(level, 1) };
}

const filterTree = (tree: Tree, filter: (entries: AsyncIterable<TreeEntry>) => AsyncIterable<TreeEntry>): Tree => ({
  ...tree,
  list: () => filter(tree.list()),
});
