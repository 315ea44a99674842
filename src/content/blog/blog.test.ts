import { beforeAll, describe, expect, test } from "bun:test";
import { isoTime } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { until } from "../../../tests/kit/until.ts";

let cover: any;

const blog = "/api/v1/blog";

const server = useServer();
const { guest } = server;
const owner = server.person("owner");
const stranger = server.person("stranger");
beforeAll(async () => {
  const image = (await owner.upload("cover.png", png(4, 3))).body;
  cover = (await owner.post("/api/v1/photos", { title: "Cover", fileID: image.id })).body;
});

const write = async (fields: object = {}) =>
  (await owner.post(blog, { title: "A week in Lisbon", content: "We arrived late.", ...fields })).body;

describe("creating a post", () => {
  test("a post without a cover is returned complete, and is the same for every reader", async () => {
    const { status, body } = await owner.post(blog, { title: "Plain", content: "Text\nof two lines" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      kind: "post",
      title: "Plain",
      content: "Text\nof two lines",
      slug: "plain",
      excerpt: "Text of two lines",
      tags: [],
      coverID: null,
      cover: null,
      publishedAt: body.createdAt,
      commentsOpen: true,
      html: "<p>Text\nof two lines</p>\n",
      ownerID: owner.userID,
      createdAt: expect.stringMatching(isoTime),
      visibility: "public",
      updatedAt: body.createdAt,
    });
    expect(body.id).toBePositive();
    expect((await guest.get(`${blog}/${body.id}`)).body).toEqual(body);
    const { html: _, ...listed } = body;
    expect((await guest.get(blog)).body[0]).toEqual(listed);
  });

  test("a post includes its cover as a complete photo", async () => {
    const post = await write({ coverID: cover.id });
    expect(post).toMatchObject({ coverID: cover.id });
    expect(post.cover).toEqual(cover);
    expect((await guest.get(blog)).body[0].cover).toEqual(cover);
    expect((await write({ coverID: null })).cover).toBeNull();
  });

  test("a cover that does not exist or was deleted is refused, and no post is created", async () => {
    const deleted = (await owner.post("/api/v1/photos", { title: "Gone", fileID: cover.fileID })).body;
    await owner.delete(`/api/v1/photos/${deleted.id}`);
    const before = (await guest.get(blog)).body;
    for (const coverID of [999_999, deleted.id]) {
      const { status, body } = await owner.post(blog, { title: "No cover", content: "…", coverID });
      expect(status).toBe(400);
      expect(body.error).toContain("coverID");
    }
    expect((await guest.get(blog)).body).toEqual(before);
  });

  test("text is stored unchanged: markup, quotes, other scripts, spaces at the ends", async () => {
    const sent = { title: ` <b>"Ça va?"</b> 名前 `, content: `<script>alert('x')</script>\r\n\t\u{1f600} \u202e ` };
    expect(await write(sent)).toMatchObject(sent);
  });

  test("a client cannot set the id, owner or timestamps; unknown fields are ignored", async () => {
    const wish = {
      id: 4711,
      ownerID: stranger.userID,
      createdAt: "1999-01-01T00:00:00.000Z",
      updatedAt: "1999",
      cover,
      secret: "kept?",
    };
    const made = await write(wish);
    expect(made).toMatchObject({ ownerID: owner.userID, coverID: null, cover: null });
    const changed = (await owner.put(`${blog}/${made.id}`, { title: "Changed", ...wish })).body;
    expect(changed).toEqual({ ...made, title: "Changed", updatedAt: changed.updatedAt });
    expect(made.id).not.toBe(4711);
    expect(JSON.stringify([made, changed])).not.toMatch(/1999|secret|kept/);
    expect((await guest.get(`${blog}/4711`)).status).toBe(404);
  });
});

describe("changing a post", () => {
  test("only the fields that are sent change", async () => {
    const made = await write({ coverID: cover.id });
    // So that the time of the change is another one.
    await until(() => Date.now() > Date.parse(made.updatedAt));
    let expected = made;
    for (const sent of [{ title: "New" }, { content: "Newer" }, { title: "Both", content: "at once" }]) {
      const { status, body } = await owner.put(`${blog}/${made.id}`, sent);
      const { content = expected.content } = sent;
      const derived = { excerpt: content, html: `<p>${content}</p>\n` };
      expected = { ...expected, ...sent, ...derived, updatedAt: body.updatedAt };
      expect(status).toBe(200);
      expect(body).toEqual(expected);
    }
    expect(expected.updatedAt > made.updatedAt).toBe(true);
    expect((await guest.get(`${blog}/${made.id}`)).body).toEqual(expected);
  });

  test("coverID: null removes the cover, an id sets another one, an invalid id changes nothing", async () => {
    const made = await write({ coverID: cover.id });
    const bare = (await owner.put(`${blog}/${made.id}`, { coverID: null })).body;
    expect(bare).toEqual({ ...made, coverID: null, cover: null, updatedAt: bare.updatedAt });
    const wrong = await owner.put(`${blog}/${made.id}`, { title: "Half", coverID: 999_999 });
    expect(wrong.status).toBe(400);
    expect(wrong.body.error).toContain("coverID");
    expect((await guest.get(`${blog}/${made.id}`)).body).toEqual(bare);
    expect((await owner.put(`${blog}/${made.id}`, { coverID: cover.id })).body).toMatchObject({
      coverID: cover.id,
      cover,
    });
  });

  test("a body without any known field is refused and changes nothing", async () => {
    const made = await write();
    for (const body of [{}, { subtitle: "?" }, { id: 5, ownerID: stranger.userID }]) {
      const answer = await owner.put(`${blog}/${made.id}`, body);
      expect(answer.status).toBe(400);
      expect(answer.body.error).toContain("title");
    }
    expect((await guest.get(`${blog}/${made.id}`)).body).toEqual(made);
  });
});

describe("deleting a post", () => {
  test("a deleted post disappears from reads, lists and totals; its cover is kept", async () => {
    const made = await write({ coverID: cover.id });
    const before = Number((await guest.get(blog)).headers.get("x-total-count"));
    const { status, body } = await owner.delete(`${blog}/${made.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ message: expect.any(String) });

    expect((await guest.get(`${blog}/${made.id}`)).status).toBe(404);
    expect((await owner.put(`${blog}/${made.id}`, { title: "Back" })).status).toBe(404);
    expect((await owner.delete(`${blog}/${made.id}`)).status).toBe(404);
    const list = await guest.get(`${blog}?pageSize=1000`);
    expect(list.body.map((post: any) => post.id)).not.toContain(made.id);
    expect(Number(list.headers.get("x-total-count"))).toBe(before - 1);
    expect((await guest.get(`/api/v1/photos/${cover.id}`)).body).toEqual(cover);
  });

  test("the comments on the post are deleted with it, those on other posts are not", async () => {
    const [leaving, staying] = [await write(), await write()];
    const comment = async (post: any) =>
      (await stranger.post("/api/v1/comments", { content: "Nice", blogPostID: post.id })).body;
    const [gone, kept] = [await comment(leaving), await comment(staying)];
    await owner.delete(`${blog}/${leaving.id}`);

    expect(await guest.get(`/api/v1/comments?blogPostID=${leaving.id}`)).toMatchObject({ status: 200, body: [] });
    expect((await stranger.put(`/api/v1/comments/${gone.id}`, { content: "Still here?" })).status).toBe(404);
    expect((await stranger.delete(`/api/v1/comments/${gone.id}`)).status).toBe(404);
    expect((await stranger.post("/api/v1/comments", { content: "Late", blogPostID: leaving.id })).status).toBe(404);
    expect((await guest.get(`/api/v1/comments?blogPostID=${staying.id}`)).body).toEqual([kept]);
  });
});
