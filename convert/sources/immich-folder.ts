import { isUnusable, type Tree, type TreeEntry, type TreeFile } from "../../src/platform/archives/tree.ts";
import type { Source } from "../../src/features/imports/item.ts";
import { folderKind } from "./folder.ts";
import type { SourceKind } from "./kind.ts";

/** The folders in which Immich keeps what people have sent. */
const kept = new Set(["library", "upload"]);
/** Those of what it has made, and what becomes of that. */
const made = new Map([
  ["thumbs", "Previews of Immich are not taken: they are made again."],
  ["encoded-video", "Copies of videos that Immich has made are not taken."],
  ["profile", "Pictures of accounts are not taken."],
  ["backups", "Copies of the database of Immich are not taken. Its API has the albums and favourites in it."],
]);
const isOfImmich = (name: string) => kept.has(name) || made.has(name);
/** Immich puts it into each of these folders. */
const marker = ".immich";

/** The folder in which Immich stores its files. It says nothing of albums, favourites and who has archived what. */
export const immichFolderKind: SourceKind = {
  kind: "immich",
  title: "Immich",
  alwaysHasPhotos: true,
  recognise: async (files) => findTop(files) !== null,
  open(tree, name, chosen) {
    const wish = { ...chosen, hasPhotos: true };
    const skipped = new Map<string, string>();
    const source = folderKind.open(withoutMade(tree, skipped), name, wish);
    return { kind: "immich", name, items: () => withReport(source, skipped) };
  },
};

/** How many folders lie above those of Immich; null if there are none of them. */
function findTop(files: TreeFile[]): number | null {
  for (const top of [0, 1]) {
    const folders = new Set<string>();
    for (const { path } of files) {
      const [folder = "", name] = path.slice(top);
      if (name === marker && isOfImmich(folder)) return top;
      if (name !== undefined && isOfImmich(folder)) folders.add(folder);
    }
    if (folders.has("thumbs") && folders.has("encoded-video") && [...kept].some((one) => folders.has(one))) return top;
  }
  return null;
}

/** The same tree with what people have sent only. */
function withoutMade(tree: Tree, skipped: Map<string, string>): Tree {
  return {
    name: tree.name,
    async *list() {
      for await (const entry of tree.list()) {
        const folder = isUnusable(entry) ? undefined : folderOf(entry);
        const reason = made.get(folder ?? "");
        if (folder !== undefined && reason !== undefined) skipped.set(folder, reason);
        else if (isUnusable(entry) || entry.path.at(-1) !== marker) yield entry;
      }
    },
    [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose](),
  };
}

/** The folder of Immich in which it lies: at the top, or in the only folder there. */
const folderOf = ({ path }: Exclude<TreeEntry, { reason: string }>) => path.slice(0, 2).find(isOfImmich);

async function* withReport(source: Source, skipped: Map<string, string>): ReturnType<Source["items"]> {
  yield* source.items();
  for (const [key, reason] of skipped) yield { kind: "note", key, reason };
}
