import { beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import type { Client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { useServer } from "../kit/use-server.ts";
import { browserPath, describeInBrowser, openTab, phone, sharedBrowser, testLongInBrowser } from "../kit/browser.ts";
import { setUpWithSamples } from "./set-up.ts";
import { testLong } from "../kit/long.ts";
import { arriveAt, overflowOf, ways } from "./ways.ts";

const server = useServer();
let browser: Browser;
let owner: Client;

beforeAll(async () => {
  if (!browserPath) return;
  browser = await sharedBrowser();
  owner = await setUpWithSamples(browser, server);
});

for (const { name, hasScript, options } of ways) {
  describeInBrowser(name, () => {
    test("a visitor reads from the front page to a post, a photo and its album, and on to the next photo", async () => {
      await using tab = await openTab(browser, server.url, options);
      const page = await tab.open("/");
      const arrive = (heading: string) => arriveAt(page, { hasScript }, heading);
      expect(await overflowOf(page)).toBe(0);
      await page.getByRole("link", { name: "Pictures and albums in a post", exact: true }).click();
      await arrive("Pictures and albums in a post");
      expect(await overflowOf(page)).toBe(0);
      await page.locator(".prose figure a[href^='/photos/']").first().click();
      await arrive("Low sun");
      expect(await page.getByRole("link", { name: "Pictures and albums in a post" }).count()).toBe(1);
      expect(await overflowOf(page)).toBe(0);
      await page.locator(".places a[href^='/albums/']").first().click();
      await arrive("Along the water");
      expect(await overflowOf(page)).toBe(0);

      const photos = page.locator(".photos > a");
      const titles = await photos.evaluateAll((links) => links.map((link) => link.getAttribute("data-caption") ?? ""));
      await photos.nth(1).click();
      // With script, the lightbox opens; its title leads to the page of the photo.
      if (hasScript) await page.locator(".pswp__caption", { hasText: titles[1] as string }).click();
      await arrive(titles[1] as string);
      if (hasScript) await page.keyboard.press("ArrowRight");
      else await page.getByRole("link", { name: `Next photo: ${titles[2]}` }).click();
      await arrive(titles[2] as string);
      if (hasScript) await page.keyboard.press("ArrowLeft");
      else await page.getByRole("link", { name: `Previous photo: ${titles[1]}` }).click();
      await arrive(titles[1] as string);
      expect(tab.complaints).toEqual([]);
    });

    testLong("a visitor searches, sees why each result was found, and opens one", async () => {
      await using tab = await openTab(browser, server.url, options);
      const page = await tab.open("/blog");
      await page.getByRole("link", { name: "Search" }).click();
      const field = page.getByRole("searchbox");
      await field.fill("zebra crossing");
      await field.press("Enter");
      await page.getByText("Nothing was found for “zebra crossing”.").waitFor();
      expect(await overflowOf(page)).toBe(0);

      await field.fill("markdown");
      await page.getByRole("button", { name: "Search" }).click();
      const found = page.getByRole("link", { name: "Writing in Markdown" });
      await found.waitFor();
      expect(await found.locator("mark").textContent()).toBe("Markdown");
      expect(await overflowOf(page)).toBe(0);
      await page.getByRole("link", { name: "Photos", exact: true }).last().click();
      await page.getByText("Nothing was found for “markdown”.").waitFor();
      await page.getByRole("link", { name: "Everything" }).click();
      await found.click();
      await page.getByRole("heading", { level: 1, name: "Writing in Markdown" }).waitFor();
      expect(tab.complaints).toEqual([]);
    });
  });
}

testLongInBrowser("long words are broken: no page is wider than the screen of a phone", async () => {
  const word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
  const tags = [word.slice(0, 50)];
  await owner.put("/api/v1/settings", { siteName: word, tagline: word, defaultVisibility: "public" });
  const { body: file } = await owner.upload(`${word}.png`, png(900, 600));
  const { body: photo } = await owner.post("/api/v1/photos", {
    title: word,
    description: word,
    fileID: file.id,
    tags,
  });
  const { body: album } = await owner.post("/api/v1/albums", { name: word, description: word });
  await owner.post(`/api/v1/albums/${album.id}/photos`, { photoID: photo.id });
  const content = `## ${word}\n\n- ${word}\n\n> ${word}\n\n| ${word} | ${word} |\n| - | - |\n\n\`${word}${word}\``;
  const { body: post } = await owner.post("/api/v1/blog", { title: word, content, tags });
  await owner.post("/api/v1/comments", { blogPostID: post.id, content: `https://example.org/${word}` });
  const { body: share } = await owner.post("/api/v1/shares", { kind: "album", id: album.id, allowUpload: true });
  const [inAlbum, start] = [`/photos/${photo.id}?album=${album.id}`, `/s/${share.token}`];
  const lists = ["/", "/blog", "/photos", "/albums", "/browse", `/tags/${tags[0]}`];
  const found = [`/search?q=${word}`, `/search?q=no${word}`];
  const records = [`/blog/${post.slug}`, inAlbum, `/albums/${album.id}`, `/browse/${file.name}`];
  const paths = [...lists, ...found, ...records, start, start + inAlbum, `${start}/upload`];
  await using tab = await openTab(browser, server.url, { viewport: phone });
  const tooWide = [];
  for (const path of paths) if ((await overflowOf(await tab.open(path))) > 0) tooWide.push(path);
  expect(tooWide).toEqual([]);
  expect(tab.complaints).toEqual([]);
});
