// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
// Runs on the embedded engines only: it is about what is read of sources; what is stored of them is the same on both.
import { describe, expect, test } from "bun:test";
import { oddBlogs } from "../bad-sources/odd-blogs.ts";
import { oddPhotoExports } from "../bad-sources/odd-photo-exports.ts";
import { readItems, treeOf } from "../kit/trees.ts";

const usual = { hasPhotos: true, hasAlbums: false, hasPeople: false, visibility: "public" as const };
/** They follow from the others, and are no records of people. */
const derived = new Set(["redirect", "person", "note", "refused"]);

describe("an odd export gives what it has", () => {
  test.each([...oddBlogs, ...oddPhotoExports].map((one) => [one.name, one] as const))("%s", async (_name, one) => {
    const all = await readItems(one.kind, treeOf(one.files), usual);
    const refused = all.flatMap((item) => (item.kind === "refused" ? [[item.key, item.reason] as const] : []));
    const expected = Object.entries(one.refused ?? {}).map(([key, why]) => [key, expect.stringMatching(why)]);
    expect(Object.fromEntries(refused)).toEqual(Object.fromEntries(expected));
    // What has an id in its blog only has the address of the blog before it.
    const known = all.map((item) => ({ ...item, key: item.key.replace(/^old\.example /, "") }));
    const taken = known.filter(({ kind }) => !derived.has(kind));
    expect(taken.map(({ kind, key }) => `${kind} ${key}`).toSorted()).toEqual((one.taken ?? []).toSorted());
    for (const [name, parts] of Object.entries(one.says ?? {}))
      expect(taken.find(({ kind, key }) => `${kind} ${key}` === name)).toMatchObject(parts);
  });
});
