import { describe, expect, test } from "bun:test";
import { isoTime } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const blog = "/api/v1/blog";

const server = useServer();
const people = server.people();

const write = async (fields: object = {}) =>
  (await people.owner.post(blog, { title: "One", content: "First text", ...fields })).body;
const change = async (id: number, fields: object) => (await people.owner.put(`${blog}/${id}`, fields)).body;

describe("revisions", () => {
  test("each has the one who saved it, also an admin, and its length in bytes", async () => {
    const { owner, admin } = people;
    const post = await write({ content: "Größe" });
    await admin.put(`${blog}/${post.id}`, { title: "Corrected" });
    await change(post.id, { slug: "no-revision" });
    const saved = { owner: { id: owner.userID, username: "owner" }, admin: { id: admin.userID, username: "root" } };
    for (const query of ["", "?cursor=&pageSize=5"]) {
      const { body } = await owner.get(`${blog}/${post.id}/revisions${query}`);
      expect(body.map(({ author, size }: any) => [author, size])).toEqual([
        [saved.admin, 7],
        [saved.owner, 7],
      ]);
    }
    expect((await owner.get(`${blog}/${post.id}/revisions/1`)).body).toMatchObject({ author: saved.owner, size: 7 });
  });

  test("every change of the text is one, the newest is the post itself, and any can be restored", async () => {
    const { owner } = people;
    const author = { id: owner.userID, username: "owner" };
    const post = await write({ tags: ["a"], excerpt: "Short" });
    await change(post.id, { title: "Two", tags: ["b"] });
    await change(post.id, { content: "Third *text*", excerpt: null });
    const path = `${blog}/${post.id}/revisions`;
    const { body: list } = await owner.get(path);
    expect(list).toEqual([
      { number: 3, title: "Two", createdAt: expect.stringMatching(isoTime), author, size: 12 },
      { number: 2, title: "Two", createdAt: expect.stringMatching(isoTime), author, size: 10 },
      { number: 1, title: "One", createdAt: post.createdAt, author, size: 10 },
    ]);
    expect((await owner.get(`${path}/1`)).body).toEqual({
      ...list[2],
      content: "First text",
      excerpt: "Short",
      tags: ["a"],
      coverID: null,
    });
    expect((await owner.get(`${path}/2`)).body).toMatchObject({ content: "First text", excerpt: "Short", tags: ["b"] });
    expect((await owner.get(`${path}/3`)).body).toMatchObject({ content: "Third *text*", excerpt: null });
    expect((await owner.get(`${path}/4`)).status).toBe(404);

    const restored = await owner.post(`${path}/1/restore`);
    expect(restored.status).toBe(200);
    const { title, content, excerpt, tags, slug, html } = restored.body;
    expect({ title, content, excerpt, tags, slug, html }).toEqual({
      title: "One",
      content: "First text",
      excerpt: "Short",
      tags: ["a"],
      slug: post.slug,
      html: "<p>First text</p>\n",
    });
    expect((await owner.get(`${blog}/${post.id}`)).body).toEqual(restored.body);
    expect((await owner.get(path)).body.map((revision: any) => [revision.number, revision.title])).toEqual([
      [4, "One"],
      [3, "Two"],
      [2, "Two"],
      [1, "One"],
    ]);
    expect((await owner.get(`${path}/3`)).body.content).toBe("Third *text*");
    expect((await owner.post(`${path}/9/restore`)).status).toBe(404);
  });

  test("a save that changes nothing, and a change of anything but the text, makes none", async () => {
    const post = await write();
    await change(post.id, { title: "One", content: "First text", tags: [] });
    await change(post.id, { slug: "another-address", commentsOpen: false, visibility: "private" });
    await change(post.id, { publishedAt: null });
    expect((await people.owner.get(`${blog}/${post.id}/revisions`)).body).toHaveLength(1);
  });

  test("only the owner and admins read them; of a private post, others do not learn that it exists", async () => {
    const { guest, stranger, owner, admin } = people;
    for (const [fields, status] of [
      [{}, 403],
      [{ visibility: "private" }, 404],
      [{ publishedAt: null }, 404],
    ] as const) {
      const { id } = await write(fields);
      const path = `${blog}/${id}/revisions`;
      for (const one of [path, `${path}/1`]) {
        expect((await guest.get(one)).status).toBe(401);
        expect((await stranger.get(one)).status).toBe(status);
        for (const who of [owner, admin]) expect((await who.get(one)).status).toBe(200);
      }
      expect((await stranger.post(`${path}/1/restore`)).status).toBe(status);
      expect((await admin.post(`${path}/1/restore`)).status).toBe(200);
    }
  });

  test("a long history has pages, and a cover that is gone is left out", async () => {
    const { owner } = people;
    const { body: file } = await owner.upload("cover.png", png(4, 3));
    const { body: cover } = await owner.post("/api/v1/photos", { title: "Cover", fileID: file.id });
    const post = await write({ coverID: cover.id });
    for (let number = 2; number <= 7; number++) await change(post.id, { title: `Title ${number}`, coverID: null });
    const path = `${blog}/${post.id}/revisions`;
    const numbers: number[] = [];
    let next: string | undefined = `${path}?cursor=&pageSize=3`;
    while (next) {
      const page: any = await owner.get(next);
      numbers.push(...page.body.map((revision: any) => revision.number));
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
    }
    expect(numbers).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect((await owner.get(`${path}/1`)).body.coverID).toBe(cover.id);
    expect((await owner.post(`${path}/1/restore`)).body.coverID).toBe(cover.id);
    await owner.delete(`/api/v1/photos/${cover.id}`);
    expect((await owner.get(`${path}/1`)).body.coverID).toBeNull();
    expect((await owner.post(`${path}/1/restore`)).body).toMatchObject({ title: "One", coverID: null });
  });

  test("they are deleted with the post for good, and come back with it from the trash", async () => {
    const { owner } = people;
    const post = await write();
    await change(post.id, { title: "Two" });
    await owner.delete(`${blog}/${post.id}`);
    expect((await owner.get(`${blog}/${post.id}/revisions`)).status).toBe(404);
    const [entry] = (await owner.get("/api/v1/trash")).body;
    await owner.post(`/api/v1/trash/${entry.id}/restore`);
    expect((await owner.get(`${blog}/${post.id}/revisions`)).body).toHaveLength(2);
  });

  test("two saves at the same time make two revisions", async () => {
    const post = await write();
    await Promise.all(Array.from({ length: 5 }, (_, index) => change(post.id, { title: `Title ${index}` })));
    const { body } = await people.owner.get(`${blog}/${post.id}/revisions`);
    expect(body.map((revision: any) => revision.number)).toEqual([6, 5, 4, 3, 2, 1]);
  });
});
