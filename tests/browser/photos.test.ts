// Runs only with TEST_LONG: a browser takes long, and tests/browser/reading.test.ts is the story of the site in npm test.
import { beforeAll, expect } from "bun:test";
import type { Browser } from "playwright-core";
import { png } from "../kit/files/png.ts";
import { useServer } from "../kit/use-server.ts";
import {
  browserPath,
  desktop,
  findBarriers,
  openTab,
  phone,
  sharedBrowser,
  testInBrowser,
  whenTrue,
} from "../kit/browser.ts";
import { overflowOf } from "./ways.ts";

const server = useServer();
const owner = server.person("owner");
let browser: Browser;

beforeAll(async () => {
  if (!browserPath) return;
  browser = await sharedBrowser();
  const { body: file } = await owner.upload("black.png", png(1500, 1000));
  for (let number = 1; number <= 60; number++) {
    const takenAt = new Date(Date.UTC(2026, 5, 1) + number * 3_600_000).toISOString();
    const place = { latitude: 38.7, longitude: -9.1, name: "The harbour" };
    await owner.post("/api/v1/photos", {
      title: `Photo ${number}`,
      fileID: file.id,
      takenAt,
      place,
      showLocation: true,
    });
  }
});

/** Chromium reports a transition between two pages as an error of the page if it is interrupted. */
const still = { reducedMotion: "reduce" } as const;

testInBrowser(
  "a click on a photo opens it in the lightbox under its own address, and the back button closes it",
  async () => {
    await using tab = await openTab(browser, server.url, still);
    const page = await tab.open("/photos");
    await page.click(".photos > a:nth-child(2)");
    const caption = page.locator(".pswp__caption");
    await caption.filter({ hasText: /^Photo 59$/ }).waitFor();
    await page.waitForSelector(".pswp:focus");
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector('.pswp__caption:text-is("Photo 58")');
    expect(await caption.getAttribute("href")).toBe(`${server.url}/photos/58`);
    expect([page.url(), await page.title()]).toEqual([`${server.url}/photos/58`, "Photo 58 · Vitrine"]);
    await page.goBack();
    await page.waitForSelector(".pswp", { state: "detached" });
    expect(page.url()).toBe(`${server.url}/photos`);
    await page.goForward();
    await page.waitForSelector('.pswp__caption:text-is("Photo 58")');
    expect(page.url()).toBe(`${server.url}/photos/58`);
    // Opened directly, the address shows the page of the photo.
    await page.reload();
    await page.waitForSelector(".photo-page");
    await page.goBack();
    await page.waitForSelector(".photos > a:nth-child(3)");
    await page.click(".photos > a:nth-child(3)");

    // Closed in another way, it leaves nothing in the history.
    await page.waitForSelector(".pswp:focus");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".pswp", { state: "detached" });
    await whenTrue(page, "history.state === null");
    expect(page.url()).toBe(`${server.url}/photos`);
    await page.waitForSelector('.photos > a[href="/photos/58"]:focus');

    await page.click(".photos > a:nth-child(1)");
    await page.click(".pswp__caption");
    await page.waitForSelector(".photo-page");
    expect(page.url()).toBe(`${server.url}/photos/60`);
    await page.goBack();
    await page.waitForSelector(".photos > a");
    expect(await page.locator(".pswp").count()).toBe(0);
    expect(tab.complaints).toEqual([]);
  },
);

testInBrowser(
  "in the lightbox, a visitor sees the data, copies the link, downloads the file and starts a slideshow",
  async () => {
    await using tab = await openTab(browser, server.url, {
      ...still,
      permissions: ["clipboard-write", "clipboard-read"],
    });
    const page = tab.page;
    await page.clock.install();
    for (const viewport of [desktop, phone]) {
      await page.setViewportSize(viewport);
      await tab.open("/photos");
      await page.click(".photos > a:nth-child(1)");
      const box = page.getByRole("dialog", { name: "Photo viewer" });
      await box.getByText("June 3, 2026 · The harbour").waitFor();
      await page.waitForSelector(".pswp:focus");
      expect(await findBarriers(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      const boxes = await page
        .locator(".pswp__top-bar > :visible")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 0));
      expect(boxes.every(({ left, right }) => left >= 0 && right <= viewport.width)).toBe(true);

      // Only what is in it can be reached.
      for (let times = 0; times < 12; times++) {
        await page.keyboard.press("Tab");
        expect(await page.evaluate("document.activeElement.closest('main, header, footer') === null")).toBe(true);
      }
      await box.getByRole("button", { name: "Copy link" }).click();
      await box.getByText("Link copied").waitFor();
      expect(await page.evaluate("navigator.clipboard.readText()")).toBe(`${server.url}/photos/60`);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        box.getByRole("link", { name: "Download" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("black.png");

      await box.getByRole("button", { name: "Start slideshow" }).click();
      const caption = () => page.locator(".pswp__caption").textContent();
      await page.clock.runFor(5000);
      await page.waitForSelector('.pswp__caption:not(:text-is("Photo 60"))');
      await page.keyboard.press("ArrowRight");
      await box.getByRole("button", { name: "Start slideshow" }).waitFor();
      const stopped = await caption();
      await page.clock.runFor(30_000);
      expect(await caption()).toBe(stopped);
      await box.getByRole("button", { name: "Close" }).click();
      await page.waitForSelector(".pswp", { state: "detached" });
    }
    expect(tab.complaints).toEqual([]);
  },
);

testInBrowser("the list grows while one scrolls, and without script it goes on by a link", async () => {
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
  await other.waitForLoadState();
  expect(await other.locator(".photos > a").count()).toBe(12);
  await other.click(".photos > a >> nth=0");
  await other.locator("h1", { hasText: /^Photo 12$/ }).waitFor();
  expect(plain.complaints).toEqual([]);
});

testInBrowser("an album ends with a row that is full, and no photo is cut or alone", async () => {
  const { body: album } = await owner.post("/api/v1/albums", { name: "Seven" });
  for (let photoID = 1; photoID <= 7; photoID++) await owner.post(`/api/v1/albums/${album.id}/photos`, { photoID });
  for (const viewport of [desktop, phone]) {
    await using tab = await openTab(browser, server.url, { viewport });
    const page = await tab.open(`/albums/${album.id}`);
    await page.locator(".photos > a[style]").first().waitFor();
    const { right, boxes } = await page.evaluate<{
      right: number;
      boxes: Record<"top" | "right" | "ratio", number>[];
    }>(`({
      right: document.querySelector(".photos").getBoundingClientRect().right,
      boxes: [...document.querySelectorAll(".photos > a")].map((photo) => photo.getBoundingClientRect())
        .map(({ top, right, width, height }) => ({ top, right, ratio: width / height })),
    })`);
    for (const { ratio } of boxes) expect(ratio).toBeCloseTo(1.5, 1);
    const last = boxes.filter(({ top }) => top === boxes.at(-1)?.top);
    expect(last.length).toBeGreaterThan(1);
    expect(Math.abs((last.at(-1)?.right ?? 0) - right)).toBeLessThan(2);
    expect(tab.complaints).toEqual([]);
  }
});

testInBrowser("arrow keys lead from photo to photo", async () => {
  await using tab = await openTab(browser, server.url, still);
  const page = await tab.open("/photos/30");
  await page.keyboard.press("ArrowRight");
  await page.waitForURL("**/photos/29");
  await page.keyboard.press("ArrowLeft");
  await page.waitForURL("**/photos/30");
  expect(tab.complaints).toEqual([]);
});
