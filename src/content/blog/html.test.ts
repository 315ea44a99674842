// Runs on other engines only with TEST_LONG: what is made from a text does not depend on the engines.
import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "../../platform/database/sql.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { runBeside, withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { until } from "../../../tests/kit/until.ts";
import { testLong } from "../../../tests/kit/long.ts";

let file: any;
let photo: any;
const blog = "/api/v1/blog";

const server = useServer();
const people = server.people();
beforeAll(async () => {
  const { owner } = people;
  file = (await owner.upload("a <b>.png", png(700, 500))).body;
  photo = (await owner.post("/api/v1/photos", { title: `"Dusk" <i>`, fileID: file.id })).body;
});

const write = async (content: string) => (await people.owner.post(blog, { title: "Post", content })).body;

describe("the HTML of a post", () => {
  test("is made from Markdown when the post is written and changed, and is not in lists", async () => {
    const { owner, guest } = people;
    const post = await write("Hello *you*\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1))");
    expect(post.html).toContain("<p>Hello <em>you</em></p>");
    expect(post.html).not.toMatch(/<script|href="javascript/);
    expect((await guest.get(`${blog}/${post.id}`)).body.html).toBe(post.html);
    const changed = (await owner.put(`${blog}/${post.id}`, { content: "~~New~~" })).body;
    expect(changed.html).toBe("<p><s>New</s></p>\n");
    expect((await owner.put(`${blog}/${post.id}`, { title: "Same text" })).body.html).toBe(changed.html);
    for (const { html } of (await guest.get(blog)).body) expect(html).toBeUndefined();
  });

  test("shows embedded records, escaped", async () => {
    const { owner, guest } = people;
    const { body: album } = await owner.post("/api/v1/albums", { name: "A & B" });
    await owner.post(`/api/v1/albums/${album.id}/photos`, { photoID: photo.id });
    const post = await write(`![[photo:${photo.id}]]\n\n![[album:${album.id}]]\n\nSee ![[file:${file.id}]]!`);
    const { html } = (await guest.get(`${blog}/${post.id}`)).body;
    expect(html).toMatch(new RegExp(`^<figure><a href="/photos/${photo.id}"><img\\s`));
    expect(html).toContain(`src="${photo.variants.at(-1).url.replaceAll("&", "&amp;")}"`);
    expect(html).toContain(`${photo.variants[0].url.replaceAll("&", "&amp;")} ${photo.variants[0].width}w`);
    expect(html).toMatch(/width="700"\s+height="500"\s+alt="&quot;Dusk&quot; &lt;i&gt;"/);
    expect(html).toContain(`<figcaption><a href="/albums/${album.id}">A &amp; B</a></figcaption></figure>`);
    expect(html).toContain(`<p>See <a href="${file.url}" download>a &lt;b&gt;.png</a> (`);
    expect(html).not.toContain("<!--");
  });

  test("an embedded album shows the first six photos that the viewer may see, in the order of the album", async () => {
    const { owner, guest } = people;
    const create = async (visibility: string) =>
      (await owner.post("/api/v1/photos", { title: "In the album", fileID: file.id, visibility })).body.id as number;
    const open = await Promise.all(Array.from({ length: 8 }, () => create("public")));
    const hidden = await create("private");
    const albums: number[] = [];
    for (const photoIDs of [[hidden, ...open.toReversed()], [open[0], hidden], [hidden]]) {
      const { body: album } = await owner.post("/api/v1/albums", { name: "Strip" });
      await owner.put(`/api/v1/albums/${album.id}/photos`, { photoIDs });
      albums.push(album.id);
    }
    const post = await write(albums.map((id) => `![[album:${id}]]`).join("\n\n"));
    const linked = async (who: typeof guest) => {
      const { html } = (await who.get(`${blog}/${post.id}`)).body;
      return albums.map((id) =>
        Array.from(html.matchAll(new RegExp(`href="/photos/(\\d+)\\?album=${id}"`, "g")), (match: any) => +match[1]),
      );
    };
    const first = open.toReversed().slice(0, 6);
    expect(await linked(guest)).toEqual([first, [open[0] as number], []]);
    expect(await linked(owner)).toEqual([[hidden, ...first.slice(0, 5)], [open[0] as number, hidden], [hidden]]);
    const { html } = (await guest.get(`${blog}/${post.id}`)).body;
    expect(html).toContain(`<figcaption><a href="/albums/${albums[0]}">Strip</a> (8)</figcaption>`);
    expect(html).not.toContain(`/photos/${hidden}`);
  });

  test("an embedded record that is gone, private or unknown leaves nothing for those who may not see it", async () => {
    const { owner, guest, stranger, admin } = people;
    const { body: hidden } = await owner.post("/api/v1/photos", {
      title: "Hidden",
      fileID: file.id,
      visibility: "private",
    });
    const { body: album } = await owner.post("/api/v1/albums", { name: "Secret", visibility: "private" });
    const { body: secret } = await owner.upload("secret.txt", "x", { visibility: "private" });
    const content = `Start ![[photo:${hidden.id}]] ![[album:${album.id}]] ![[file:${secret.id}]] ![[photo:999999]] ![[user:1]] end`;
    const post = await write(content);
    const htmlFor = async (who: typeof guest) => (await who.get(`${blog}/${post.id}`)).body.html;
    for (const who of [guest, stranger]) expect(await htmlFor(who)).toBe("<p>Start      end</p>\n");
    for (const who of [owner, admin]) {
      const html = await htmlFor(who);
      for (const part of [`/photos/${hidden.id}/image`, `/albums/${album.id}`, secret.url])
        expect(html).toContain(part);
    }
    await owner.put(`/api/v1/photos/${hidden.id}`, { visibility: "public" });
    expect(await htmlFor(guest)).toContain(`/photos/${hidden.id}/image`);
    await owner.delete(`/api/v1/photos/${hidden.id}`);
    for (const who of [guest, owner]) expect(await htmlFor(who)).not.toContain("image?");
  });

  test("If-Match compares the post as the caller reads it", async () => {
    const { owner } = people;
    const post = await write(`![[photo:${photo.id}]]`);
    const etag = (await owner.get(`${blog}/${post.id}`)).headers.get("etag") ?? "";
    const init = {
      body: JSON.stringify({ title: "x" }),
      headers: { "Content-Type": "application/json", "If-Match": etag },
    };
    expect((await owner.request("PUT", `${blog}/${post.id}`, init)).status).toBe(200);
    expect((await owner.request("PUT", `${blog}/${post.id}`, init)).status).toBe(412);
  });

  testLong("a text that is too costly is shown as it is, while other requests are served", async () => {
    const { guest } = people;
    const done = new AbortController();
    const slow = write(`${"[^a]".repeat(120_000)}\n\n[^a]: <b>`).finally(() => done.abort());
    let served = 0;
    for (; !done.signal.aborted; served++) expect((await guest.get(`/livez?${served}`)).status).toBe(200);
    const post = await slow;
    expect(post.html).toStartWith("<p>[^a][^a]");
    expect(post.html).toContain("&lt;b&gt;");
    // They come one after the other: a server that rendered the text itself would serve a few before and after that.
    expect(served).toBeGreaterThan(50);
  });

  testLong("vitrine rebuild posts has all posts rendered again", async () => {
    const { guest } = people;
    const post = await write("*old*");
    await withDatabase(server, (db) =>
      db.transaction((tx) => tx.run(sql`UPDATE post_html SET html = 'wrong', renderer = 1 WHERE post_id = ${post.id}`)),
    );
    const { code, stdout } = await runBeside(server, ["rebuild", "posts"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("again, within a minute.")]);
    const waiting = () =>
      withDatabase(server, (db) => db.get(sql`SELECT post_id FROM post_html WHERE renderer IS NULL LIMIT 1`));
    expect(await waiting()).not.toBeNull();
    await until(waiting, (row) => row === null, 100_000);
    expect((await guest.get(`${blog}/${post.id}?again`)).body.html).toBe("<p><em>old</em></p>\n");
  });
});
