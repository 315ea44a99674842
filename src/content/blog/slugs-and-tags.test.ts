import { describe, expect, test } from "bun:test";
import { useServer } from "../../../tests/kit/use-server.ts";

const blog = "/api/v1/blog";

const server = useServer();
const { guest } = server;
const owner = server.person("owner");

const write = async (fields: object = {}) =>
  (await owner.post(blog, { title: "Plain", content: "Text.", ...fields })).body;
const bySlug = (slug: string) => guest.get(`${blog}/by-slug?slug=${encodeURIComponent(slug)}`);
const ids = async (query: string) => (await guest.get(`${blog}?${query}`)).body.map((post: any) => post.id);

describe("slugs", () => {
  test("are made from the title, and numbered if the title was used before", async () => {
    const slugs: string[] = [];
    for (let number = 0; number < 3; number++) slugs.push((await write({ title: "Über die Brücke!" })).slug);
    expect(slugs).toEqual(["uber-die-brucke", "uber-die-brucke-2", "uber-die-brucke-3"]);
    expect((await write({ title: "港の夕暮れ" })).slug).toBe("港の夕暮れ");
    expect((await write({ title: "?!" })).slug).toBe("post");
    const many = await Promise.all(Array.from({ length: 15 }, () => write({ title: "Same" })));
    expect(new Set(many.map((post) => post.slug)).size).toBe(15);
    for (const { id, slug } of many) expect((await bySlug(slug)).body.id).toBe(id);
  });

  test("a changed slug leads to the post, and so does every earlier one, which no other post gets", async () => {
    const post = await write({ title: "First name" });
    expect((await owner.put(`${blog}/${post.id}`, { title: "Second name" })).body.slug).toBe("first-name");
    const renamed = (await owner.put(`${blog}/${post.id}`, { slug: "second-name" })).body;
    expect(renamed.slug).toBe("second-name");
    for (const slug of ["first-name", "second-name"]) expect((await bySlug(slug)).body).toEqual(renamed);
    expect((await write({ title: "First name" })).slug).toBe("first-name-2");
    for (const slug of ["first-name", "second-name"]) {
      const refused = await owner.post(blog, { title: "x", content: "y", slug });
      expect([refused.status, refused.body.field]).toEqual([400, "slug"]);
      const other = await write();
      expect((await owner.put(`${blog}/${other.id}`, { slug })).status).toBe(400);
      expect((await guest.get(`${blog}/${other.id}`)).body).toEqual(other);
    }
    expect((await owner.put(`${blog}/${post.id}`, { slug: "first-name" })).body.slug).toBe("first-name");
    expect((await bySlug("second-name")).body.slug).toBe("first-name");
  });

  test("a post can be created with a slug", async () => {
    expect((await write({ slug: "chosen-before" })).slug).toBe("chosen-before");
  });

  test.each(["", "Upper", "a b", "a/b", "-a", "a-", "..", "~7", "a".repeat(81), 7, null])(
    "%j is refused",
    async (slug) => {
      const { status, body } = await owner.post(blog, { title: "x", content: "y", slug });
      expect([status, body.field]).toEqual([400, "slug"]);
    },
  );

  test("an unknown slug is a 404, and a deleted post keeps its slug", async () => {
    expect((await bySlug("unknown")).status).toBe(404);
    expect((await guest.get(`${blog}/by-slug`)).status).toBe(400);
    const post = await write({ title: "Leaving" });
    await owner.delete(`${blog}/${post.id}`);
    expect((await bySlug("leaving")).status).toBe(404);
    expect((await write({ title: "Leaving" })).slug).toBe("leaving-2");
    const [entry] = (await owner.get("/api/v1/trash")).body;
    await owner.post(`/api/v1/trash/${entry.id}/restore`);
    expect((await bySlug("leaving")).body.id).toBe(post.id);
    await owner.delete(`${blog}/${post.id}`);
    const [again] = (await owner.get("/api/v1/trash")).body;
    expect((await owner.delete(`/api/v1/trash/${again.id}`)).status).toBe(200);
    expect((await write({ title: "Leaving" })).slug).toBe("leaving");
  });
});

describe("tags", () => {
  test("keep their order and their letters; upper and lower case are the same tag", async () => {
    const post = await write({ tags: ["Zürich", "sea", "ZU\u0308RICH", "Sea "] });
    expect(post.tags).toEqual(["Zürich", "sea"]);
    for (const tag of ["sea", "SEA", "zürich", "zu\u0308rich"])
      expect(await ids(`tag=${encodeURIComponent(tag)}`)).toContain(post.id);
    expect(await ids("tag=mountain")).toEqual([]);
  });

  test("lists by tag follow changes, deletion and restoring, and have cursors", async () => {
    const posts: any[] = [];
    for (let number = 0; number < 5; number++) posts.push(await write({ tags: ["harbour"] }));
    const newestFirst = posts.map((post) => post.id).toReversed();
    for (const sort of ["createdAt", "publishedAt"]) expect(await ids(`tag=harbour&sort=${sort}`)).toEqual(newestFirst);
    const walked: number[] = [];
    let next: string | undefined = `${blog}?tag=harbour&pageSize=2&sort=publishedAt`;
    while (next) {
      const page: any = await guest.get(next);
      walked.push(...page.body.map((post: any) => post.id));
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
    }
    expect(walked).toEqual(newestFirst);
    await owner.put(`${blog}/${posts[0].id}`, { tags: ["hills"] });
    await owner.delete(`${blog}/${posts[1].id}`);
    expect(await ids("tag=harbour")).toEqual(newestFirst.slice(0, 3));
    expect(await ids("tag=hills")).toEqual([posts[0].id]);
    const [entry] = (await owner.get("/api/v1/trash")).body;
    await owner.post(`/api/v1/trash/${entry.id}/restore`);
    expect(await ids("tag=harbour")).toEqual(newestFirst.slice(0, 4));
    expect((await owner.get(`${blog}?tag=harbour&owner=me`)).body).toHaveLength(4);
  });

  test.each([[[""]], [["x".repeat(51)]], [["a\nb"]], [Array.from({ length: 21 }, String)], ["sea"], [[5]], [null]])(
    "%j is refused",
    async (tags) => {
      expect((await owner.post(blog, { title: "x", content: "y", tags })).status).toBe(400);
    },
  );
});

describe("excerpts", () => {
  test("are the beginning of the content, without its marks, unless one is sent", async () => {
    const content =
      "# Arrival\n\n![[photo:1]]\n\nWe *arrived* by [train](https://x.org), <b>late</b>.\n\n- one\n- two\n";
    const post = await write({ content });
    expect(post.excerpt).toBe("Arrival We arrived by train, late . one two");
    const given = (await owner.put(`${blog}/${post.id}`, { excerpt: " In short " })).body;
    expect(given.excerpt).toBe("In short");
    expect((await owner.put(`${blog}/${post.id}`, { content: "New" })).body.excerpt).toBe("In short");
    expect((await owner.put(`${blog}/${post.id}`, { excerpt: null })).body.excerpt).toBe("New");
    const long = await write({ content: "word ".repeat(500) });
    expect(long.excerpt.length).toBeLessThanOrEqual(281);
    expect(long.excerpt).toEndWith("word…");
    expect((await owner.post(blog, { title: "x", content: "y", excerpt: "z".repeat(1001) })).status).toBe(400);
  });
});
