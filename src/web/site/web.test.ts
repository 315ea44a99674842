// Runs on other engines only with TEST_LONG: the pages use the same statements as the tests of the API.
import { describe, expect, test } from "bun:test";
import { uncached } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { startServer } from "../../../tests/kit/server.ts";
import { useOpened } from "../../../tests/kit/use-opened.ts";
import { openWebSite, secrets } from "../../../tests/kit/web-site.ts";
import { elementsOf, parseXML, textOf } from "../../../tests/kit/files/xml.ts";
import { testLong } from "../../../tests/kit/long.ts";

const site = useOpened(openWebSite);

describe("files at fixed addresses", () => {
  test("robots.txt keeps robots from what is not for them, and names the sitemap", async () => {
    const { body, headers } = await site.get("/robots.txt");
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    for (const path of ["/studio", "/s/", "/search", "/api/"]) expect(body).toContain(`Disallow: ${path}\n`);
    expect(body).toContain(`Sitemap: ${site.server.url}/sitemap.xml\n`);
  });

  test("the manifest names icons that exist in these sizes", async () => {
    await site.people.admin.put("/api/v1/settings", { siteName: "Ada’s <pictures>", tagline: "Seen" });
    const manifest = JSON.parse((await site.get("/site.webmanifest")).body);
    expect(manifest).toMatchObject({ name: "Ada’s <pictures>", description: "Seen", start_url: "/" });
    expect(manifest.background_color).toMatch(/^#[0-9a-f]{6}$/);
    for (const { src, sizes } of manifest.icons) {
      expect((await sizeOf(src)).join("x")).toBe(sizes);
    }
    await site.people.admin.put("/api/v1/settings", { siteName: "Vitrine", tagline: "" });
  });

  testLong("the icon is the chosen picture as a square, if everyone may see it, or else the mark", async () => {
    const paths = ["/apple-touch-icon.png", "/icon-192.png", "/icon-512.png", "/favicon.ico"];
    const read = () =>
      Promise.all(paths.map(async (path) => Buffer.from(await (await fetch(site.server.url + path)).arrayBuffer())));
    const marks = await read();
    expect(await sizeOf("/apple-touch-icon.png")).toEqual([180, 180]);
    expect(marks[3]?.subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0]));
    const choose = (iconFileID: number | null) => site.people.admin.put("/api/v1/settings", { iconFileID });
    const { body: picture } = await site.people.admin.upload("icon.png", png(300, 100));
    await choose(picture.id);
    const chosen = await read();
    for (const [index, bytes] of chosen.entries()) expect(bytes.equals(marks[index] as Buffer)).toBe(false);
    expect(await sizeOf("/icon-192.png")).toEqual([192, 192]);
    expect(await read()).toEqual(chosen);
    for (const content of ["no picture", "<svg xmlns='http://www.w3.org/2000/svg'/>"]) {
      await choose((await site.people.admin.upload("icon.svg", content)).body.id);
      expect(await read()).toEqual(marks);
    }
    await choose((await site.people.admin.upload("damaged.png", png(20, 20).slice(0, 40))).body.id);
    expect(await read()).toEqual(marks);
    await choose((await site.people.admin.upload("own.png", png(30, 30), { visibility: "private" })).body.id);
    expect(await read()).toEqual(marks);
    await choose(null);
    const { status, headers } = await site.get("/favicon.ico");
    expect(headers.get("content-type")).toBe("image/x-icon");
    expect(status).toBe(200);
    const again = await fetch(`${site.server.url}/favicon.ico`, {
      headers: { "If-None-Match": headers.get("etag") ?? "" },
    });
    expect(again.status).toBe(304);
  });

  test("llms.txt names the lists, the feeds and the API", async () => {
    const { body } = await site.get("/llms.txt");
    expect(body).toStartWith("# Vitrine\n");
    for (const path of ["/blog", "/photos", "/feed.xml", "/openapi.json"])
      expect(body).toContain(`(${site.server.url}${path})`);
  });

  test("security.txt exists if there is a contact", async () => {
    expect((await site.get("/.well-known/security.txt")).status).toBe(404);
    await using other = await startServer({ SECURITY_CONTACT: "mailto:security@example.org" });
    const body = await (await fetch(`${other.url}/.well-known/security.txt`)).text();
    expect(body).toContain("Contact: mailto:security@example.org\n");
    const expires = Date.parse(/^Expires: (.+)$/m.exec(body)?.[1] ?? "");
    expect(expires).toBeGreaterThan(Date.now());
    expect(expires).toBeLessThan(Date.now() + 366 * 86_400_000);
    expect(startServer({ SECURITY_CONTACT: "someone" })).rejects.toThrow("SECURITY_CONTACT");
  });

  test("the language of feeds and files is that of the site, whatever the visitor prefers", async () => {
    await site.people.admin.put("/api/v1/settings", { language: "de" });
    const { body } = await site.people.guest.get("/blog/feed.xml", { ...uncached, "Accept-Language": "en" });
    expect(textOf(parseXML(body), "title")).toBe("Beiträge · Vitrine");
    expect(parseXML(body).attributes["xml:lang"]).toBe("de");
    await site.people.admin.put("/api/v1/settings", { language: "en" });
  });
});

test("every page that search engines list has one title, one description and its own canonical link", async () => {
  const places = elementsOf(parseXML((await site.get("/sitemap.xml")).body), "loc").map(({ text }) => text);
  expect(places.length).toBeGreaterThan(8);
  const descriptions = new Set<string>();
  for (const place of places) {
    const { body } = await site.get(place.slice(site.server.url.length));
    expect(body.match(/<title>[^<]+<\/title>/g)).toHaveLength(1);
    const [description, ...others] = [...body.matchAll(/<meta name="description" content="([^"\n]*)"/g)];
    expect(description?.[1]).toMatch(/\S.{5,}/);
    expect(others).toEqual([]);
    descriptions.add(description?.[1] as string);
    expect(/<link rel="canonical" href="([^"]*)"/.exec(body)?.[1]).toBe(place);
  }
  expect(descriptions.size).toBe(places.length);
});

/** Width and height in the header of a PNG. */
async function sizeOf(path: string): Promise<[number, number]> {
  const response = await fetch(site.server.url + path);
  expect(response.headers.get("content-type")).toBe("image/png");
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

describe("custom styles", () => {
  const save = (customCSS: string) => site.people.admin.put("/api/v1/settings", { customCSS });

  test("are served under a URL that changes with them, and kept by browsers", async () => {
    await save("body { color: red }");
    const page = await site.people.guest.get("/", { ...uncached, Accept: "text/html" });
    const url = /href="(\/custom\.css\?v=[^"]+)"/.exec(page.body)?.[1] ?? "";
    const styles = await site.get(url);
    expect(styles.body).toBe("body { color: red }");
    expect(styles.headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(styles.headers.get("cache-control")).toContain("immutable");
    await save("body { color: blue }");
    const outdated = await site.get(url);
    expect(outdated.body).toBe("body { color: blue }");
    expect(outdated.headers.get("cache-control")).toBe("no-cache");
    await save("");
  });

  test("that would load something from elsewhere are refused", async () => {
    for (const css of ["@import 'a.css'", "a { background: url(https://other.test/x.png) }"]) {
      const { status, body } = await save(css);
      expect(status).toBe(400);
      expect(body.error).toContain("customCSS");
    }
    expect((await save("a { background: url(data:image/png;base64,AAAA) }")).status).toBe(200);
    await save("");
  });
});

describe("oEmbed", () => {
  const embed = (path: string, more = "") =>
    site.get(`/oembed?url=${encodeURIComponent(site.server.url + path)}${more}`);

  test("a photo is a picture within the limits of the client", async () => {
    const { body } = await embed(`/photos/${site.shown.photo.id}`);
    expect(body).toMatchObject({
      version: "1.0",
      type: "photo",
      title: site.shown.photo.title,
      url: site.server.url + site.imagePath,
      width: 1600,
      height: 900,
      author_name: "owner",
      provider_name: "Vitrine",
    });
    const small = (await embed(`/photos/${site.shown.photo.id}`, "&maxwidth=700&maxheight=700")).body;
    expect([small.width, small.height]).toEqual([640, 360]);
    const tiny = (await embed(`/photos/${site.shown.photo.id}`, "&maxwidth=100")).body;
    expect([tiny.width, tiny.height]).toEqual([100, 56]);
  });

  test("albums and posts are links with a picture", async () => {
    const album = (await embed(`/albums/${site.shown.album.id}-lisbon-2026`)).body;
    expect(album).toMatchObject({ type: "link", title: site.shown.album.name });
    expect(album.thumbnail_url).toContain(`/photos/${site.shown.photo.id}/image`);
    const { body: post, headers } = await embed(`/blog/${site.shown.post.slug}`, "&format=json");
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(post).toMatchObject({ type: "link", title: site.shown.post.title });
    expect(post.thumbnail_url).toBe(`${site.server.url}/blog/${site.shown.post.slug}/card.png`);
  });

  test("XML is not available, and pages do not link to it", async () => {
    const path = `/blog/${site.shown.post.slug}`;
    const { status, body } = await embed(path, "&format=xml");
    expect([status, body.error]).toEqual([501, "oEmbed is available as JSON only: send format=json."]);
    expect((await site.get(path)).body).toContain("application/json+oembed");
    expect((await site.get(path)).body).not.toContain("xml+oembed");
  });

  test("other pages, other sites and private records are not found; nonsense is refused", async () => {
    const { body: drafts } = await site.people.owner.get("/api/v1/blog?owner=me&cursor=");
    const hidden = drafts.find(({ title }: { title: string }) => title === "quagmire");
    for (const path of [
      "/",
      "/blog",
      "/photos/999999",
      "/photos/x",
      `/blog/${hidden.slug}`,
      `/photos/${site.shown.photo.id}/x`,
    ]) {
      expect((await embed(path)).status).toBe(404);
    }
    expect((await site.get(`/oembed?url=${encodeURIComponent("https://other.test/photos/1")}`)).status).toBe(404);
    for (const query of [
      "",
      "?url=",
      "?url=x",
      "?url=https://a.test/%25ff",
      `?url=${encodeURIComponent(`${site.server.url}/blog/%00`)}`,
      "?url=https://a.test/&format=html",
      "?url=https://a.test/&maxwidth=x",
    ]) {
      expect((await site.get(`/oembed${query}`)).status).toBe(400);
    }
  });
});

describe("the card of a post", () => {
  test("is a picture of 1200 × 630 pixels that depends on the title, the name of the site and the theme", async () => {
    const path = `/blog/${site.shown.post.slug}/card.png`;
    expect(await sizeOf(path)).toEqual([1200, 630]);
    const tag = async () => (await site.get(path)).headers.get("etag");
    const first = await tag();
    expect(await tag()).toBe(first);
    await site.people.admin.put("/api/v1/settings", { theme: "plain" });
    const second = await tag();
    expect(second).not.toBe(first);
    await site.people.admin.put("/api/v1/settings", { theme: "magazine" });
    expect(await tag()).toBe(first);
    const again = await fetch(site.server.url + path, { headers: { "If-None-Match": first ?? "" } });
    expect(again.status).toBe(304);
  });

  test("can be drawn for any title", async () => {
    const { owner } = site.people;
    for (const title of [
      "x".repeat(300),
      "東京の写真",
      "مرحبا بالعالم",
      "\u{1F600}\u{1F600}",
      "<span>&amp;",
      "'\"",
      "a\u0301\u200d",
    ]) {
      const { body: post } = await owner.post("/api/v1/blog", {
        title,
        content: "x",
        slug: `card-${crypto.randomUUID()}`,
      });
      expect(await sizeOf(`/blog/${post.slug}/card.png`)).toEqual([1200, 630]);
      await owner.delete(`/api/v1/blog/${post.id}`);
    }
  });

  test("exists only for what guests see; an old slug redirects", async () => {
    const { owner } = site.people;
    const { body: post } = await owner.post("/api/v1/blog", { title: "Old name", content: "x" });
    await owner.put(`/api/v1/blog/${post.id}`, { slug: "new-name" });
    const moved = await fetch(`${site.server.url}/blog/old-name/card.png`, { redirect: "manual" });
    expect(moved.status).toBe(308);
    expect(moved.headers.get("location")).toBe("/blog/new-name/card.png");
    await owner.put(`/api/v1/blog/${post.id}`, { visibility: "private" });
    for (const path of ["old-name", "new-name", "nothing", "%ff", "%00"]) {
      for (const caller of [site.people.guest, owner]) {
        expect((await site.get(`/blog/${path}/card.png`, caller)).status).toBe(404);
      }
    }
    await owner.delete(`/api/v1/blog/${post.id}`);
  });
});

test("nothing here contains a private record, whoever asks", async () => {
  const paths = [
    ...site.feeds,
    "/feed.json",
    "/sitemap.xml",
    ...[1, 2, 3, 4].map((n) => `/sitemap-${n}.xml`),
    "/llms.txt",
    `/oembed?url=${encodeURIComponent(`${site.server.url}/albums/${site.shown.album.id}`)}`,
  ];
  for (const path of paths) {
    const seen = await Promise.all(
      [site.people.guest, site.people.owner, site.people.stranger, site.people.admin].map(async (caller) => {
        const { status, body } = await site.get(path, caller);
        expect(status).toBe(200);
        return typeof body === "string" ? body : JSON.stringify(body);
      }),
    );
    for (const text of seen) {
      for (const secret of secrets) expect(text).not.toContain(secret);
      expect(text).toBe(seen[0] as string);
    }
  }
});
