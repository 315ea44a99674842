// Runs only with TEST_LONG: a browser takes long, and tests/browser/reading.test.ts is the story of the site in npm test.
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { password } from "../kit/people.ts";
import { startVitrine } from "../kit/process.ts";
import { browserPath, describeInBrowser, openTab, sharedBrowser } from "../kit/browser.ts";
import { useScratch } from "../kit/scratch.ts";
import { overflowOf, ways } from "./ways.ts";

let browser: Browser;
const scratch = useScratch();

beforeAll(async () => {
  if (browserPath) browser = await sharedBrowser();
});

// Creating samples is slow: with a script on the narrow screen, and without one on the wide screen.
const waysWithSamples = new Set(["script390", "plain1280"]);

for (const { name, id, hasScript, options } of ways) {
  const hasSamples = waysWithSamples.has(id);
  const start = hasSamples ? "with samples, which a button removes" : "without samples";
  describeInBrowser(name, () => {
    test(`a new site is set up by the printed link ${start}`, async () => {
      await using server = await startVitrine({ HOST: "127.0.0.1", DATA_DIR: join(scratch, id) });
      const link = /http\S+\/setup\?key=\w+/.exec(server.announced)?.[0] ?? "";
      await using tab = await openTab(browser, server.url, options);
      const page = await tab.open("/");
      await page.getByRole("heading", { name: "This site is being set up" }).waitFor();

      await page.goto(link);
      await page.getByLabel("Name of the site").fill("Salt & Light");
      await page.getByLabel("Your username").fill("ada lovelace");
      await page.getByLabel("Your password").fill(password);
      await page.getByLabel("Readers").check();
      await page.getByLabel(hasSamples ? "Start with samples" : "Start empty").check();
      const create = page.getByRole("button", { name: "Create the site" });
      await create.click();
      await page.getByText("Choose a username of at most 64").waitFor();
      expect(await page.getByLabel("Name of the site").inputValue()).toBe("Salt & Light");
      expect(await page.getByLabel("Readers").isChecked()).toBe(true);
      expect(await overflowOf(page)).toBe(0);

      await page.getByLabel("Your username").fill("ada");
      await page.getByLabel("Your password").fill(password);
      await create.click();
      await page.waitForURL((url) => url.pathname === "/studio/");
      const remove = page.getByRole("button", { name: "Remove the samples" });
      if (hasScript && hasSamples) await remove.waitFor({ timeout: 180_000 });
      await page.goto("/");
      if (hasSamples) {
        // The front page is loaded again until the samples are complete.
        await remove.waitFor({ timeout: 180_000 });
        expect(await page.locator(".photos > a").count()).toBe(12);
        expect(await page.getByRole("link", { name: "Welcome to your new site" }).count()).toBeGreaterThan(0);
        expect(await overflowOf(page)).toBe(0);

        // The pictures are being loaded, and would be missing.
        await page.waitForLoadState("networkidle");
        await remove.click();
      }
      await page.getByText("There is nothing here yet.").waitFor();
      expect(await remove.count()).toBe(0);
      expect(await page.locator("summary", { hasText: "ada" }).count()).toBe(1);
      await page.goto(link);
      await page.getByRole("heading", { name: "This link is no longer valid" }).waitFor();
      expect(tab.complaints).toEqual(["400 /setup", "410 /setup"]);
    });
  });
}
