import { expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const server = useServer();
const { guest, owner, stranger, admin } = server.people();

const written = { id: null, kind: "post", title: "At sea", content: "*Fog*", tags: ["tide"], coverID: null };
const preview = (who: Client, more: object = {}) => who.post("/studio/preview", { ...written, ...more });

test("a post that is being written has the page that guests will get", async () => {
  const { body: file } = await owner.upload("a.png", png(40, 30));
  const { body: photo } = await owner.post("/api/v1/photos", {
    title: "Hidden",
    fileID: file.id,
    visibility: "private",
  });
  const content = `*Fog*\n\n![[photo:${photo.id}]]<script>alert(1)</script>`;
  const { status, body, headers } = await preview(owner, { content, coverID: photo.id });
  expect(status).toBe(200);
  expect(body).toContain('<article class="post h-entry">');
  expect(body).toContain("<em>Fog</em>");
  expect(body).toContain('rel="tag"');
  expect(body).not.toContain(`/photos/${photo.id}`);
  expect(body).toContain("Readers cannot see the photo here: it is private.");
  expect(body).not.toMatch(/<script(?! type="application\/ld\+json")/);
  expect(headers.get("cache-control")).toContain("no-store");
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
  expect((await owner.get("/api/v1/blog?owner=me")).body).toEqual([]);
  expect((await preview(stranger, { content, coverID: photo.id })).body).not.toMatch(/Readers cannot see|\/photos\//);
  await owner.put(`/api/v1/photos/${photo.id}`, { visibility: "public" });
  const shown = (await preview(owner, { content, coverID: photo.id })).body;
  expect(shown.split(`/api/v1/photos/${photo.id}/image`).length).toBeGreaterThan(2);
});

test("only authors have previews, and only of their own posts", async () => {
  const { body: post } = await owner.post("/api/v1/blog", { title: "Secret", content: "Text", visibility: "private" });
  const { body: shown } = await owner.post("/api/v1/blog", { title: "Public", content: "Text" });
  expect((await preview(guest)).status).toBe(401);
  for (const id of [post.id, shown.id]) {
    expect((await preview(stranger, { id })).status).toBe(404);
    for (const who of [owner, admin]) expect((await preview(who, { id })).status).toBe(200);
  }
  expect((await preview(owner, { id: 99_999 })).status).toBe(404);
  expect((await preview(owner, { content: "x".repeat(1_000_001) })).status).toBe(400);
});
