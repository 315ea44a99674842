import { describe, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { reservedSlugs } from "../../content/blog/reserved-slugs.ts";

const blog = "/api/v1/blog";
const html = { Accept: "text/html" };

const server = useServer();
const { admin, owner, guest } = server.people();

const write = async (fields: object) =>
  (await admin.post(blog, { kind: "page", content: "Zanzibar.", ...fields })).body;
const read = async (path: string, who: Client = guest) => (await who.get<string>(path, html)).body;
const total = async () => Number((await guest.get(blog)).headers.get("x-total-count"));
const setMenu = (...menu: object[]) => admin.put("/api/v1/settings", { menu });
const entry = (page: { id: number }, fields: object = {}) => ({ kind: "page", pageID: page.id, ...fields });

/** Where guests meet a page, each read twice so that it comes from the cache if it may. */
async function met(page: { id: number; title: string; slug: string }): Promise<string[]> {
  const places = {
    address: `/${page.slug}`,
    oldAddress: `/blog/${page.slug}`,
    card: `/blog/${page.slug}/card.png`,
    embed: `/oembed?url=${encodeURIComponent(`${server.url}/${page.slug}`)}`,
    menu: "/albums",
    sitemap: "/sitemap.xml",
    overview: "/llms.txt",
    search: "/search?q=Zanzibar",
    api: `${blog}/${page.id}`,
    list: `${blog}?kind=page`,
    found: "/api/v1/search?q=Zanzibar",
  };
  const found: string[] = [];
  for (const [name, path] of Object.entries(places)) {
    for (const _ of [1, 2]) {
      const { status, body } = await guest.get<unknown>(path, path.startsWith("/api") ? {} : html);
      const text = JSON.stringify(body);
      const isMet = status === 200 && (text.includes(page.title) || text.includes(`/${page.slug}`) || name === "card");
      if (isMet !== found.includes(name)) found.push(isMet ? name : `${name}?`);
    }
  }
  return found;
}

describe("a page", () => {
  test("stands at its own address, outside of the blog and of everything that lists posts", async () => {
    const before = await total();
    const post = (await owner.post(blog, { title: "News", content: "Zanzibar.", tags: ["sea"] })).body;
    const page = await write({ title: "About us", tags: ["sea"], commentsOpen: true });
    expect(page).toMatchObject({ kind: "page", slug: "about-us", commentsOpen: false });
    expect(post.kind).toBe("post");

    const text = await read("/about-us");
    expect(text).toContain("Zanzibar.");
    expect(text).toContain(`<link rel="canonical" href="${server.url}/about-us"`);
    for (const word of ["min read", 'class="byline"', 'id="comments"', 'rel="next"', "/tags/sea"])
      expect([word, text.includes(word)]).toEqual([word, false]);

    for (const query of ["", "?cursor=", "?tag=sea", "?sort=publishedAt", `?owner=${admin.userID}`, "?kind=post"])
      expect(JSON.stringify((await guest.get(blog + query)).body)).not.toContain("About us");
    expect((await admin.get(`${blog}?owner=me`)).body).toEqual([]);
    expect(await total()).toBe(before + 1);
    for (const query of ["", "&tag=sea", "&sort=publishedAt", `&owner=${admin.userID}`])
      expect((await guest.get(`${blog}?kind=page${query}`)).body.map(({ id }: any) => id)).toEqual([page.id]);
    for (const path of ["/", "/blog", "/tags/sea", "/feed.xml", "/feed.json", "/blog/feed.xml", "/blog/news"])
      expect([path, (await read(path)).includes("About us")]).toEqual([path, false]);
    // An admin who has written pages only has published nothing of their own.
    expect((await guest.get("/people/root", html)).status).toBe(404);

    expect((await owner.post("/api/v1/comments", { content: "?", blogPostID: page.id })).status).toBe(403);
    expect((await admin.put(`${blog}/${page.id}`, { commentsOpen: true })).body.commentsOpen).toBe(false);
    expect((await guest.get("/blog/about-us/comments", html)).status).toBe(404);
    expect((await guest.get("/news", html)).status).toBe(404);
  });

  test("is written by admins, keeps its old addresses, and never takes one of the site", async () => {
    const refused = await owner.post(blog, { kind: "page", title: "Mine", content: "?" });
    expect([refused.status, refused.body.error]).toEqual([
      403,
      "Only admins create pages: they stand beside the parts of the site.",
    ]);
    expect((await write({ title: "Photos" })).slug).toBe("photos-2");
    const taken = await admin.post(blog, { kind: "page", title: "?", content: "?", slug: "studio" });
    expect([taken.status, taken.body.error]).toEqual([
      400,
      '"slug" is invalid: /studio belongs to the site itself. Choose another one.',
    ]);
    const page = await write({ title: "Contact" });
    expect((await admin.put(`${blog}/${page.id}`, { slug: "api" })).status).toBe(400);
    expect((await admin.put(`${blog}/${page.id}`, { slug: "kontakt", kind: "post" })).body.kind).toBe("page");
    for (const path of ["/contact", "/blog/kontakt", "/blog/contact"]) {
      const response = await fetch(server.url + path, { redirect: "manual" });
      expect([response.status, response.headers.get("location")]).toEqual([308, "/kontakt"]);
    }
    // A post may be called like a part of the site.
    expect((await owner.post(blog, { title: "Studio", content: "?" })).body.slug).toBe("studio");
  });

  test("cannot stand where the site has something, or will have", async () => {
    const { paths } = (await guest.get("/openapi.json")).body;
    const known = [...Object.keys(paths), ...(await read("/robots.txt")).split("Disallow: ")];
    const first = new Set(known.flatMap((path) => /^\/([\w-]+)/.exec(path.trim())?.[1] ?? []));
    expect([...first].filter((name) => !reservedSlugs.has(name))).toEqual([]);
    for (const name of ["blog", "photos", "albums", "browse", "search", "signin", "signup", "setup", "docs", "studio"])
      expect(reservedSlugs.has(name)).toBe(true);
  });

  test("is nowhere for guests while it is a draft, scheduled, private or deleted, and comes back with its menu entry", async () => {
    const page = await write({ title: "Imprint of Wendelin" });
    await setMenu({ kind: "section", section: "blog" }, entry(page, { place: "footer" }));
    const everywhere = "address oldAddress card embed menu sitemap overview search api list found".split(" ");
    const change = (fields: object) => admin.put(`${blog}/${page.id}`, fields);
    expect(await met(page)).toEqual(everywhere);
    const hidden = [
      { publishedAt: null },
      { publishedAt: new Date(Date.now() + 3_600_000).toISOString() },
      { publishedAt: page.publishedAt, visibility: "private" },
    ];
    for (const fields of hidden) {
      await change(fields);
      expect(await met(page)).toEqual([]);
      expect((await admin.get(`/${page.slug}`, html)).status).toBe(200);
      expect((await owner.get(`/${page.slug}`, html)).status).toBe(404);
    }
    await change({ visibility: "public" });
    expect(await met(page)).toEqual(everywhere);
    await admin.delete(`${blog}/${page.id}`);
    expect(await met(page)).toEqual([]);
    expect((await admin.get("/api/v1/settings")).body.menu).toHaveLength(2);
    const [trashed] = (await admin.get("/api/v1/trash")).body;
    await admin.post(`/api/v1/trash/${trashed.id}/restore`);
    expect(await met(page)).toEqual(everywhere);
    await admin.delete(`${blog}/${page.id}`);
    await admin.delete(`/api/v1/trash/${(await admin.get("/api/v1/trash")).body[0].id}`);
    expect((await admin.get("/api/v1/settings")).body.menu).toHaveLength(1);
  });

  test("has revisions, a share link and a schedule like a post", async () => {
    const page = await write({ title: "Press", publishedAt: null });
    await admin.put(`${blog}/${page.id}`, { content: "For the press." });
    expect((await admin.get(`${blog}/${page.id}/revisions`)).body).toHaveLength(2);
    const { url } = (await admin.post("/api/v1/shares", { kind: "post", id: page.id })).body;
    expect(await read(url)).toContain("For the press.");
    const listed = (await admin.get(`${blog}?kind=page&status=draft`)).body;
    expect(listed.map(({ title }: any) => title)).toEqual(["Press"]);
    expect((await admin.get(`${blog}?status=draft`)).body).toEqual([]);
  });
});

describe("the menu", () => {
  const links = async (path = "/blog") =>
    Array.from(
      /<nav aria-label="Menu">(.*?)<\/nav>/s.exec(await read(path))?.[1]?.matchAll(/href="([^"]*)"[^>]*>([^<]*)</g) ??
        [],
      ([, href, text]) => `${text} ${href}`,
    );
  const footer = async () => /<footer.*<\/footer>/s.exec(await read("/blog"))?.[0] ?? "";

  test("has the entries, names and order that an admin chose", async () => {
    await owner.upload("open.txt", "for everyone");
    await setMenu(
      { kind: "section", section: "photos", label: "Pictures" },
      { kind: "link", url: "https://example.org/?a=1&b=2", label: "Shop" },
      { kind: "section", section: "blog", isHidden: true },
      { kind: "link", url: "/photos?x=%22", label: '<b>"q"</b>' },
      { kind: "section", section: "files" },
    );
    expect(await links()).toEqual([
      "Pictures /photos",
      "Shop https://example.org/?a=1&amp;b=2",
      "&lt;b&gt;&quot;q&quot;&lt;/b&gt; /photos?x=%22",
      "Files /browse",
    ]);
    expect([(await footer()).includes("/docs"), (await read("/llms.txt")).includes("OpenAPI")]).toEqual([false, false]);
    await setMenu();
    expect(await read("/blog")).not.toContain('<nav aria-label="Menu">');
  });

  test("refuses what would run as a script, leads nowhere or is too much", async () => {
    const blogEntry = { kind: "section", section: "blog" };
    for (const [menu, error] of [
      [[{ kind: "link", label: "x", url: "javascript:alert(1)" }], "must begin with https://, http://, mailto: or /"],
      [[{ kind: "link", label: "x", url: "//example.org" }], "must begin with"],
      [[{ kind: "link", label: "x", url: "/\\example.org" }], "must begin with"],
      [[{ kind: "link", url: "/x" }], '"menu.0.label" is required.'],
      [[blogEntry, { kind: "page" }], '"menu.1.pageID" is required.'],
      [[blogEntry, { kind: "page", pageID: 999_999 }], '"menu.1.pageID" is invalid: there is no page 999999.'],
      [Array.from({ length: 21 }, () => blogEntry), '"menu" must have at most 20 entries.'],
    ] as const) {
      const { status, body } = await admin.put("/api/v1/settings", { menu });
      expect([status, body.error]).toEqual([400, expect.stringContaining(error)]);
    }
    expect((await owner.put("/api/v1/settings", { menu: [] })).status).toBe(403);
  });

  test("has a footer with links, in which nothing else is markup", async () => {
    await admin.put("/api/v1/settings", {
      footer: "© 2026 Ada\n[Imprint](/imprint) [bad](javascript:alert(1)) <i>x</i>\n\nhttps://example.org.",
    });
    const text = await footer();
    expect(text).toContain(
      '© 2026 Ada<br/><a href="/imprint">Imprint</a> [bad](javascript:alert(1)) &lt;i&gt;x&lt;/i&gt;',
    );
    expect(text).toContain('<a href="https://example.org">https://example.org</a>.');
    await admin.put("/api/v1/settings", { footer: "" });
    expect(await footer()).toContain('<p dir="auto">Vitrine</p>');
  });
});
