// Runs on the embedded engines only: it stores nothing.
import { expect, test } from "bun:test";
import { wpComment, wpPost, wxr } from "../../../tests/bad-sources/odd-blogs.ts";
import { treeOf } from "../../../tests/kit/trees.ts";
import { secondsLeft } from "./keep-progress.ts";
import { wordpressKind } from "../../../convert/sources/wordpress/wordpress.ts";

test("the time left is known by bytes, by items, or by both", () => {
  const [none, half] = [
    { items: 0, seenBytes: 0, workedMs: 10_000 },
    { items: 50, seenBytes: 5000, workedMs: 10_000 },
  ];
  expect(secondsLeft({ ...half, totalBytes: null, totalItems: null })).toBeNull();
  expect(secondsLeft({ ...none, totalBytes: 10_000, totalItems: 100 })).toBeNull();
  expect(secondsLeft({ ...half, totalBytes: 10_000, totalItems: null })).toBe(10);
  expect(secondsLeft({ ...half, seenBytes: 0, totalBytes: 0, totalItems: 100 })).toBe(10);
  expect(secondsLeft({ ...half, totalBytes: 10_000, totalItems: 100 })).toBe(10);
  // There are more than the source has said.
  expect(secondsLeft({ ...half, totalBytes: 10, totalItems: 10 })).toBe(0);
});

test("a blog says how many items it has before the first of them", async () => {
  const blog = treeOf({
    "x.xml": wxr([
      wpPost({ more: wpComment(1, 0) + wpComment(2, 0) }),
      wpPost({ id: "2", content: '<img src="/wp-content/uploads/2019/a.jpg">' }),
    ]),
    "wp-content/uploads/2019/a.jpg": "12345",
  });
  const wish = { hasPhotos: true, hasAlbums: false, hasPeople: false, visibility: "public" as const };
  const source = wordpressKind.open(blog, "x", wish);
  expect(source.total?.()).toBeNull();
  for await (const _item of source.items()) break;
  expect(source.total?.()).toEqual({ items: 5, bytes: 5 });
});
