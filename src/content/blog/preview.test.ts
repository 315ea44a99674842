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
