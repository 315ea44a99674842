// Runs on other engines only with TEST_LONG: the pages use the same statements as the tests of the API.
import { beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { kindsOf } from "../../module.ts";
import { modules } from "../../modules.ts";
import { languages } from "./language.ts";
import { searchTexts } from "./texts/search.ts";

const server = useServer();
const { guest, owner, stranger } = server.people();
beforeAll(async () => {
  const { body: file } = await owner.upload("harbour plan.png", png(400, 300), { path: "/2026/lisbon" });
  await owner.post("/api/v1/photos", { title: "Harbour <b>at dusk</b>", fileID: file.id });
  await owner.post("/api/v1/albums", { name: "Harbour walks" });
  const { body: post } = await owner.post("/api/v1/blog", {
    title: "A week in Lisbon",
    content: "The last ferry leaves the harbour <script>alert(1)</script> at ten.",
  });
  await stranger.post("/api/v1/comments", { content: "I love that harbour, too.", blogPostID: post.id });
  await owner.post("/api/v1/blog", { title: "Hidden harbour", content: "lighthouse", visibility: "private" });
  await owner.post("/api/v1/directories", { name: "harbour secrets", visibility: "private" });
});

const search = (who: Client, q: string, more = "") => who.get<string>(`/search?q=${encodeURIComponent(q)}${more}`);

describe("the search page", () => {
  test("shows results of all kinds with their matches marked, and links to their pages", async () => {
    const { status, body } = await search(guest, "harbour");
    expect(status).toBe(200);
    expect(body).toContain("<mark>Harbour</mark> &lt;b&gt;at dusk&lt;/b&gt;");
    expect(body).toMatch(/<a href="\/photos\/\d+">/);
    expect(body).toMatch(/<a href="\/albums\/\d+-harbour-walks">/);
    expect(body).toContain('<a href="/blog/a-week-in-lisbon">');
    expect(body).toMatch(/<a href="\/blog\/a-week-in-lisbon#comment-\d+">Comment on “A week in Lisbon”/);
    expect(body).toContain('<a href="/browse/2026/lisbon/harbour%20plan.png">');
    expect(body).toMatch(/<img src="\/api\/v1\/photos\/\d+\/image\?w=320[^"]*" width="320" height="240"/);
    expect(body).not.toContain("<script>alert");
  });

  test("shows only one kind if asked", async () => {
    const { body } = await search(guest, "harbour", "&kind=album");
    expect(body).toContain("/albums/");
    expect(body).not.toMatch(/href="\/photos\/\d/);
    expect(body).toContain('name="kind" value="album"');
    expect((await search(guest, "harbour", "&kind=nonsense")).body).toMatch(/href="\/photos\/\d/);
  });

  test("finds nothing private for others", async () => {
    for (const who of [guest, stranger]) {
      const { body } = await search(who, "harbour");
      expect(body).not.toContain("Hidden");
      expect(body).not.toContain("secrets");
      expect((await search(who, "lighthouse")).body).toContain("Nothing was found");
    }
    const own = await search(owner, "harbour");
    expect(own.body).toContain("Hidden <mark>harbour</mark>");
    expect(own.headers.get("cache-control")).toBe("private, no-store");
  });

  test("gives advice where there is nothing, and only a form without a query", async () => {
    const nothing = await search(guest, "zebra <i>");
    expect(nothing.body).toContain("Nothing was found for “zebra &lt;i&gt;”");
    expect(nothing.body).toContain("Check the spelling.");
    const empty = await guest.get<string>("/search");
    expect(empty.status).toBe(200);
    expect(empty.body).toContain('<input type="search" name="q"');
    expect(empty.body).not.toContain("Nothing was found");
  });

  test("is not for search engines", async () => {
    const { body, headers } = await search(guest, "harbour");
    expect(headers.get("x-robots-tag")).toBe("noindex");
    expect(body).toContain('<meta name="robots" content="noindex"/>');
    expect(body).not.toContain('rel="canonical"');
  });

  test("stays bounded for long and hostile queries", async () => {
    const hostile = [
      "a".repeat(10_000),
      "harbour ".repeat(1000),
      "\0\u0001\uFFFF",
      '" OR 1=1 --',
      "'; DROP TABLE photos; --",
      '<script>alert(1)</script>"><img src=x onerror=alert(2)>',
      "NEAR/2 * ^ : ( ) { } AND NOT",
      "\u202E\u2066",
      "🏞️".repeat(200),
      "%%%__%",
    ];
    for (const query of hostile) {
      const { status, body } = await search(guest, query);
      expect([query.slice(0, 40), status]).toEqual([query.slice(0, 40), 200]);
      expect(body).not.toContain("<script>alert");
      expect(body).not.toContain("<img src=x");
      expect(body.length).toBeLessThan(40_000);
    }
    for (const search of ["?q=%ff%fe", "?q=%D8%00", "?q=a&q=b", "?q=x&page=-1", "?q=x&page=1e9", "?q=x&page=abc"]) {
      expect([search, (await guest.get(`/search${search}`)).status]).toEqual([search, 200]);
    }
  });

  test("goes on by links, without repeating a result, to a last page", async () => {
    for (let number = 0; number < 110; number++) {
      await owner.post("/api/v1/directories", { name: `quarry ${number}`, path: "/quarries" });
    }
    const seen: string[] = [];
    let pages = 0;
    for (let next: string | undefined = "/search?q=quarry"; next; pages++) {
      const { body }: { body: string } = await guest.get<string>(next);
      seen.push(...[...body.matchAll(/<h2 dir="auto"><a href="([^"]+)">/g)].map((match) => match[1] as string));
      next = /<a [^>]*rel="next" href="([^"]+)"/.exec(body)?.[1]?.replaceAll("&amp;", "&");
    }
    expect(pages).toBe(5);
    expect(seen.length).toBe(100);
    expect(new Set(seen).size).toBe(100);
  });

  test("is in the language of the visitor", async () => {
    const { body } = await guest.get<string>("/search?q=zebra", { "Accept-Language": "de-AT" });
    expect(body).toContain("wurde nichts gefunden");
  });
});

test("every kind of record has a name in every language", () => {
  // A page is a post that visitors know by another name.
  const names = ["page", ...kindsOf(modules).map(({ name }) => name)];
  for (const language of languages) {
    expect(Object.keys(searchTexts[language].kind).toSorted()).toEqual(names.toSorted());
  }
});
