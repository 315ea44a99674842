import type { Tree, TreeFile } from "../../src/platform/archives/tree.ts";
import type { Item, PhotoDetails } from "../../src/features/imports/item.ts";
import type { SourceKind, SourceWish } from "../../convert/sources/kind.ts";

type Files = Record<string, string | Uint8Array>;

export const filesOf = (files: Files, part = 0): TreeFile[] =>
  Object.entries(files).map(([path, content]) => {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    return { path: path.split("/"), size: bytes.length, modifiedAt: null, part, open: () => chunks(bytes) };
  });

/** Trees of these files, in this order, read as one. */
export const treeOf = (...parts: Files[]): Tree => ({
  name: "tree",
  async *list() {
    for (const [part, files] of parts.entries()) yield* filesOf(files, part);
  },
  async [Symbol.asyncDispose]() {},
});

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** What a source says of the photos of its files by their paths, null for a file without; its albums, and what it refuses. */
export async function readSource(kind: SourceKind, tree: Tree, wish: Partial<SourceWish> = {}) {
  const photos: Record<string, PhotoDetails | null> = {};
  const items: Item[] = [];
  const usual = { hasPhotos: true, hasAlbums: false, hasPeople: false, visibility: "public" as const };
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

type Of<Kind extends Item["kind"]> = Extract<Item, { kind: Kind }>;

/** What a source makes of these files, by kinds. */
export async function itemsOf(kind: SourceKind, files: Files, visibility: "public" | "private" = "public") {
  const wish = { hasPhotos: false, hasAlbums: false, hasPeople: false, visibility };
  const all = await Array.fromAsync(kind.open(treeOf(files), "x", wish).items());
  const of = <Kind extends Item["kind"]>(name: Kind) => all.filter((item): item is Of<Kind> => item.kind === name);
  return {
    all,
    posts: Object.fromEntries(of("post").map((post) => [post.slug, post])),
    files: Object.fromEntries(of("file").map((file) => [file.path.join("/"), file])),
    people: of("person"),
    redirects: Object.fromEntries(of("redirect").map(({ key, to }) => [key, to])),
    refused: of("refused").map(({ key, reason }) => `${key}: ${reason}`),
    notes: of("note").map(({ key, reason }) => `${key}: ${reason}`),
  };
}
