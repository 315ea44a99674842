import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { sql } from "../../src/platform/database/sql.ts";
import type { Client } from "../kit/client.ts";
import { startServer, withDatabase } from "../kit/server.ts";
import { signIn } from "../studio/sign-in.ts";
import { desktop, launchBrowser, openTab, phone } from "../kit/browser.ts";
import { setUpWithSamples } from "./set-up.ts";

/**
 * Compares pictures of the site and the studio with those in tests/looks, by their pixels: `npm run test:looks`. A state that
 * looks different leaves a picture of the difference in tests/looks/differences. `npm run test:looks -- --renew` replaces
 * the pictures; look at them before you commit them.
 */
const directory = join(import.meta.dir, "../looks");
const differences = join(directory, "differences");
const isRenewed = process.argv.includes("--renew");

/** How far the value of a pixel may be from the one before, and the share of pixels that may be further. */
const tolerance = { value: 40, share: 0.002 };

type State = {
  path: string;
  size?: typeof desktop;
  scheme?: "light" | "dark";
  /** What the site has only in this state. */
  settings?: Record<string, number>;
  act?: (page: Page) => Promise<unknown>;
};

/** Times differ from run to run, and what is drawn while something moves. */
const steady = `
  time { display: inline-block !important; width: 6em; height: 1em; overflow: hidden; visibility: hidden !important; }
  *, ::before, ::after { animation: none !important; transition: none !important; caret-color: transparent !important; }`;

/** The policy of the site allows no style that is written into a page. */
const addSteady = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(${JSON.stringify(steady)});
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
})()`;

process.exitCode = await main();

async function main(): Promise<number> {
  rmSync(differences, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  await using server = await startServer();
  const browser = await launchBrowser();
  try {
    const owner = await setUpWithSamples(browser, server);
    await owner.put("/api/v1/settings", { tagline: "Photographs and notes from the coast" });
    await fixDates(owner);
    // The page of a post in the preview shows when it was updated.
    await withDatabase(server, (db) => db.transaction((tx) => tx.run(sql`UPDATE posts SET updated_at = published_at`)));
    const failed: string[] = [];
    for (const [name, state] of Object.entries(await listStates(owner))) {
      const { path, size = desktop, scheme = "light", settings, act } = state;
      await owner.put("/api/v1/settings", settings ?? { logoPhotoID: null, coverPhotoID: null });
      await using tab = await openTab(browser, server.url, { viewport: size, colorScheme: scheme, locale: "en" });
      if (path.startsWith("/studio")) await signIn(tab, "ada");
      const page = await tab.open(path);
      await page.locator("main :is(h1, h2, textarea)").first().waitFor();
      await act?.(page);
      await settle(page);
      const share = await compare(name, await page.screenshot({ caret: "initial" }));
      const complaints = tab.complaints;
      console.log(`${name}: ${isRenewed ? "renewed" : `${(share * 100).toFixed(2)} % of the pixels differ`}`);
      if (share > tolerance.share || complaints.length > 0) failed.push([name, ...complaints].join(" "));
    }
    for (const name of failed) console.error(`${name} looks different: see tests/looks/differences.`);
    return failed.length === 0 ? 0 : 1;
  } finally {
    await browser.close();
  }
}

/** Samples have dates near today. Here they always have the same ones, in the same order. */
async function fixDates(owner: Client): Promise<void> {
  const newest = Date.UTC(2026, 4, 20, 18, 30);
  for (const [list, field, days] of [
    ["photos", "takenAt", 17],
    ["blog", "publishedAt", 3],
  ] as const) {
    const records: { id: number }[] = (await owner.get(`/api/v1/${list}?sort=${field}&pageSize=100`)).body;
    for (const [index, { id }] of records.entries()) {
      const time = new Date(newest - index * days * 86_400_000).toISOString();
      const { status } = await owner.put(`/api/v1/${list}/${id}`, { [field]: time });
      if (status !== 200) throw new Error(`${list} ${id} was not changed: ${status}`);
    }
  }
}

async function listStates(owner: Client): Promise<Record<string, State>> {
  const posts: { slug: string; title: string; id: number }[] = (await owner.get("/api/v1/blog")).body;
  const get = (title: string) => posts.find((post) => post.title.startsWith(title)) ?? posts[0];
  const photos: { id: number; title: string }[] = (await owner.get("/api/v1/photos?sort=takenAt")).body;
  const idOf = (title: string) => photos.find((photo) => photo.title === title)?.id ?? 0;
  const photo = { id: photos[0]?.id };
  const [album] = (await owner.get("/api/v1/albums")).body;
  const { body: share } = await owner.post("/api/v1/shares", { kind: "album", id: album.id });
  const brand = { coverPhotoID: idOf("Low sun"), logoPhotoID: idOf("Ember") };
  await owner.put("/api/v1/me/profile", {
    displayName: "Ada Lovelace",
    about: "I photograph harbours, and write about machines.",
    links: [{ url: "https://social.example/@ada" }],
    portraitID: idOf("The valley"),
  });
  const [text, pictures] = [get("Writing in Markdown"), get("Pictures and albums")];
  const openLightbox = async (page: Page) => {
    await page.locator(".photos > a").first().click();
    await page.locator(".pswp--open").waitFor();
  };
  /** The server renders it after the heading is shown; it is in the page, or in a frame of it. */
  const waitForPreview = (page: Page) =>
    Promise.any([page, page.frameLocator("iframe")].map((place) => place.locator(".prose > *").nth(2).waitFor()));
  return {
    home: { path: "/" },
    "home-cover": { path: "/", settings: brand },
    "home-cover-phone-dark": { path: "/", size: phone, scheme: "dark", settings: brand },
    "home-phone-dark": { path: "/", size: phone, scheme: "dark" },
    post: { path: `/blog/${pictures?.slug}` },
    "post-phone": { path: `/blog/${pictures?.slug}`, size: phone },
    "tables-and-code-dark": { path: `/blog/${text?.slug}`, scheme: "dark" },
    blog: { path: "/blog" },
    "photos-phone": { path: "/photos", size: phone },
    "photos-dark": { path: "/photos", scheme: "dark" },
    photo: { path: `/photos/${photo.id}` },
    "photo-phone-dark": { path: `/photos/${photo.id}`, size: phone, scheme: "dark" },
    album: { path: `/albums/${album.id}` },
    author: { path: "/people/ada" },
    "shared-album": { path: `/s/${share.token}` },
    search: { path: "/search?q=light" },
    "sign-in-phone": { path: "/signin", size: phone },
    "lightbox-dark": { path: "/photos", scheme: "dark", act: openLightbox },
    "api-page": { path: "/docs" },
    "studio-photos-phone-dark": { path: "/studio/photos", size: phone, scheme: "dark" },
    "studio-photos": { path: "/studio/photos" },
    "studio-editor": { path: `/studio/blog/${text?.id}`, act: waitForPreview },
    "studio-files-dark": { path: "/studio/files/Samples", scheme: "dark" },
    "studio-settings-phone": { path: "/studio/settings", size: phone },
  };
}

/** Waits for the fonts, the pictures in view, and what the studio loads after its heading. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(addSteady);
  await page.evaluate("document.fonts.ready.then(() => null)");
  await Bun.sleep(1500);
  await page.evaluate(
    "Promise.all([...document.images].filter(({ complete }) => complete).map((image) => image.decode().catch(() => {})))",
  );
}

/** Which share of the pixels differs from the committed picture. Both were compressed in the same way. */
async function compare(name: string, screenshot: Uint8Array): Promise<number> {
  const file = join(directory, `${name}.webp`);
  const current = await sharp(screenshot).webp({ quality: 60, effort: 6 }).toBuffer();
  if (isRenewed) writeFileSync(file, current);
  if (isRenewed || !existsSync(file)) return isRenewed ? 0 : 1;
  const read = (bytes: Uint8Array) => sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const [before, now] = await Promise.all([read(readFileSync(file)), read(current)]);
  const { width, height } = now.info;
  if (before.data.length !== now.data.length) return 1;
  const marked = Buffer.alloc(now.data.length);
  let count = 0;
  for (let at = 0; at < now.data.length; at += 3) {
    const isFar = [0, 1, 2].some(
      (channel) => Math.abs((now.data[at + channel] ?? 0) - (before.data[at + channel] ?? 0)) > tolerance.value,
    );
    if (isFar) count++;
    // What differs is red, on a pale picture of what it is now.
    for (let channel = 0; channel < 3; channel++) {
      marked[at + channel] = isFar ? (channel === 0 ? 220 : 0) : 200 + (now.data[at + channel] ?? 0) / 5;
    }
  }
  const share = count / (width * height);
  if (share > tolerance.share) {
    mkdirSync(differences, { recursive: true });
    await sharp(marked, { raw: { width, height, channels: 3 } })
      .webp()
      .toFile(join(differences, `${name}.webp`));
  }
  return share;
}
