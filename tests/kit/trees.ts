import { acceptableDetails } from "../../src/features/imports/texts.ts";
import type { Tree, TreeFile } from "../../src/platform/archives/tree.ts";
import { type Item } from "../../src/features/imports/lines.ts";
import { itemLine, type PhotoDetails } from "../../convert/format/lines.ts";
import type { SourceOptions } from "../../convert/format/job.ts";
import type { Item as ConvertedItem } from "../../convert/sources/items.ts";
import type { SourceKind } from "../../convert/sources/kind.ts";

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

const usual: SourceOptions = { hasPhotos: false, hasAlbums: false, hasPeople: false, visibility: "public" };

/** The items of a source as the server reads them. */
export async function readItems(kind: SourceKind, tree: Tree, options: Partial<SourceOptions> = {}): Promise<Item[]> {
  return takeItems(kind.list(tree, { ...usual, ...options }, () => {}));
}

export const takeItems = (items: AsyncIterable<ConvertedItem>): Promise<Item[]> => Array.fromAsync(items, takeItem);

function takeItem(item: ConvertedItem): Item {
  if (item.kind !== "file") return itemLine.parse(JSON.parse(JSON.stringify(item))) as Item;
  const { open, size, modifiedAt } = item;
  const line = itemLine.parse(JSON.parse(JSON.stringify({ ...item, bytes: { id: 1 } })));
  const { bytes: _, ...taken } = line as Extract<typeof line, { kind: "file" }>;
  return { ...taken, photo: taken.photo && acceptableDetails(taken.photo), open, size, modifiedAt };
}

/** What a source says of the photos of its files by their paths, null for a file without; its albums, and what it refuses. */
export async function readSource(kind: SourceKind, tree: Tree, options: Partial<SourceOptions> = {}) {
  const photos: Record<string, PhotoDetails | null> = {};
  const items = await readItems(kind, tree, { hasPhotos: true, ...options });
  for (const item of items) if (item.kind === "file") photos[item.path.join("/")] = item.photo;
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
export async function itemsOf(kind: SourceKind, files: Files) {
  const all = await readItems(kind, treeOf(files));
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
