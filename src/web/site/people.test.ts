// Runs on other engines only with TEST_LONG: the pages use the same statements as the tests of the API.
import { beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { person } from "../../../tests/kit/people.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const server = useServer();
const people = server.people();
beforeAll(async () => {
  const { owner } = people;
  const { body: file } = await owner.upload("a.png", png(600, 400));
  for (const visibility of ["public", "private"]) {
    const title = `${visibility} thing`;
    await owner.post("/api/v1/blog", { title: `A ${title}`, content: "x", visibility, tags: ["Sea", visibility] });
    const { body: photo } = await owner.post("/api/v1/photos", {
      title: `Photo of a ${title}`,
      fileID: file.id,
      visibility,
      tags: ["sea", visibility],
    });
    const { body: album } = await owner.post("/api/v1/albums", { name: `Album of a ${title}`, visibility });
    await owner.post(`/api/v1/albums/${album.id}/photos`, { photoID: photo.id });
  }
  await owner.post("/api/v1/blog", {
    title: "A private thing in the making",
    content: "x",
    publishedAt: null,
    tags: ["sea", "private"],
  });
});

const open = (who: Client, path: string) => who.get<string>(path, { Accept: "text/html", "Accept-Language": "en" });

describe("the page of a person", () => {
  test("shows what they have published, to everyone alike", async () => {
    for (const who of Object.values(people)) {
      const { status, body } = await open(who, "/people/owner");
      expect(status).toBe(200);
      for (const part of [
        '<h1 class="p-name" dir="auto">owner</h1>',
        "Here since",
        "A public thing",
        "Photo of a public thing",
        "Album of a public thing",
      ])
        expect(body).toContain(part);
      expect(body).not.toMatch(/private thing|>2</);
    }
    expect((await open(people.guest, "/people/OWNER")).body).toContain(
      `<link rel="canonical" href="${server.url}/people/owner"`,
    );
  });

  test("exists only for themselves and admins while nothing of theirs is public", async () => {
    const { guest, stranger, owner, admin } = people;
    const zoe = await person(server, "Zoe");
    await zoe.post("/api/v1/blog", { title: "Not yet", content: "x", visibility: "private" });
    await zoe.post("/api/v1/albums", { name: "Not yet", visibility: "private" });
    const path = "/people/Zoe";
    const withoutPath = (answer: { status: number; body: string }, name: string) =>
      [answer.status, answer.body.replaceAll(name, "…")] as const;
    for (const who of [guest, stranger]) {
      const unknown = withoutPath(await open(who, "/people/nobody-here"), "nobody-here");
      expect(withoutPath(await open(who, path), "Zoe")).toEqual(unknown);
    }
    for (const who of [zoe, admin]) {
      const { status, body, headers } = await open(who, path);
      expect([status, headers.get("x-robots-tag")]).toEqual([200, "noindex"]);
      expect(body).toContain("Zoe has not published anything yet.");
    }

    // A comment is not enough, and does not lead there.
    const posts = (await owner.get("/api/v1/blog?owner=me")).body;
    const { id: blogPostID, slug } = posts.find((post: any) => post.title === "A public thing");
    for (const who of [zoe, owner]) await who.post("/api/v1/comments", { content: "Seen", blogPostID });
    for (const who of [guest, stranger]) expect((await open(who, path)).status).toBe(404);
    expect((await guest.get(`/api/v1/people/${zoe.userID}`)).status).toBe(404);
    const linksOf = async () => {
      const [, comments = ""] = (await open(guest, `/blog/${slug}`)).body.split('id="comments"');
      expect(comments).toContain("Zoe");
      return [...comments.matchAll(/href="\/people\/([^"]+)"/g)].map(([, name]) => name);
    };
    expect(await linksOf()).toEqual(["owner"]);
    await zoe.post("/api/v1/blog", { title: "Begun", content: "x" });
    expect(await linksOf()).toEqual(["Zoe", "owner"]);
    expect((await open(guest, path)).status).toBe(200);
  });

  test("does not exist without the person", async () => {
    for (const path of ["/people/nobody-here", "/people/%00", "/people/%FF", `/people/${"x".repeat(500)}`])
      expect((await open(people.guest, path)).status).toBe(404);
  });
});

describe("the page of a tag", () => {
  test("shows public posts and photos with it, in whatever case it is written", async () => {
    for (const who of Object.values(people))
      for (const path of ["/tags/sea", "/tags/SEA"]) {
        const { status, body } = await open(who, path);
        expect(status).toBe(200);
        for (const part of ["A public thing", "Photo of a public thing", `href="${server.url}/tags/Sea"`])
          expect(body).toContain(part);
        expect(body).not.toMatch(/private thing/);
      }
  });

  test("does not exist for a tag that only private records have, or none; who has signed in sees that it is empty", async () => {
    const { owner, stranger, guest } = people;
    for (const path of ["/tags/private", "/tags/none"]) {
      expect((await open(guest, path)).status).toBe(404);
      for (const who of [owner, stranger]) {
        const { status, headers, body } = await open(who, path);
        expect([status, headers.get("x-robots-tag")]).toEqual([200, "noindex"]);
        expect(body).toContain("No public posts or photos have this tag.");
      }
    }
    for (const who of [owner, guest])
      for (const path of ["/tags/%0A", `/tags/${"x".repeat(60)}`]) expect((await open(who, path)).status).toBe(404);
  });
});
