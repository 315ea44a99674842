import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { startServer, type TestServer } from "../kit.ts";
import { browserPath, launchBrowser, openTab } from "./browser.ts";
import { setUpWithSamples } from "./set-up.ts";
import { overflowOf, ways } from "./ways.ts";

let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  if (!browserPath) return;
  server = await startServer();
  browser = await launchBrowser();
  await setUpWithSamples(browser, server);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

for (const { name, hasScript, options } of ways) {
  describe.skipIf(!browserPath)(name, () => {
    test("a visitor reads from the front page to a post, a photo and its album, and on to the next photo", async () => {
      await using tab = await openTab(browser, server.url, options);
      const page = await tab.open("/");
      const heading = (text: string) => page.getByRole("heading", { level: 1, name: text, exact: true }).waitFor();
      expect(await overflowOf(page)).toBe(0);
      await page.getByRole("link", { name: "Pictures and albums in a post", exact: true }).click();
      await heading("Pictures and albums in a post");
      expect(await overflowOf(page)).toBe(0);
      await page.locator(".prose figure a[href^='/photos/']").first().click();
      await heading("Low sun");
      expect(await page.getByRole("link", { name: "Pictures and albums in a post" }).count()).toBe(1);
      expect(await overflowOf(page)).toBe(0);
      await page.locator(".places a[href^='/albums/']").first().click();
      await page.waitForURL("**/albums/*");
      expect(await overflowOf(page)).toBe(0);

      const photos = page.locator(".photos > a");
      const titles = await photos.evaluateAll((links) => links.map((link) => link.getAttribute("data-caption") ?? ""));
      await photos.nth(1).click();
      // With script, the lightbox opens; its title leads to the page of the photo.
      if (hasScript) await page.locator(".pswp__caption", { hasText: titles[1] as string }).click();
      await heading(titles[1] as string);
      if (hasScript) await page.keyboard.press("ArrowRight");
      else await page.getByRole("link", { name: `Next photo: ${titles[2]}` }).click();
      await heading(titles[2] as string);
      if (hasScript) await page.keyboard.press("ArrowLeft");
      else await page.getByRole("link", { name: `Previous photo: ${titles[1]}` }).click();
      await heading(titles[1] as string);
      expect(tab.complaints).toEqual([]);
    }, 120_000);

    test("a visitor searches, sees why each result was found, and opens one", async () => {
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
    }, 120_000);
  });
}
