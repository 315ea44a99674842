// Runs on the embedded engines only: it reads a tree, and needs no engine.
import { expect, test } from "bun:test";
import type { Tree } from "../../src/platform/archives/tree.ts";
import { readItems } from "../../tests/kit/trees.ts";
import { recognise } from "./kinds.ts";

function treeOf(paths: string[]): Tree {
  return {
    name: "photos",
    async *list() {
      for (const path of paths)
        yield {
          path: path.split("/"),
          size: 1,
          modifiedAt: null,
          async *open() {
            yield new Uint8Array(1);
          },
        };
    },
    async [Symbol.asyncDispose]() {},
  };
}

const wish = { hasPhotos: false, hasAlbums: false, hasPeople: false, visibility: "public" as const };

test("the folder of Immich becomes private photos, without what Immich has made", async () => {
  const tree = treeOf([
    "library/.immich",
    "library/ada/2023/2023-07-05/IMG_1.jpg",
    "upload/.immich",
    "upload/7d1/ab/cd/abcd.jpg",
    "thumbs/.immich",
    "thumbs/7d1/ab/cd/abcd-preview.jpeg",
    "backups/.immich",
    "backups/immich-db.sql.gz",
  ]);
  const kind = await recognise(tree);
  expect([kind.kind, kind.title]).toEqual(["immich", "Immich"]);
  const items = await readItems(kind, tree, wish);
  expect(items.map(({ kind: what, key }) => `${what} ${key}`).toSorted()).toEqual([
    "file library/ada/2023/2023-07-05/IMG_1.jpg",
    "file upload/7d1/ab/cd/abcd.jpg",
    "note backups",
    "note hidden files",
    "note thumbs",
  ]);
  expect(items).toContainEqual(
    expect.objectContaining({
      key: "upload/7d1/ab/cd/abcd.jpg",
      visibility: "public",
      photo: { visibility: "public" },
    }),
  );
});

test("folders with the same names are none of Immich", async () => {
  expect((await recognise(treeOf(["library/book.txt", "upload/a.jpg", "profile/me.jpg"]))).kind).toBe("folder");
});
