// Runs on other engines only with TEST_LONG: how an export is read does not depend on the engines.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Answer, type Client, client } from "../../../tests/kit/client.ts";
import { admin, member } from "../../../tests/kit/people.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";
import { runBeside, startServer } from "../../../tests/kit/server.ts";
import { bytesOf, plain } from "../../../tests/kit/files/pictures.ts";
import type { Item } from "../../../src/features/imports/lines.ts";
import { readItems } from "../../../tests/kit/trees.ts";
import { exportKind } from "./export.ts";
import { until } from "../../../tests/kit/until.ts";
import { testLong } from "../../../tests/kit/long.ts";
import { sha256Of } from "../../../tests/kit/sha256.ts";

const scratch = useScratch();

const api = "/api/v1";
const made = async (answer: Promise<Answer>): Promise<any> => {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
};
const list = async (who: Client, path: string): Promise<any[]> => (await who.get(`${api}${path}`)).body;
const named = (all: any[], name: string) => all.find((one) => one.name === name || one.title === name);

const edits = { turn: 90, flip: false, crop: { x: 0, y: 0, width: 0.6, height: 1 } };

/** A site with something of everything, some of it private. */
async function fillOldSite(ada: Client, eve: Client, root: Client) {
  const photo = async (colour: string, path: string, more: object = {}) => {
    const bytes = await bytesOf(plain(40, 30, colour).jpeg());
    const { id: fileID } = await made(ada.upload(`${colour}.jpg`, bytes, { path }));
    return made(ada.post(`${api}/photos`, { title: `The ${colour} one`, fileID, tags: [colour], ...more }));
  };
  const place = { latitude: 1, longitude: 2, name: "There" };
  const taken = { takenAt: "2020-01-02T03:04:05.000Z", place, showLocation: true, isFavourite: true };
  const white = await photo("white", "/2026/sea", { ...taken, altText: "White", description: "As snow" });
  await made(ada.post(`${api}/photos/batch`, { ids: [white.id], set: { takenAtZone: "Asia/Tokyo" } }));
  const black = await photo("black", "/2026/sea");
  await photo("red", "/2026/sea", { visibility: "private" });
  const cropped = await photo("green", "/2026/sea");
  await made(ada.put(`${api}/photos/${cropped.id}`, { edits }));
  await made(ada.post(`${api}/directories`, { name: "secret", path: "/", visibility: "private" }));
  await made(ada.upload("diary.txt", "dear diary", { path: "/secret" }));
  const gone = await made(ada.upload("gone.txt", "gone", { path: "/2026" }));
  await made(ada.delete(`${api}/files/${gone.id}`));

  await made(ada.post(`${api}/albums`, { name: "First" }));
  const album = await made(ada.post(`${api}/albums`, { name: "By hand", description: "In order" }));
  for (const { id } of [black, white]) await made(ada.post(`${api}/albums/${album.id}/photos`, { photoID: id }));
  await made(ada.put(`${api}/albums/${album.id}`, { coverPhotoID: white.id }));
  await made(ada.post(`${api}/albums`, { name: "Inside", parentID: album.id, visibility: "private" }));

  const content = `Look: ![[photo:${white.id}]] in [the album](/albums/${album.id}-by-hand).`;
  const published = { tags: ["sea"], coverID: black.id, publishedAt: "2021-01-01T00:00:00.000Z", excerpt: "Short" };
  const post = await made(ada.post(`${api}/blog`, { title: "A trip", content, slug: "trip", ...published }));
  await made(ada.put(`${api}/blog/${post.id}`, { slug: "a-trip" }));
  await made(ada.post(`${api}/blog`, { title: "Not yet", content: "Draft", publishedAt: null }));
  await made(root.post(`${api}/blog`, { kind: "page", title: "About", content: "Us" }));
  const first = await made(eve.post(`${api}/comments`, { blogPostID: post.id, content: "Nice" }));
  await made(ada.post(`${api}/comments`, { blogPostID: post.id, content: "Thanks", parentID: first.id }));
  const rude = await made(eve.post(`${api}/comments`, { blogPostID: post.id, content: "Rude" }));
  await made(ada.put(`${api}/comments/${rude.id}`, { status: "hidden" }));
  await made(root.post(`${api}/redirects`, { from: "/2019/old-trip", to: "/blog/a-trip" }));
  await made(root.put(`${api}/me/profile`, { displayName: "The Root" }));
}

testLong(
  "an export is added to a site that has something already: once, as it was for everyone, and can be undone",
  async () => {
    const to = join(scratch, "old.zip");
    const ofAda = join(scratch, "ada");
    {
      await using old = await startServer();
      const [root, ada, eve] = [
        await admin(old),
        await member(old, "ada", "author"),
        await member(old, "eve", "reader"),
      ];
      await fillOldSite(ada, eve, root);
      expect((await runBeside(old, ["export", to])).code).toBe(0);
      expect((await runBeside(old, ["export", ofAda, "--owner", "ada"])).code).toBe(0);
      const again = await runBeside(old, ["import", to]);
      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("is one of this site")]);
    }
    await using site = await startServer();
    const grace = await admin(site, "grace");
    const guest = client(site);
    await made(grace.post(`${api}/blog`, { title: "Here before", content: "Hello", slug: "a-trip" }));
    await made(grace.post(`${api}/albums`, { name: "Mine" }));
    const { id: fileID } = await made(grace.upload("old.zip", readFileSync(to), { visibility: "private" }));

    const tried = await runBeside(site, ["import", to, "--dry-run"]);
    expect(tried.stdout).toContain("Nothing was written. An import would have: 17 added");
    expect(await list(guest, "/blog")).toHaveLength(1);

    const { id } = await made(grace.post(`${api}/imports`, { fileIDs: [fileID], visibility: "public" }));
    const read = () => grace.get(`${api}/imports/${id}`);
    const { body: done } = await until(read, ({ body }) => body.status !== "running");
    expect(done).toMatchObject({
      kind: "vitrine",
      failure: null,
      items: { added: 17, known: 0, refused: 0 },
      imported: 4,
    });

    const photos = await list(grace, "/photos?owner=me&cursor=");
    const white = named(photos, "The white one");
    expect(white).toMatchObject({
      altText: "White",
      description: "As snow",
      tags: ["white"],
      isFavourite: true,
      takenAt: "2020-01-01T18:04:05.000Z",
      takenAtZone: "Asia/Tokyo",
      place: { latitude: 1, longitude: 2, name: "There" },
      showLocation: true,
      file: { path: "/Vitrine/2026/sea" },
    });
    const green = named(photos, "The green one");
    expect(green).toMatchObject({ edits, width: 18, height: 40, thumbhash: expect.any(String) });
    expect((await guest.get(`${api}/files/${green.fileID}/content`)).status).toBe(404);
    const albums = await list(grace, "/albums?owner=me&sort=position&order=asc&cursor=");
    expect(albums.map(({ name }) => name)).toEqual(["By hand", "First", "Mine", "Inside"]);
    const byHand = named(albums, "By hand");
    expect(byHand).toMatchObject({ description: "In order", coverPhotoID: white.id });
    const inOrder = await list(guest, `/albums/${byHand.id}/photos`);
    expect(inOrder.map(({ title }) => title)).toEqual(["The black one", "The white one"]);
    const trip = named(await list(guest, "/blog"), "A trip");
    expect(trip).toMatchObject({
      slug: "a-trip-2",
      content: `Look: ![[photo:${white.id}]] in [the album](/albums/${byHand.id}).`,
      excerpt: "Short",
      tags: ["sea"],
      publishedAt: "2021-01-01T00:00:00.000Z",
      coverID: named(photos, "The black one").id,
      ownerID: (await list(grace, "/users")).find(({ username }) => username === "ada").id,
    });
    const comments = await list(guest, `/comments?blogPostID=${trip.id}`);
    expect(comments.map(({ content, author }) => [content, author.username])).toEqual([
      ["Nice", "eve"],
      ["Thanks", "ada"],
    ]);
    expect(comments[1].parentID).toBe(comments[0].id);
    expect((await list(grace, `/comments?blogPostID=${trip.id}`)).map(({ status }) => status)).toContain("hidden");
    for (const address of ["/2019/old-trip", "/blog/trip"]) {
      const moved = await fetch(`${site.url}${address}`, { redirect: "manual" });
      expect([address, moved.status, moved.headers.get("location")]).toEqual([address, 301, "/blog/a-trip-2"]);
    }

    // What guests could not see there, they cannot see here.
    const seen = [await list(guest, "/photos"), await list(guest, "/albums"), await list(guest, "/blog?kind=page")];
    expect(seen.map((all) => all.map((one) => one.title ?? one.name).toSorted())).toEqual([
      ["The black one", "The green one", "The white one"],
      ["By hand", "First", "Mine"],
      ["About"],
    ]);
    expect((await list(guest, "/files?path=/Vitrine")).map(({ name }) => name)).toEqual(["2026"]);
    expect((await guest.get(`${api}/files?path=/Vitrine/secret`)).status).toBe(404);
    expect(await list(grace, "/files?path=/Vitrine/secret")).toMatchObject([
      { name: "diary.txt", visibility: "private" },
    ]);
    expect((await guest.get("/blog/not-yet")).status).toBe(404);
    expect(named(await list(grace, "/blog?visibility=all&cursor="), "Not yet")).toMatchObject({ publishedAt: null });

    const again = await runBeside(site, ["import", to, "--visibility", "public"]);
    expect([again.stderr, again.stdout]).toEqual(["", expect.stringContaining("0 added (0.0 MB), 17 known already")]);
    // What one person has exported of it is known, too.
    const theirs = await runBeside(site, ["import", ofAda, "--visibility", "public"]);
    expect([theirs.stderr, theirs.stdout]).toEqual(["", expect.stringContaining("0 added (0.0 MB), 12 known already")]);

    const undone = await runBeside(site, ["import", "--undo", String(id)]);
    expect([undone.code, undone.stderr]).toEqual([0, ""]);
    const left = [
      await list(grace, "/photos?visibility=all"),
      await list(grace, "/albums"),
      await list(grace, "/blog"),
    ];
    expect(left.map((all) => all.map((one) => one.title ?? one.name))).toEqual([[], ["Mine"], ["Here before"]]);
    expect((await list(grace, "/files?path=/")).map(({ name }) => name)).toEqual(["old.zip"]);
    expect((await guest.get("/blog/trip")).status).toBe(404);
    expect((await runBeside(site, ["rebuild", "counts"])).stdout).toBe("All counts are correct.\n");
  },
);

/** The items of an export with these files. */
function itemsOf(files: Record<string, unknown>, more: object = {}): Promise<Item[]> {
  const index = { format: "vitrine-export", formatVersion: 1, isComplete: true, owner: null, ...more };
  const lines = (records: unknown) =>
    Array.isArray(records) ? records.map((one) => JSON.stringify(one)).join("\n") : String(records);
  const all = { ...files, "vitrine-export.json": [index] };
  const tree = {
    name: "site",
    async *list() {
      for (const [path, records] of Object.entries(all)) {
        const bytes = new TextEncoder().encode(lines(records));
        yield {
          path: path.split("/"),
          size: bytes.length,
          modifiedAt: null,
          async *open() {
            yield bytes;
          },
        };
      }
    },
    async [Symbol.asyncDispose]() {},
  };
  const wish = { hasPhotos: false, hasAlbums: false, hasPeople: false, visibility: "public" as const };
  return readItems(exportKind, tree, wish);
}

test("an odd export: what it hides stays hidden, circles and other hosts lead nowhere, and what is wrong has a line", async () => {
  const file = (id: number, parentID: number, name: string, more: object = {}) => {
    return {
      id,
      parentID,
      ownerID: 1,
      trashID: null,
      name,
      size: 1,
      sha256: sha256Of(name),
      isPrivate: false,
      ...more,
    };
  };
  const directory = { sha256: null, size: 0 };
  const files = [
    file(3, 2, "inner", directory),
    file(2, 0, "secret", { ...directory, isPrivate: true }),
    file(4, 5, "round", directory),
    file(5, 4, "and round", directory),
    file(6, 3, "a", { path: "files/a" }),
    file(7, 4, "b", { path: "long-names/7/b" }),
    file(11, 98, "in the trash", { path: "trash/1/in the trash" }),
    file(8, 99, "c: d", { path: "files/of %25 others/c%3A d" }),
    file(9, 0, "lost", { path: "files/lost" }),
    file(10, 0, "e", { path: "files/e", isPrivate: "no" }),
    { id: "x" },
  ];
  const redirects = [
    { address: "/one", kind: "path", recordID: null, target: "//evil.example" },
    { address: "/two", kind: "path", recordID: null, target: "/about" },
    { address: "/three", kind: "photo", recordID: 1, target: null },
  ];
  const items = await itemsOf({
    "data/files.jsonl": files,
    "data/redirects.jsonl": redirects,
    "data/comments.jsonl": [{ id: 1, ownerID: 1, trashID: null, status: "visible", postID: 7, content: "Lost" }],
    "files/a": "a",
    "files/of %25 others/c%3A d": "c: d",
    "files/e": "changed",
  });
  const described = items.map((item) => [
    item.kind,
    "path" in item ? item.path.join("/") : item.key,
    "visibility" in item ? item.visibility : "reason" in item ? item.reason : "",
  ]);
  expect(described).toEqual([
    ["directory", "", "public"],
    ["directory", "secret", "private"],
    ["directory", "secret/inner", "private"],
    ["file", "secret/inner/a", "private"],
    ["refused", "file 7 (long-names/7/b)", "The directory that it is in is not in the export."],
    ["file", "of % others/c: d", "private"],
    ["refused", "file 9 (files/lost)", "It is missing in the export."],
    ["file", "e", "private"],
    ["note", "comments", "1 not taken: they are on pages, or on what is in the trash or not in the export."],
    ["redirect", "/two", ""],
    ["refused", "redirects to photos and albums", "2 redirects are not taken: add them again."],
    ["refused", "data/files.jsonl", "1 of its records cannot be read."],
  ]);
  const damaged = items.find((item) => item.kind === "file" && item.name === "e") as Extract<Item, { kind: "file" }>;
  const failures = [
    Array.fromAsync(damaged.open()),
    itemsOf({ "data/albums.jsonl": "[]" }),
    itemsOf({}, { isComplete: false }),
  ].map((work) => work.then(String, ({ message }: Error) => message));
  expect(await Promise.all(failures)).toEqual([
    "It is damaged in the export.",
    "Line 1 of data/albums.jsonl cannot be read: it is not a JSON object.",
    "The export is not complete: it was interrupted. Export again.",
  ]);
});
