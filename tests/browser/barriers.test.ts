// Runs only with TEST_LONG: a browser takes long, and tests/browser/reading.test.ts is the story of the site in npm test.
import { beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { type Client, client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { bytesOf, plain, takenPicture } from "../kit/files/pictures.ts";
import { useServer } from "../kit/use-server.ts";
import {
  browserPath,
  desktop,
  findBarriers,
  openTab,
  phone,
  sharedBrowser,
  type Tab,
  testInBrowser,
} from "../kit/browser.ts";
import { findMarkupErrors } from "./html.ts";
import { isLong } from "../kit/long.ts";

const api = "/api/v1";
const themes = ["magazine", "gallery", "plain"] as const;
const schemes = ["light", "dark"] as const;
const testAtLength = isLong ? testInBrowser : test.skip;

const server = useServer();
const chief = server.person("ada", "admin");
const reader = server.person("reader");
/** Without an admin: it shows the pages of the set-up. */
const unnamed = useServer();
let browser: Browser;
/** One address of each kind of page, by its name. */
let pages: Record<string, string>;

beforeAll(async () => {
  if (!browserPath) return;
  browser = await sharedBrowser();
  pages = await fill(reader);
});

const made = async (path: string, body: object, who = chief) => {
  const { status, body: record } = await who.post(api + path, body);
  expect([status, record.error]).toEqual([201, undefined]);
  return record;
};

const arabic = "رحلةطويلةإلىالبحرالأبيضالمتوسط مع صور كثيرة من الميناء القديم والمدينة";
const hebrew = "נסיעה ארוכה אל הים התיכון עם הרבה תמונות מהנמל הישן ומהעיר";
const endless = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(3);

/** A post with everything that a post can contain. */
const everything = (photoID: number, albumID: number, fileID: number) => `
Intro with **bold**, *italic*, ~~deleted~~, \`code\`, a [link](/photos), a footnote[^1] and ${endless}.

## A heading

> A quotation
> of two lines

1. one
2. two
   - nested

- [x] done
- [ ] open

| Left | Right |
| :--- | ----: |
| ${"a wide cell ".repeat(20)} | 2 |

### A smaller heading

\`\`\`ts
const answer: number = 42; // ${"a long line ".repeat(20)}
\`\`\`

    indented code

![[photo:${photoID}]]

![[album:${albumID}]]

![[file:${fileID}]]

![A picture](/api/v1/photos/${photoID}/image?w=320 "Its title")

## ${arabic}

${hebrew}

---

## A last heading

[^1]: The note, with a [link](/albums).
`;

async function fill(reader: Client): Promise<Record<string, string>> {
  const upload = async (name: string, content: Bun.BlobPart, path: string) =>
    (await chief.upload(name, content, { path })).body;
  const texts = await upload("notes.txt", `${"A long line. ".repeat(60)}\nAnother.`, "/papers/deep");
  await upload("data.bin", new Uint8Array(2000), "/papers");
  await upload(`${endless.slice(0, 200)}.txt`, "long name", "/papers");
  await upload(`${arabic}.txt`, "Arabic", "/papers");
  const titles = ["Harbour", arabic, hebrew, endless.slice(0, 280), "Last ferry", "Wide"];
  const photos = [];
  for (const [index, title] of titles.entries()) {
    const picture = index === 0 ? await takenPicture("2026:06:12 20:41:07", "X-T5") : null;
    const [width, height] = index === 5 ? [1800, 400] : [600, 400 + 50 * index];
    const file = await upload(
      `${index}.jpg`,
      picture ?? (await bytesOf(plain(width, height, `hsl(${60 * index}, 40%, 50%)`).jpeg())),
      "/pictures",
    );
    const place = { latitude: 38.7, longitude: -9.1, name: "Lisboa" };
    const more = { description: `About ${title}.\n\nMore.`, altText: title, tags: ["sea", hebrew.slice(0, 30)] };
    photos.push(await made("/photos", { title, fileID: file.id, place, showLocation: true, ...more }));
  }
  const album = await made("/albums", { name: "Lisbon", description: `A week.\n\n${arabic}` });
  const nested = await made("/albums", { name: arabic, parentID: album.id });
  for (const { id } of photos) {
    for (const { id: albumID } of [album, nested]) await chief.post(`${api}/albums/${albumID}/photos`, { photoID: id });
  }
  const content = everything(photos[0].id, album.id, texts.id);
  const post = await made("/blog", { title: "Everything", content, coverID: photos[5].id, tags: ["sea"] });
  for (const title of [arabic, hebrew, endless.slice(0, 280)])
    await made("/blog", { title, content: `${title}. ${title}`, tags: ["sea", "a tag of several words"] });
  await chief.put(`${api}/settings`, { photoComments: true, hearts: true });
  await made("/comments", { content: endless, photoID: photos[0].id });
  await made("/comments", { content: hebrew, albumID: album.id });
  const comment = await made("/comments", { content: `First.\n\n${endless}`, blogPostID: post.id });
  await made("/comments", { content: hebrew, blogPostID: post.id, parentID: comment.id }, reader);
  const share = async (kind: string, id: number, more: object = {}) =>
    `/s/${(await made("/shares", { kind, id, ...more })).token}`;
  const papers = (await chief.get(`${api}/files`)).body.find(({ name }: { name: string }) => name === "papers");
  const shared = await share("album", album.id, { allowUpload: true });
  return {
    home: "/",
    blog: "/blog",
    post: "/blog/everything",
    "post in Arabic": `/blog/${(await chief.get(`${api}/blog`)).body.find(({ title }: { title: string }) => title === arabic).slug}`,
    tag: "/tags/sea",
    person: "/people/ada",
    photos: "/photos",
    photo: `/photos/${photos[0].id}`,
    "photo with a long title": `/photos/${photos[3].id}`,
    "photo in Hebrew": `/photos/${photos[2].id}`,
    albums: "/albums",
    album: `/albums/${album.id}-lisbon`,
    "nested album": `/albums/${nested.id}`,
    browse: "/browse",
    directory: "/browse/papers",
    "preview of a text": "/browse/papers/deep/notes.txt",
    "preview of a picture": "/browse/pictures/1.jpg",
    "other file": "/browse/papers/data.bin",
    search: "/search?q=about",
    "search without results": "/search?q=nothinglikethis",
    "empty search": "/search",
    "sign-in": "/signin",
    "sign-up": "/signup",
    "used set-up": "/setup?key=used",
    "shared album": shared,
    "shared photo": `${shared}/photos/${photos[0].id}?album=${album.id}`,
    "shared directory": await share("directory", papers.id),
    "shared file": await share("file", texts.id),
    "shared post": await share("post", post.id),
    upload: `${shared}/upload`,
    "password of a link": await share("album", album.id, { password: "a long secret" }),
    "not found": "/nothing",
    "API page": "/docs",
    "operation of the API": "/docs/createPhoto",
    "errors and schemas of the API": "/docs/reference",
  };
}

/** Homes with and without a logo and a cover. The photos are those of `fill`: a square one, and a wide one. */
const brands = {
  magazine: { logoPhotoID: null, coverPhotoID: null },
  gallery: { logoPhotoID: 1, coverPhotoID: 6 },
  plain: { logoPhotoID: 6, coverPhotoID: 1 },
};

/** The rules that depend on styles. The others are checked once for each page, and on every home, which themes arrange. */
const styleRules = ["color-contrast", "link-in-text-block", "scrollable-region-focusable"];

/** Pages that others are like, except for the length and the direction of their texts: short runs check that they fit. */
const alike = new Set(["post in Arabic", "photo with a long title", "photo in Hebrew", "nested album", "shared file"]);

for (const theme of themes) {
  testInBrowser(
    `no page of the theme ${theme} has a barrier, light or dark, or scrolls sideways on a phone`,
    async () => {
      await chief.put(`${api}/settings`, { theme, tagline: "Photographs and notes", ...brands[theme] });
      await using tab = await openTab(browser, server.url, { viewport: desktop });
      const check = async (page: Page, name: string) => {
        if (!isLong) await shortenLists(page);
        const found: string[] = [];
        for (const viewport of [desktop, phone]) {
          await page.setViewportSize(viewport);
          // In short runs, light on a desktop and dark on a phone.
          for (const colorScheme of isLong ? schemes : ([viewport === desktop ? "light" : "dark"] as const)) {
            await page.emulateMedia({ colorScheme });
            const isWhole = isLong || viewport === desktop;
            if (isLong || !alike.has(name)) found.push(...(await findBarriers(page, isWhole ? undefined : styleRules)));
          }
        }
        return [...found, ...(await findOverflow(page))];
      };
      // Short runs check one theme whole, and the home of the others.
      const isChecked = (name: string) => isLong || theme === "magazine" || name === "home";
      const checked = Object.fromEntries(Object.entries(pages).filter(([name]) => isChecked(name)));
      expect(await collect(tab, checked, check)).toEqual({});
    },
  );
}

testAtLength("nothing moves while a page opens, wide or narrow", async () => {
  await chief.put(`${api}/settings`, { theme: "magazine", tagline: "Photographs and notes" });
  const moving = Object.fromEntries(
    Object.entries({ ...pages, map: "/map" }).filter(([name]) => !alike.has(name) && !name.includes("API")),
  );
  for (const viewport of [desktop, phone]) {
    await using tab = await openTab(browser, server.url, { viewport });
    // Pictures come after the page was drawn.
    await tab.page.route(/\/(image|content)\b/, async (route) => {
      await Bun.sleep(200);
      await route.continue();
    });
    const check = async (page: Page) => {
      await page.evaluate("document.fonts.ready.then(() => null)");
      const shift = await page.evaluate<number>(measureShifts);
      return shift < 0.02 ? [] : [`${viewport.width} px: ${shift}`];
    };
    expect(await collect(tab, moving, check)).toEqual({});
  }
});

testAtLength("nothing overflows where the whole page runs from right to left", async () => {
  await using tab = await openTab(browser, server.url, { viewport: phone });
  const check = async (page: Page) => {
    await page.evaluate('document.documentElement.dir = "rtl"');
    return findOverflow(page);
  };
  expect(await collect(tab, pages, check)).toEqual({});
});

testInBrowser(
  "who has signed in finds no barrier either: the menu, the forms of comments, private records",
  async () => {
    const hidden = await made("/blog", { title: "Not yet", content: "A draft", publishedAt: null });
    const comment = (await chief.get(`${api}/comments?blogPostID=1`)).body[0];
    const own = {
      ...Object.fromEntries(["home", "post", "photo", "album", "directory"].map((name) => [name, pages[name] ?? ""])),
      draft: `/blog/${hidden.slug}`,
      reply: `/blog/everything?reply=${comment.id}`,
      edit: `/blog/everything?edit=${comment.id}`,
    };
    await using tab = await openTab(browser, server.url);
    await tab.open("/signin");
    await tab.page.fill("[name=username]", "ada");
    await tab.page.fill("[name=password]", password);
    await tab.page.click("main button[type=submit]");
    await tab.page.waitForURL((url) => url.pathname === "/");
    const check = async (page: Page) => {
      await page.click(".menu summary");
      return findBarriersInBothSchemes(page);
    };
    expect(await collect(tab, own, check)).toEqual({});
  },
);

testInBrowser("the pages of a new site have no barrier and no error", async () => {
  const own = { front: "/", waiting: "/setup", "set-up": `/setup?key=${await unnamed.setupKey()}` };
  await using tab = await openTab(browser, unnamed.url);
  const check = async (page: Page) => {
    await page.setViewportSize(desktop);
    const found = await findBarriersInBothSchemes(page);
    await page.setViewportSize(phone);
    return [...found, ...(await findOverflow(page))];
  };
  expect(await collect(tab, own, check)).toEqual({});
  for (const path of Object.values(own)) {
    const { body } = await client(unnamed).get<string>(path);
    expect([path, await findMarkupErrors(body)]).toEqual([path, []]);
  }
});

testInBrowser("the HTML of every page is valid, in every theme and for guests as for the owner", async () => {
  for (const theme of themes) {
    await chief.put(`${api}/settings`, { theme });
    for (const [name, path] of Object.entries(isLong || theme === "magazine" ? pages : { home: "/" })) {
      const bodies = new Set<string>();
      for (const who of [client(server), chief])
        bodies.add((await who.get<string>(path, { Accept: "text/html" })).body);
      for (const body of bodies) {
        expect([theme, name, await findMarkupErrors(body)]).toEqual([theme, name, []]);
      }
    }
  }
});

/** Which files the typefaces are in. How much of them a page loads is tested with the typefaces. */
const fontRules = /@font-face\s*\{[^}]*\}/g;

testInBrowser("a page is light", async () => {
  for (const theme of themes) {
    await chief.put(`${api}/settings`, { theme });
    const { body } = await client(server).get<string>("/");
    expect(body.length).toBeLessThan(30_000);
    const sizeOf = async (pattern: RegExp) => {
      let bytes = 0;
      for (const [, path] of body.matchAll(pattern))
        bytes += Buffer.byteLength((await client(server).get<string>(path ?? "")).body.replaceAll(fontRules, ""));
      expect(bytes).toBeGreaterThan(1000);
      return bytes;
    };
    const styles = await sizeOf(/<link rel="stylesheet" href="([^"]+)"/g);
    expect(styles).toBeLessThan(20 * 1024);
    expect(await sizeOf(/<script[^>]* src="([^"]+)"/g)).toBeLessThan(15_000);
  }
});

/** The sum of all layout shifts of the page so far, after what is still to be drawn. */
const measureShifts = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
  let shift = 0;
  const add = (entries) => entries.forEach(({ value }) => { shift += value; });
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => setTimeout(() => resolve((add(observer.takeRecords()), shift))));
})))`;

type Check = (page: Page, name: string) => Promise<string[]>;

/** What the check finds on each page, and what the browser complains about; nothing for a page without problems. */
async function collect(tab: Tab, some: Record<string, string>, check: Check): Promise<Record<string, string[]>> {
  const problems: Record<string, string[]> = {};
  for (const [name, path] of Object.entries(some)) {
    await tab.open(path);
    const found = [...(await check(tab.page, name)), ...tab.complaints.splice(0).filter((text) => !isExpected(text))];
    if (found.length > 0) problems[name] = found;
  }
  return problems;
}

/** Chromium reports a page whose status says that it is not there, or needs a password. */
const isExpected = (complaint: string) => /^(401|404|410) /.test(complaint);

/** In short runs, the rules that do not depend on styles are checked in one of them. */
async function findBarriersInBothSchemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const light = await findBarriers(page);
  await page.emulateMedia({ colorScheme: "dark" });
  return [...light, ...(await findBarriers(page, isLong ? undefined : styleRules))];
}

/** Of many elements that follow each other, the first ones stay: the API page has thousands of the same kind. */
function shortenLists(page: Page): Promise<void> {
  return page.evaluate(() => {
    const { document } = globalThis as unknown as { document: any };
    for (const { children } of document.querySelectorAll("body, body *")) {
      for (const child of [...children].slice(8)) child.remove();
    }
  });
}

/** Elements that make the page wider than the window. */
function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { document, innerWidth } = globalThis as unknown as { document: any; innerWidth: number };
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.body.querySelectorAll("*")].filter((element: any) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 0 && (right > innerWidth + 1 || left < -1);
    });
    return [`${scrollWidth} px wide`, ...wide.slice(0, 5).map((element: any) => element.outerHTML.slice(0, 150))];
  });
}
