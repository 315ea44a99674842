import type { Item } from "../../src/features/imports/item.ts";
import type { SourceKind } from "../../src/features/imports/sources/kind.ts";
import type { Tree, TreeFile } from "../../src/platform/archives/tree.ts";

type Files = Record<string, string | Uint8Array>;

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

export const filesOf = (files: Files): TreeFile[] =>
  Object.entries(files).map(([path, content]) => {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    return { path: path.split("/"), size: bytes.length, modifiedAt: 1, open: () => chunks(bytes) };
  });

/** A tree of these files, in this order. */
const treeOf = (files: Files): Tree => ({
  name: "tree",
  async *list() {
    yield* filesOf(files);
  },
  async [Symbol.asyncDispose]() {},
});

type Of<Kind extends Item["kind"]> = Extract<Item, { kind: Kind }>;

/** What a source makes of these files, by kinds. */
export async function itemsOf(kind: SourceKind, files: Files, visibility?: "public" | "private") {
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
