// Runs on other engines only with TEST_LONG: a preview stores nothing.
import { expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { testLong } from "../../../tests/kit/long.ts";

const server = useServer();
const { owner, stranger, admin } = server.people();

const blog = "/api/v1/blog";
const preview = (who: Client, content: unknown) => who.post(`${blog}/preview`, { content });

test("a preview is the HTML that the post has once it is saved, and saves nothing", async () => {
  const content = "# Hello\n\n*You*<script>alert(1)</script>\n\n[x](javascript:alert(1))\n\n```js\nlet a = 1;\n```";
  const { status, body } = await preview(owner, content);
  expect(status).toBe(200);
  expect(body.html).toContain("<em>You</em>");
  expect(body.html).not.toMatch(/<script|href="javascript/);
  expect((await owner.get(`${blog}?owner=me`)).body).toEqual([]);
  expect((await owner.post(blog, { title: "Post", content })).body.html).toBe(body.html);
});

test("it has the embedded records that its author may see, and no others", async () => {
  const { body: file } = await owner.upload("a.png", png(40, 30));
  const draft = { title: "Hidden", fileID: file.id, visibility: "private" };
  const { body: photo } = await owner.post("/api/v1/photos", draft);
  const { body: album } = await owner.post("/api/v1/albums", { name: "Secret", visibility: "private" });
  const content = `![[photo:${photo.id}]]\n\n![[album:${album.id}]]\n\n![[photo:99999]]`;
  for (const who of [owner, admin]) {
    const { html } = (await preview(who, content)).body;
    expect(html).toContain(`<a href="/photos/${photo.id}"><img`);
    expect(html).toContain("Secret");
  }
  expect((await preview(stranger, content)).body.html.trim()).toBe("");
});

test("it says what readers of the published post will not see", async () => {
  const create = async (seed: number, visibility: string) => {
    const { body: file } = await owner.upload(`${seed}.png`, png(20 + seed, 30));
    return (await owner.post("/api/v1/photos", { title: `P${seed}`, fileID: file.id, visibility })).body.id as number;
  };
  const [shown, first, second, cover] = [
    await create(1, "public"),
    await create(2, "private"),
    await create(3, "private"),
    await create(4, "private"),
  ];
  const { body: secret } = await owner.post("/api/v1/albums", { name: "Secret", visibility: "private" });
  const { body: open } = await owner.post("/api/v1/albums", { name: "Open" });
  for (const photoID of [shown, first, second])
    for (const { id } of [secret, open]) await owner.post(`/api/v1/albums/${id}/photos`, { photoID });
  const { body: notes } = await owner.upload("notes.txt", "x", { visibility: "private" });
  const hiddenIn = async (who: Client, content: string, coverID?: number) =>
    (await who.post(`${blog}/preview`, { content, coverID })).body.hidden;
  const content = `![[album:${secret.id}]]\n\n![[photo:${first}]] and ![[photo:${shown}]]\n\n![[file:${notes.id}]]`;
  const hidden = await hiddenIn(owner, content, cover);
  expect(hidden).toEqual({
    count: 5,
    photoIDs: expect.arrayContaining([first, second, cover]),
    albumIDs: [secret.id],
    fileIDs: [notes.id],
  });
  expect((await hiddenIn(admin, content, cover)).count).toBe(5);
  const nothing = { count: 0, photoIDs: [], albumIDs: [], fileIDs: [] };
  expect(await hiddenIn(stranger, content, cover)).toEqual(nothing);
  expect(await hiddenIn(owner, `![[album:${open.id}]]`)).toMatchObject({ count: 2, albumIDs: [] });
  expect((await owner.get(`/api/v1/albums/${open.id}/hidden`)).body).toEqual({
    ...nothing,
    count: 2,
    photoIDs: [first, second],
  });
  expect((await stranger.get(`/api/v1/albums/${open.id}/hidden`)).status).toBe(403);

  const page = await owner.post("/studio/preview", {
    id: null,
    kind: "post",
    title: "At sea",
    tags: [],
    coverID: cover,
    content: `${content}\n\n![[album:${open.id}]]`,
  });
  expect(page.body.match(/<span class="unseen">[^<]*/g)?.map((mark: string) => mark.slice(21))).toEqual([
    "Readers cannot see the album here: it is private.",
    "Readers cannot see the photo here: it is private.",
    "Readers cannot see the file here: it is private.",
    "Readers cannot see 2 photos of this album: they are private.",
  ]);
  for (const id of [first, second, cover]) expect(page.body).not.toContain(`/photos/${id}`);
  expect(page.body).toContain(`/photos/${shown}`);

  // What they are told to make public, guests see.
  await owner.post("/api/v1/photos/batch", { ids: hidden.photoIDs, set: { visibility: "public" } });
  await owner.post("/api/v1/albums/batch", { ids: hidden.albumIDs, visibility: "public" });
  await owner.post("/api/v1/files/batch", { ids: hidden.fileIDs, visibility: "public" });
  expect(await hiddenIn(owner, content, cover)).toEqual(nothing);
});

test("its length is limited like that of a post, and an empty text has no HTML", async () => {
  expect((await preview(owner, "")).body.html).toBe("");
  expect((await preview(owner, "x".repeat(1_000_000))).status).toBe(200);
  const long = await preview(owner, "x".repeat(1_000_001));
  expect([long.status, long.body.error]).toEqual([400, '"content" must have at most 1000000 characters.']);
  expect((await preview(owner, 7)).status).toBe(400);
});

testLong("a user with many previews does not keep others from theirs", async () => {
  const costly = "*a **b ".repeat(20_000);
  let finished = 0;
  const own = Array.from({ length: 30 }, async () => {
    // Those that wait for too long are refused.
    expect([200, 503]).toContain((await preview(stranger, costly)).status);
    finished++;
  });
  await Promise.race(own);
  expect((await preview(owner, "Quick")).body.html).toBe("<p>Quick</p>\n");
  expect(finished).toBeLessThan(25);
  await Promise.all(own);
});
