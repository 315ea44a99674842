import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { downloadZip } from "client-zip";
import sharp from "sharp";
import { signIn } from "../studio/sign-in.ts";
import { type Client, client } from "../kit/client.ts";
import { startServer, type TestServer } from "../kit/server.ts";
import { desktop, launchBrowser, openTab, phone } from "../kit/browser.ts";
import { root } from "../kit/root.ts";
import { setUpWithSamples } from "./set-up.ts";

/**
 * Pictures of the site with its samples and of the studio, as the documents show them: `npm run screenshots [directory]`.
 * With the option `--only=move-in,import`, those alone. With the option `--all`, every page in every theme and every screen of the studio, light and dark, wide and narrow.
 */
const directory = process.argv.slice(2).find((word) => !word.startsWith("--")) ?? "docs/screenshots";
const isAll = process.argv.includes("--all");
const only = process.argv.find((word) => word.startsWith("--only="))?.slice("--only=".length);
const isWanted = (name: string) => only === undefined || only.split(",").includes(name);
const themes = ["magazine", "gallery", "plain"];

/** The names of the pictures in the documents. */
const documents = [...new Bun.Glob("{README.md,docs/**/*.md}").scanSync(root)];
const shown = new Set(
  documents.flatMap((path) =>
    [...readFileSync(join(root, path), "utf8").matchAll(/screenshots\/([\w-]+)\.webp/g)].map(([, name = ""]) => name),
  ),
);

mkdirSync(directory, { recursive: true });
const server = await startServer();
const browser = await launchBrowser();
try {
  const owner = await setUpWithSamples(browser, server);
  const paths = await findPaths(server);
  for (const theme of themes) {
    await owner.put("/api/v1/settings", { theme, tagline: "Photographs and notes from the coast" });
    for (const [name, path] of Object.entries(paths)) {
      if (isWanted(name)) await shoot(theme, name, path);
    }
  }
  for (const [name, path] of Object.entries(await findScreens(owner)))
    if (isWanted(name)) await shoot("studio", name, `/studio${path}`);
} finally {
  await browser.close();
  await server.close();
}

async function findPaths(server: TestServer): Promise<Record<string, string>> {
  const guest = client(server);
  const [post] = (await guest.get("/api/v1/blog?sort=publishedAt")).body;
  const [photo] = (await guest.get("/api/v1/photos")).body;
  const [album] = (await guest.get("/api/v1/albums")).body;
  return {
    home: "/",
    post: `/blog/${post.slug}`,
    photos: "/photos",
    photo: `/photos/${photo.id}`,
    album: `/albums/${album.id}`,
    blog: "/blog",
    albums: "/albums",
    browse: "/browse",
    search: "/search?q=light",
    person: "/people/ada",
    signin: "/signin",
    signup: "/signup",
    missing: "/nothing",
  };
}

async function findScreens(owner: Client): Promise<Record<string, string>> {
  const first = async (list: string) => (await owner.get(`/api/v1/${list}`)).body[0].id as number;
  return {
    home: "/",
    photos: "/photos",
    post: `/blog/${await first("blog")}`,
    "move-in": "/move-in",
    "move-in-server": "/move-in",
    import: `/move-in/${await tryImport(owner)}`,
    photo: `/photos/${await first("photos")}`,
    albums: "/albums",
    album: `/albums/${await first("albums")}`,
    blog: "/blog",
    files: "/files/Samples",
    ...Object.fromEntries(
      ["comments", "shares", "trash", "storage", "activity", "people", "settings", "account"].map((name) => [
        name,
        `/${name}`,
      ]),
    ),
  };
}

/** Tries to import the archive of an album, and returns the number of the import. */
async function tryImport(owner: Client): Promise<number> {
  const picture = await sharp({ create: { width: 30, height: 20, channels: 3, background: "teal" } })
    .jpeg()
    .toBuffer();
  const names = ["Lisbon/Harbour.jpg", "Lisbon/Stairs.jpg", "Lisbon/Tram 28.jpg", "Lisbon/../outside.jpg", "Notes.txt"];
  const zip = downloadZip(names.map((name, index) => ({ name, input: name.endsWith("jpg") ? picture : `${index}` })));
  const path = "/Archives of ada";
  const bytes = new Uint8Array(await zip.arrayBuffer());
  const { body: file } = await owner.upload("travels.zip", bytes, { path, visibility: "private" });
  const { body } = await owner.post("/api/v1/imports", {
    fileIDs: [file.id],
    photos: true,
    albums: true,
    dryRun: true,
  });
  return body.id;
}

async function shoot(theme: string, name: string, path: string): Promise<void> {
  for (const [size, viewport] of Object.entries({ desktop, phone })) {
    for (const colorScheme of ["light", "dark"] as const) {
      const file = `${theme}-${name}-${size}-${colorScheme}`;
      if (!isAll && !shown.has(file)) continue;
      await using tab = await openTab(browser, server.url, { viewport, colorScheme, deviceScaleFactor: isAll ? 1 : 2 });
      if (theme === "studio") await signIn(tab, "ada");
      const page = await tab.open(path);
      // An event stream stays open in the studio: its network is never idle.
      if (theme === "studio") await page.locator("main :is(h1, h2, textarea)").first().waitFor();
      if (theme === "studio") await Bun.sleep(2000);
      if (name === "move-in-server") await nameServer(page);
      await showEverything(page);
      const picture = await page.screenshot({ fullPage: isAll });
      const quality = theme === "studio" ? 60 : 82;
      await sharp(picture).webp({ quality, effort: 6 }).toFile(`${directory}/${file}.webp`);
      for (const complaint of tab.complaints) console.error(complaint);
    }
  }
}

async function nameServer(page: Page): Promise<void> {
  await page.locator('input[name="place"]').nth(1).check();
  await page.locator('input[inputmode="url"]').fill("http://192.168.1.20:2283");
  await page.locator('input[type="password"]').fill("an example of a key");
  await page.locator('input[name="place"]').first().scrollIntoViewIfNeeded();
}

/** Pictures are loaded when they come into view. */
async function showEverything(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { document } = globalThis as unknown as { document: any };
    for (const image of document.images) image.loading = "eager";
  });
  await page.waitForFunction(() => {
    const { document } = globalThis as unknown as { document: any };
    return [...document.images].every(({ complete, naturalWidth }: any) => complete && naturalWidth > 0);
  });
  await page.evaluate(() => {
    const { document } = globalThis as unknown as { document: any };
    return Promise.all([...document.images].map((image: any) => image.decode()));
  });
}
