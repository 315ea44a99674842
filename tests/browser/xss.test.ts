// Runs only with TEST_LONG: a browser takes long, and tests/browser/reading.test.ts is the story of the site in npm test.
import { beforeAll, expect } from "bun:test";
import type { Browser } from "playwright-core";
import { isLong } from "../kit/long.ts";
import { password } from "../kit/people.ts";
import { bytesOf, plain, tiff, withExif } from "../kit/files/pictures.ts";
import { parseXML } from "../kit/files/xml.ts";
import { useServer } from "../kit/use-server.ts";
import { browserPath, openTab, sharedBrowser, type Tab, testInBrowser } from "../kit/browser.ts";
import { findMarkupErrors } from "./html.ts";
import { inMarkdown, xssLines, xssStrings } from "./xss-strings.ts";

const api = "/api/v1";

const server = useServer();
const { guest } = server;
const chief = server.person("ada", "admin");
let browser: Browser;

beforeAll(async () => {
  if (browserPath) browser = await sharedBrowser();
});

const made = async (path: string, body: object) => {
  const { status, body: record } = await chief.post(api + path, body);
  expect([status, record.error]).toEqual([201, undefined]);
  return record;
};

/** The texts in groups that fit into a field of this many characters. Those that are too long for it are cut. */
function pack(texts: string[], most: number, separator = " "): string[] {
  const packed: string[] = [];
  for (const text of texts.map((one) => one.slice(0, most).toWellFormed())) {
    const joined = `${packed.at(-1) ?? ""}${separator}${text}`;
    if (packed.length > 0 && joined.length <= most) packed[packed.length - 1] = joined;
    else packed.push(text);
  }
  return packed;
}

/** The texts in as many parts as there are titles: that of this title, and nothing for another title. */
function partOf(titles: string[], title: string): string[] {
  const size = Math.ceil(xssStrings.length / titles.length);
  const index = titles.indexOf(title);
  return index < 0 ? [] : xssStrings.slice(index * size, (index + 1) * size);
}

/** Of some elements without an end, parsers take all that follows as their text: these are the last ones of a post. */
const isSwallowing = (text: string): boolean =>
  /<(plaintext|xmp|textarea|script|style|template|title|noscript|iframe|!|\?)|^[`~]{3}/i.test(text);
const swallowingLast = (texts: string[]): string[] =>
  texts.toSorted((one, other) => Number(isSwallowing(one)) - Number(isSwallowing(other)));

const upload = async (name: string, content: Bun.BlobPart, path = "/") => {
  const { status, body } = await chief.upload(name, content, { path });
  expect([name, status, body.error]).toEqual([name, 201, undefined]);
  return body;
};

testInBrowser("there are several hundred texts", () => expect(xssStrings.length).toBeGreaterThan(300));

testInBrowser("titles, descriptions, alternative texts, tags and places of photos and albums", async () => {
  const file = await upload("black.jpg", await bytesOf(plain(60, 40, "#000").jpeg()));
  const album = await made("/albums", { name: xssLines[0] as string, description: xssStrings.join("\n") });
  const ids: number[] = [];
  for (const [index, title] of xssLines.entries()) {
    const text = xssStrings[index] ?? title;
    const place = { latitude: 1, longitude: 2, name: title };
    const more = { description: text, altText: text, tags: [title.slice(0, 50)], place, showLocation: true };
    ids.push((await made("/photos", { title, fileID: file.id, ...more })).id);
  }
  await chief.put(`${api}/albums/${album.id}/photos`, { photoIDs: ids });
  const packed = pack(xssLines, 300);
  const inner = [];
  for (const name of packed) inner.push(await made("/albums", { name, description: name, parentID: album.id }));
  for (const title of packed) {
    const more = { description: pack(xssStrings, 19_000, "\n")[0], altText: title, tags: [title.slice(0, 50)] };
    ids.push((await made("/photos", { title, fileID: file.id, ...more })).id);
  }
  await using tab = await openWatched();
  await follow(tab, "/photos");
  await follow(tab, "/albums");
  // A photo is shown there as in the list above.
  if (isLong) await follow(tab, `/albums/${album.id}`);
  else await visit(tab, `/albums/${album.id}`);
  for (const id of every(3, ids.slice(-packed.length))) await visit(tab, `/photos/${id}`);
  for (const { id } of inner.slice(0, 10)) await visit(tab, `/albums/${id}`);
  for (const title of every(24, xssLines)) await visit(tab, `/tags/${encodeURIComponent(title.slice(0, 50).trim())}`);
  // The lightbox writes captions by script.
  await tab.page.goto("/photos");
  await tab.page.click(".photos > a:first-child");
  await tab.page.waitForSelector(".pswp:focus");
  for (let number = 0; number < 30; number++) await tab.page.keyboard.press("ArrowRight");
  expect(await findDanger(tab)).toEqual([]);
  for (const path of ["/photos/feed.xml", `/albums/${album.id}/feed.xml`]) parseXML((await guest.get(path)).body);
});

testInBrowser("posts: titles, excerpts, tags and every construct of Markdown", async () => {
  const titles = pack(xssLines, 300);
  // Every text is in the content of one of them, and in the excerpt of a post in the list.
  const visited = new Map(every(1, titles).map((title) => [title, ""]));
  for (const title of titles) {
    const content =
      swallowingLast(partOf([...visited.keys()], title))
        .map(inMarkdown)
        .join("\n\n") || "empty";
    const excerpt = partOf(titles, title).join("\n").slice(0, 1000);
    const { slug } = await made("/blog", { title, content, excerpt, tags: [title.slice(0, 50)] });
    if (visited.has(title)) visited.set(title, slug);
  }
  await using tab = await openWatched();
  for (const slug of visited.values()) await visit(tab, `/blog/${encodeURIComponent(slug)}`);
  await follow(tab, "/blog");
  for (const path of ["/feed.xml", "/blog/feed.xml", "/sitemap.xml"]) parseXML((await guest.get(path)).body);
  JSON.parse((await guest.get("/feed.json")).body);
  for (const slug of every(10, xssLines)) {
    const { status } = await chief.post(`${api}/blog`, { title: "x", content: "x", slug });
    expect([slug, status]).toEqual([slug, 400]);
  }
});

testInBrowser("comments", async () => {
  const post = await made("/blog", { title: "Discussed", content: "x" });
  const packed = pack(xssStrings, 9000, "\n");
  for (const content of [...packed, ...every(3, xssStrings)]) await made("/comments", { content, blogPostID: post.id });
  await using tab = await openWatched();
  await visit(tab, `/blog/${post.slug}`);
  await signIn(tab);
  await visit(tab, `/blog/${post.slug}`);
  const comments = (await chief.get(`${api}/comments?blogPostID=${post.id}`)).body as { id: number }[];
  for (const { id } of comments.slice(0, packed.length)) await visit(tab, `/blog/${post.slug}?edit=${id}`);
});

testInBrowser("names and contents of files and directories, and the data of cameras", async () => {
  // A name has no slash; the rest of the text stays.
  const names = [...new Set(xssLines.map((text) => text.replaceAll(/[/\\]/g, "").slice(0, 100).trim()))];
  for (const [index, name] of names.entries()) {
    if (index % 8 === 0) await made("/directories", { name: `${name}.${index}`, path: "/" });
    await upload(name, "x", "/names");
  }
  const all = xssStrings.join("\n");
  for (const ending of ["txt", "md", "html", "xhtml", "svg", "xml", "js", "css", "json", "pdf"])
    await upload(
      `attack.${ending}`,
      ending === "svg" ? `<svg xmlns="http://www.w3.org/2000/svg">${all}` : all,
      "/contents",
    );
  await using tab = await openWatched();
  await follow(tab, "/browse");
  await follow(tab, "/browse/names");
  for (const name of every(24, names)) await visit(tab, `/browse/names/${encodeURIComponent(name)}`);
  const files = (await chief.get(`${api}/files?path=/contents`)).body as { name: string; url: string }[];
  for (const { name, url } of files) {
    await visit(tab, `/browse/contents/${name}`);
    // What browsers do not show is a download, which ends the navigation.
    await tab.page.goto(url).catch(() => {});
    expect([name, await findFired(tab)]).toEqual([name, []]);
  }
  const jpeg = await bytesOf(plain(30, 20, "#123456").jpeg());
  for (const text of every(
    15,
    xssLines.filter((line) => /^[\x20-\x7e]{1,200}$/.test(line)),
  )) {
    const block = tiff({
      image: { 0x010e: text, 0x010f: text, 0x0110: text, 0x013b: text, 0x8298: text },
      exif: { 0xa434: text },
    });
    const file = await upload("camera.jpg", withExif(jpeg, block), "/cameras");
    const { id, exif } = await made("/photos", { title: "From a camera", fileID: file.id });
    expect(exif).not.toBeNull();
    await visit(tab, `/photos/${id}`);
  }
});

testInBrowser("the name, the tagline and the styles of the site", async () => {
  await using tab = await openWatched();
  for (const siteName of every(10, pack(xssLines, 100))) {
    await chief.put(`${api}/settings`, { siteName, tagline: siteName });
    await visit(tab, "/");
    JSON.parse((await guest.get("/site.webmanifest")).body);
    parseXML((await guest.get("/feed.xml")).body);
  }
  let accepted = 0;
  for (const text of [...xssStrings, "body { background: url(javascript:x) }"]) {
    const { status } = await chief.put(`${api}/settings`, { customCSS: text });
    expect([200, 400]).toContain(status);
    if (status === 200 && ++accepted % 40 === 0) await visit(tab, "/");
  }
  const harmless = xssStrings.filter((text) => !/url|import|src|image/i.test(text));
  expect((await chief.put(`${api}/settings`, { customCSS: harmless.join("\n") })).status).toBe(200);
  await visit(tab, "/");
  await chief.put(`${api}/settings`, { siteName: "Vitrine", tagline: "", customCSS: "" });
});

testInBrowser("addresses, search terms, usernames and names of guests", async () => {
  await using tab = await openWatched();
  for (const text of every(3, pack(xssStrings, 180)))
    await visit(tab, `/search?q=${encodeURIComponent(text)}`, [200, 400]);
  for (const text of every(25, xssStrings)) {
    const part = encodeURIComponent(text);
    for (const path of [
      `/blog/${part}`,
      `/people/${part}`,
      `/browse/${part}`,
      `/signin?next=${part}`,
      `/photos?cursor=${part}`,
      `/setup?key=${part}`,
    ])
      await visit(tab, path, [200, 400, 404, 410, 414]);
  }
  for (const username of xssLines.map((line) => line.slice(0, 64))) {
    const { status } = await guest.post("/signup", { username, password });
    if (status === 201) await visit(tab, `/people/${encodeURIComponent(username)}`);
    else expect([username, status]).toEqual([username, 400]);
  }
  for (const next of every(4, xssStrings)) {
    const body = new URLSearchParams({ username: "ada", password: "wrong password", next }).toString();
    const headers = { "Content-Type": "application/x-www-form-urlencoded", Origin: server.url };
    const answer = await guest.request<string>("POST", "/session", { body, headers, redirect: "manual" });
    expect(await findMarkupErrors(answer.body)).toEqual([]);
  }
  const album = await made("/albums", { name: "Shared", visibility: "private" });
  const { token } = await made("/shares", { kind: "album", id: album.id, allowUpload: true });
  for (const guestName of every(12, pack(xssLines, 100))) {
    const form = new FormData();
    form.set("guestName", guestName);
    form.set("file", new File([await bytesOf(plain(4, 4, "#fff").png())], `${guestName.replaceAll(/[/\\]/g, "")}.png`));
    await guest.request("POST", `${api}/shared/uploads`, { body: form, headers: { "X-Share-Token": token } });
  }
  await visit(tab, `/s/${token}`);
  await visit(tab, `/s/${token}/upload`);
});

/** Every so many of them, and fewer in short runs. */
const every = <Item>(step: number, items: Item[]): Item[] =>
  items.filter((_, index) => index % (isLong ? step : 3 * step) === 0);

/** A tab that notes every script of ours that runs, every dialog, and everything that the policy has blocked. */
async function openWatched(): Promise<Tab> {
  const tab = await openTab(browser, server.url);
  // No other machine is found, so such a request fails. One that the policy has blocked was never sent.
  tab.context.on("requestfailed", (request) => {
    const { protocol, origin } = new URL(request.url());
    const isSent = protocol.startsWith("http") && origin !== server.url && request.failure()?.errorText !== "csp";
    if (isSent) tab.complaints.push(`asked for ${request.url()}`);
  });
  await tab.context.addInitScript(() => {
    const page = globalThis as any;
    page.__seen = [];
    page.__fired = () => page.__seen.push("a script ran");
    for (const name of ["alert", "confirm", "prompt", "print", "open"]) page[name] = () => page.__seen.push(name);
    page.document.addEventListener("securitypolicyviolation", (event: any) =>
      // A post may name a picture of another site: the policy keeps browsers from loading it.
      event.violatedDirective === "img-src"
        ? null
        : page.__seen.push(`blocked: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    );
  });
  return tab;
}

/** Opens the page, and expects that it is complete and does nothing but what we have written. */
async function visit(tab: Tab, path: string, statuses = [200]): Promise<void> {
  const response = await tab.page.goto(path);
  expect([path, statuses.includes(response?.status() ?? 0)]).toEqual([path, true]);
  expect([path, await findDanger(tab)]).toEqual([path, []]);
  const [headings, footers] = [await tab.page.locator("h1").count(), await tab.page.locator("body > footer").count()];
  expect([path, headings >= 1, footers]).toEqual([path, true, 1]);
}

/** Visits a list from its first page to its last. The HTML of each is valid. */
async function follow(tab: Tab, start: string): Promise<void> {
  for (let path: string | null = start; path;) {
    await visit(tab, path);
    const { body } = await guest.get<string>(path);
    expect([path, await findMarkupErrors(body)]).toEqual([path, []]);
    const next = tab.page.locator('.pager a[rel="next"]').last();
    path =
      (await next.count()) === 0
        ? null
        : new URL((await next.getAttribute("href")) ?? "", tab.page.url()).href.slice(server.url.length);
  }
}

const findFired = (tab: Tab): Promise<string[]> => tab.page.evaluate(() => (globalThis as any).__seen ?? []);

/** What ran, what was blocked, what was asked from elsewhere, and elements that no page of ours has. */
async function findDanger(tab: Tab): Promise<string[]> {
  const found = await tab.page.evaluate(() => {
    const { document, location, __seen } = globalThis as any;
    const problems: string[] = [...__seen];
    const ours = /^\/assets\//;
    for (const element of document.querySelectorAll("*")) {
      // Only if it is needed: to write every element with all that it contains takes most of the time of a long page.
      const show = () => element.outerHTML.slice(0, 150);
      const tag = element.localName;
      if (/^(iframe|object|embed|base|frame|frameset|applet|portal|style|template|math|foreignobject)$/i.test(tag))
        problems.push(show());
      if (
        tag === "script" &&
        element.type !== "application/ld+json" &&
        !ours.test(new URL(element.src, location.href).pathname)
      )
        problems.push(show());
      if (tag === "script" && element.type === "application/ld+json") JSON.parse(element.textContent);
      for (const { name, value } of element.attributes) {
        if (/^(on|srcdoc$|formaction$)/i.test(name)) problems.push(`${name}: ${show()}`);
        if (!/^((xlink:)?href|src|action|poster|data)$/i.test(name)) continue;
        const { protocol } = new URL(value, location.href);
        const isLink = tag === "a" || tag === "link" || tag === "img";
        if (
          !/^(https?|mailto|geo|tel|xmpp|irc|ircs):$/.test(protocol) ||
          (!isLink && new URL(value, location.href).origin !== location.origin)
        )
          problems.push(`${value.slice(0, 80)}: ${show()}`);
      }
    }
    return problems;
  });
  const complaints = tab.complaints.splice(0).filter((text) => !isBlocked(text));
  return [...found, ...complaints];
}

/** Of requests that were never sent, or whose response says that there is nothing. */
const isBlocked = (complaint: string) => /^4\d\d |^\S+: Loading the image|loads from elsewhere/.test(complaint);

async function signIn({ page }: Tab): Promise<void> {
  await page.goto("/signin");
  await page.fill("[name=username]", "ada");
  await page.fill("[name=password]", password);
  await page.click("main button[type=submit]");
  await page.waitForURL((url) => url.pathname === "/");
}
