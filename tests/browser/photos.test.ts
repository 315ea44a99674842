import { beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { png } from "../kit.ts";
import { useServer } from "../use-server.ts";
import { browserPath, sharedBrowser, openTab } from "./browser.ts";

const server = useServer();
const owner = server.person("owner");
let browser: Browser;

beforeAll(async () => {
  if (!browserPath) return;
  browser = await sharedBrowser();
  const { body: file } = await owner.upload("black.png", png(1500, 1000));
  for (let number = 1; number <= 60; number++) {
    const takenAt = new Date(Date.UTC(2026, 5, 1) + number * 3_600_000).toISOString();
    await owner.post("/api/v1/photos", { title: `Photo ${number}`, fileID: file.id, takenAt });
  }
});

/** Chromium reports a transition between two pages as an error of the page if it is interrupted. */
const still = { reducedMotion: "reduce" } as const;
const testInBrowser = test.skipIf(!browserPath);

testInBrowser(
  "a click on a photo opens it in the lightbox, and the back button closes it",
  async () => {
    await using tab = await openTab(browser, server.url, still);
    const page = await tab.open("/photos");
    await page.click(".photos > a:nth-child(2)");
    const caption = page.locator(".pswp__caption");
    expect(await caption.textContent()).toBe("Photo 59");
    await page.waitForSelector(".pswp:focus");
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector('.pswp__caption:text-is("Photo 58")');
    expect(await caption.getAttribute("href")).toBe(`${server.url}/photos/58`);
    await page.goBack();
    await page.waitForSelector(".pswp", { state: "detached" });
    expect(page.url()).toBe(`${server.url}/photos`);

    // Closed in another way, it leaves nothing in the history.
    await page.click(".photos > a:nth-child(1)");
    await page.waitForSelector(".pswp:focus");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".pswp", { state: "detached" });
    await page.waitForFunction("history.state === null");

    await page.click(".photos > a:nth-child(1)");
    await page.click(".pswp__caption");
    await page.waitForURL("**/photos/60");
    expect(tab.complaints).toEqual([]);
  },
  120_000,
);

testInBrowser(
  "the list grows while one scrolls, and without script it goes on by a link",
  async () => {
    await using tab = await openTab(browser, server.url, still);
    const page = await tab.open("/photos");
    const count = () => page.locator(".photos > a").count();
    expect(await count()).toBe(48);
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await page.waitForSelector(".photos > a:nth-child(60)");
    expect(await page.locator(".pager a[rel=next]").count()).toBe(0);
    expect(tab.complaints).toEqual([]);

    await using plain = await openTab(browser, server.url, { javaScriptEnabled: false });
    const other = await plain.open("/photos");
    await other.click(".pager a[rel=next]");
    expect(await other.locator(".photos > a").count()).toBe(12);
    await other.click(".photos > a >> nth=0");
    expect(await other.locator("h1").textContent()).toBe("Photo 12");
    expect(plain.complaints).toEqual([]);
  },
  120_000,
);

testInBrowser(
  "arrow keys lead from photo to photo",
  async () => {
    await using tab = await openTab(browser, server.url, still);
    const page = await tab.open("/photos/30");
    await page.keyboard.press("ArrowRight");
    await page.waitForURL("**/photos/29");
    await page.keyboard.press("ArrowLeft");
    await page.waitForURL("**/photos/30");
    expect(tab.complaints).toEqual([]);
  },
  120_000,
);
