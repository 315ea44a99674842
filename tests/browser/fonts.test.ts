// Runs on the embedded engines only: it is about what browsers load.
import { expect, test } from "bun:test";
import { isLong } from "../kit/long.ts";
import { useServer } from "../kit/use-server.ts";
import { openTab, phone, sharedBrowser, testInBrowser } from "../kit/browser.ts";
import { setUpWithSamples } from "./set-up.ts";

const server = useServer();

(isLong ? testInBrowser : test.skip)(
  "a page loads the fonts that it shows, and nothing moves when they arrive late",
  async () => {
    const browser = await sharedBrowser();
    const owner = await setUpWithSamples(browser, server);
    const russian = { title: "Гавань утром", content: "Лодки *вернулись* в шесть.", visibility: "public" };
    const { body: post } = await owner.post("/api/v1/blog", russian);
    await using tab = await openTab(browser, server.url, { viewport: phone });
    const { page } = tab;
    const sizes = new Map<string, number>();
    page.on("response", async (response) => {
      const name = /\/assets\/([\w-]+)-\w+\.woff2$/.exec(response.url())?.[1];
      if (name) sizes.set(name, (await response.body()).length);
    });
    const names = () => [...sizes.keys()].toSorted();

    // The fonts come only when the page has been drawn without them.
    const { promise: isDrawn, resolve: draw } = Promise.withResolvers<void>();
    await page.route("**/*.woff2", async (route) => {
      await isDrawn;
      await route.continue();
    });
    await page.goto("/blog/writing-in-markdown", { waitUntil: "domcontentloaded" });
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
    expect(await page.evaluate(hasSerif)).toBe(false);
    draw();
    await page.evaluate("document.fonts.ready.then(() => null)");
    expect(await page.evaluate(hasSerif)).toBe(true);
    expect(names()).toEqual(["sans-latin", "serif-italic-latin", "serif-latin"]);
    for (const name of ["sans-latin", "serif-latin"]) expect(sizes.get(name)).toBeLessThan(45_000);
    expect(await page.evaluate<number>(measureShifts)).toBeLessThan(0.02);

    sizes.clear();
    await page.goto(`/blog/${post.slug}`);
    await page.evaluate("document.fonts.ready.then(() => null)");
    expect(names().filter((name) => name.includes("cyrillic"))).toEqual(["serif-cyrillic", "serif-italic-cyrillic"]);
    expect(tab.complaints).toEqual([]);
  },
);

const hasSerif = "document.fonts.check('16px \"STIX Two Text\"')";

/** The sum of all layout shifts of the page so far. */
const measureShifts = `new Promise((resolve) => {
  const sum = (list) => list.getEntries().reduce((all, { value }) => all + value, 0);
  new PerformanceObserver((list) => resolve(sum(list))).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(0), 300);
})`;
