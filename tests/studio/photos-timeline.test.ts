// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { beforeAll, describe, expect, test } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { account, fillLibrary, firstDay, span } from "../../bench/library-fill.ts";
import { describeInBrowser, whenTrue } from "../kit/browser.ts";
import { png } from "../kit/files/png.ts";
import { isLong } from "../kit/long.ts";
import { useScratch } from "../kit/scratch.ts";
import { sizesOf, useStudio } from "./studio.ts";
import { until } from "../kit/until.ts";

const count = 4000;
const isLarge = process.env.TEST_ENGINE === "scaled";

/** Such as `June 2012`, of the photo with this number. */
const monthOf = (number: number): string =>
  new Date(firstDay + Math.floor((number * span) / count)).toLocaleDateString("en", {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });

// The library is written into the files of SQLite.
(isLarge ? describe.skip : describeInBrowser)("a timeline of thousands of photos", () => {
  const dataDir = useScratch();
  beforeAll(() => fillLibrary(dataDir, count));
  const studio = useStudio({ DATA_DIR: dataDir });

  /** The files of the photos do not exist: each picture is the same. */
  async function openGrid(options: BrowserContextOptions) {
    const tab = await studio.open("/account", { ...options, username: account.username });
    const body = Buffer.from(png(300, 200));
    await tab.context.route("**/image?*", (route) => route.fulfill({ body, contentType: "image/png" }));
    await tab.open("/studio/photos");
    await tab.page.locator("[data-photo]").first().waitFor();
    return tab;
  }

  for (const { name, options } of sizesOf("phone")) {
    test(`shows the photos of a month after a jump to it ${name}`, async () => {
      await using tab = await openGrid(options);
      const { page } = tab;
      const scrubber = page.getByRole("slider", { name: "Date" });
      for (const keys of [["PageDown", "PageDown", "ArrowDown"], ["End"], ["PageUp", "ArrowUp"], ["Home"]]) {
        await scrubber.focus();
        for (const key of keys) {
          const before = await scrubber.getAttribute("aria-valuetext");
          await page.keyboard.press(key);
          await until(async () => (await scrubber.getAttribute("aria-valuetext")) !== before);
        }
        const month = (await scrubber.getAttribute("aria-valuetext")) ?? "";
        await expectMonth(page, month);
      }
      expect(tab.complaints).toEqual([]);
    });
  }

  test("goes where the scrubber is dragged", async () => {
    await using tab = await openGrid({});
    const { page } = tab;
    const thumb = await page.getByRole("slider", { name: "Date" }).boundingBox();
    if (!thumb) throw new Error("There is no scrubber.");
    await page.mouse.move(thumb.x + thumb.width - 5, thumb.y + thumb.height / 2);
    await page.mouse.down();
    await page.mouse.move(1270, 500, { steps: 5 });
    await page.mouse.up();
    const scrubber = page.getByRole("slider", { name: "Date" });
    await until(async () => /201[4-6]/.test((await scrubber.getAttribute("aria-valuetext")) ?? ""));
    await expectMonth(page, (await scrubber.getAttribute("aria-valuetext")) ?? "");
    expect(tab.complaints).toEqual([]);
  });

  test("does not move what is on the screen while months above it are loaded", async () => {
    await using tab = await openGrid({});
    const { page } = tab;
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight / 2)");
    const isLoaded = `!document.querySelector("section[aria-busy=true]") &&
      [...document.querySelectorAll("[data-photo]")].some((cell) => cell.getBoundingClientRect().top > 250)`;
    await whenTrue(page, isLoaded);
    for (let step = 0; step < 12; step++) {
      const moved = await page.evaluate<number>(`(async () => {
        const cells = [...document.querySelectorAll("[data-photo]")];
        const cell = cells.find((one) => one.getBoundingClientRect().top > 250);
        const before = cell.getBoundingClientRect().top;
        scrollBy(0, -200);
        // In each frame until what came into view is loaded: some frames, in which that begins, and those until it has ended.
        let moved = 200;
        for (let frame = 0; frame < 20 || document.querySelector("section[aria-busy=true]"); frame++) {
          await new Promise(requestAnimationFrame);
          const now = cell.isConnected ? cell.getBoundingClientRect().top - before : 200;
          if (Math.abs(now - 200) > Math.abs(moved - 200)) moved = now;
        }
        return moved;
      })()`);
      expect(Math.abs(moved - 200)).toBeLessThan(3);
    }
    expect(tab.complaints).toEqual([]);
  });

  test.if(isLong)("draws colours while it moves fast, and pictures when it is slow again", async () => {
    await using tab = await openGrid({});
    const { page } = tab;
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    for (let frame = 0; frame < 50; frame++) {
      await page.evaluate(`new Promise((resolve) => {
        addEventListener("scroll", resolve, { once: true });
        scrollBy(0, innerHeight / 12);
      })`);
      await page.clock.runFor(16);
    }
    const onScreen = (what: string) =>
      page.evaluate<number>(`[...document.querySelectorAll(${JSON.stringify(what)})].filter((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      }).length`);
    await until(async () => (await onScreen("section li")) > 10);
    expect(await onScreen("section img")).toBe(0);
    await page.clock.runFor(200);
    await until(async () => (await onScreen("section img")) === (await onScreen("section li")));
    expect(tab.complaints).toEqual([]);
  });
});

/** The first photo below the heading of this month was taken in it. */
async function expectMonth(page: Page, month: string): Promise<void> {
  const section = page.getByRole("region", { name: month });
  const first = section.locator("[data-photo]").first();
  await first.waitFor();
  const number = Number(await first.getAttribute("data-photo"));
  expect(monthOf(number)).toBe(month);
  const top = (await section.boundingBox())?.y ?? Number.NaN;
  expect(top).toBeLessThan(page.viewportSize()?.height ?? 0);
  expect(top).toBeGreaterThan(-1500);
}
