import type { Tree } from "../../src/platform/archives/tree.ts";
import type { Item, PhotoDetails } from "../../src/features/imports/item.ts";
import type { SourceKind, SourceWish } from "../../src/features/imports/sources/kind.ts";

type Content = string | Uint8Array;

/** Trees of these files, in this order, read as one. */
export function treeOf(...parts: Record<string, Content>[]): Tree {
  return {
    name: "tree",
    async *list() {
      for (const [part, files] of parts.entries())
        for (const [path, content] of Object.entries(files)) {
          const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
          yield { path: path.split("/"), size: bytes.length, modifiedAt: null, part, open: () => chunks(bytes) };
        }
    },
    async [Symbol.asyncDispose]() {},
  };
}

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** What a source says of the photos of its files by their paths, null for a file without; its albums, and what it refuses. */
export async function readSource(kind: SourceKind, tree: Tree, wish: Partial<SourceWish> = {}) {
  const photos: Record<string, PhotoDetails | null> = {};
  const items: Item[] = [];
  const usual = { hasPhotos: true, hasAlbums: false, hasPeople: false, visibility: undefined };
  for await (const item of kind.open(tree, "x", { ...usual, ...wish }).items()) {
    items.push(item);
    if (item.kind === "file") photos[item.path.join("/")] = item.photo;
  }
  const refused = items.flatMap((item) =>
    item.kind === "refused" || item.kind === "note"
      ? [`${item.kind === "note" ? "note: " : ""}${item.key}: ${item.reason}`]
      : [],
  );
  const albums = items.filter((item) => item.kind === "album");
  /** The files of an album by their position; its cover is marked. */
  const inAlbum = (key: string) =>
    items
      .flatMap((item) => (item.kind === "file" && item.albums.includes(key) ? [item] : []))
      .toSorted((one, other) => (one.positions?.[key] ?? 0) - (other.positions?.[key] ?? 0))
      .map(({ path, coverOf }) => `${path.join("/")}${coverOf?.includes(key) ? " (cover)" : ""}`);
  return { photos, albums, refused, inAlbum };
}
