// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { expect, test } from "bun:test";
import { describeInBrowser, openTab } from "../kit/browser.ts";
import { member, password } from "../kit/people.ts";
import { expectNoBarriers } from "./barriers.ts";
import { eventually, sizesOf, withWorker, useStudio } from "./studio.ts";

describeInBrowser("the studio", () => {
  const studio = useStudio();

  test("asks guests to sign in, and then opens the address that they wanted", async () => {
    await using tab = await openTab(studio.browser, studio.server.url, { locale: "en" });
    const page = await tab.open("/studio/trash");
    await page.getByLabel("Username").fill("chief");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Trash", level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/studio/trash");
    expect(tab.complaints).toEqual([]);
  });

  test("loads less than 200 KB before its first screen is shown", async () => {
    await using tab = await studio.open("/");
    const bytes = await tab.page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .filter(({ name }) => name.includes("/studio/assets/"))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
    );
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(200_000);
    expect(tab.complaints).toEqual([]);
  });

  test("shows people what their role can use", async () => {
    await member(studio.server, "grace", "author");
    await using tab = await studio.open("/", { username: "grace" });
    const sections = tab.page.getByRole("navigation").first();
    await sections.getByRole("link", { name: "Photos" }).waitFor();
    expect(await sections.getByRole("link", { name: "Settings" }).count()).toBe(0);
    expect(tab.complaints).toEqual([]);
  });

  test("works at an address of the local network, without HTTPS", async () => {
    const url = `http://vitrine.test:${new URL(studio.server.url).port}`;
    await using tab = await openTab(studio.browser, url, { locale: "en" });
    const page = await tab.open("/studio/albums");
    await page.getByLabel("Username").fill("chief");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "New album" }).first().click();
    await page.getByLabel("Name").fill("Lisbon");
    await page.keyboard.press("Enter");
    await page.getByText("Lisbon").first().waitFor();
    expect((await studio.chief.get("/api/v1/albums")).body).toMatchObject([{ name: "Lisbon" }]);
    expect(tab.complaints).toEqual([]);
  });

  test("says that an address leads nowhere", async () => {
    await using tab = await studio.open("/nowhere");
    await tab.page.getByText("It may have been deleted").waitFor();
    expect(tab.complaints).toEqual([]);
  });

  test("speaks German to those who do", async () => {
    await using tab = await studio.open("/", { locale: "de" });
    await tab.page.getByRole("link", { name: "Papierkorb" }).first().waitFor();
    // The server's sentences are in English.
    await tab.open("/studio/blog/999");
    await tab.page.getByText("Das gibt es nicht mehr.").waitFor();
    expect(tab.complaints).toEqual(["404 /api/v1/blog/999"]);
  });

  test("opens without a network at every address, and a draft can be written on and is saved later", async () => {
    const { id } = (
      await studio.chief.post("/api/v1/blog", { title: "Island", content: "Day one.", publishedAt: null })
    ).body;
    await using tab = await studio.open(`/blog/${id}`, withWorker);
    const { page, context } = tab;
    // Ready means that the worker was installed, and with it the page and all of its files.
    await page.evaluate("navigator.serviceWorker.ready.then(() => null)");
    await page.locator(".cm-content").getByText("Day one.").waitFor();
    await context.setOffline(true);
    for (const path of ["/studio", "/studio/blog"]) {
      await page.goto(path);
      await page.getByText("You are offline. You can keep writing").waitFor();
      await page.getByRole("link", { name: "Island" }).waitFor();
    }
    // Its typefaces are kept, too.
    const kept = await page.evaluate<string[]>(`(async () => {
      const caches = await Promise.all((await self.caches.keys()).map((name) => self.caches.open(name)));
      const keys = await Promise.all(caches.map((cache) => cache.keys()));
      return keys.flat().map(({ url }) => new URL(url).pathname).filter((path) => path.endsWith(".woff2")).sort();
    })()`);
    const fontPath = (name: string): string =>
      expect.stringMatching(new RegExp(`^/assets/${name}-latin-[^-]+$`)) as string;
    expect(kept).toEqual([fontPath("sans"), fontPath("serif")]);
    await page.getByRole("link", { name: "Island" }).click();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" Day two.");
    await page.getByText("your text is kept on this device").first().waitFor();
    await page.reload();
    await page.locator(".cm-content").getByText("Day one. Day two.").waitFor();
    await context.setOffline(false);
    await eventually(async () => (await studio.chief.get(`/api/v1/blog/${id}`)).body.content, "Day one. Day two.");
    await page.getByText("You are offline").waitFor({ state: "detached" });

    // Nobody who opens the browser after signing out, even on the site, finds the studio.
    await page.goto("/");
    await page.evaluate("document.querySelector('details.menu').open = true");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in" }).waitFor();
    await context.setOffline(true);
    await page.goto("/studio");
    await page.getByText("The server cannot be reached").waitFor();
    expect(await page.getByText("Island").count()).toBe(0);
    expect(tab.complaints.filter((text) => !/ERR_INTERNET_DISCONNECTED|Failed to fetch/.test(text))).toEqual([]);
  });

  test("loads also if the browser cannot keep anything, or is slow to do so", async () => {
    await using tab = await studio.open("/", withWorker);
    const { page, context } = tab;
    await page.evaluate("navigator.serviceWorker.ready.then(() => null)");
    const [worker] = context.serviceWorkers();
    for (const opening of ["Promise.reject(new Error('The disk is full.'))", "new Promise(() => {})"]) {
      await worker?.evaluate(`caches.open = () => ${opening}; null`);
      await page.reload();
      await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    }
    expect([context.serviceWorkers().length, tab.complaints]).toEqual([1, []]);
  });

  for (const { name, options } of sizesOf("phone")) {
    test(`has no barriers ${name}`, async () => {
      await using tab = await studio.open("/", options);
      const { page } = tab;
      await expectNoBarriers(page);
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").waitFor();
      await expectNoBarriers(page);
      await page.keyboard.press("Escape");
      await page.keyboard.press("?");
      const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      await shortcuts.locator("dl").waitFor();
      expect((await shortcuts.locator("dt").allInnerTexts()).slice(0, 3)).toEqual([
        "Search",
        "Search",
        "Keyboard shortcuts",
      ]);
      expect(await page.evaluate("document.activeElement.matches('dialog [data-scrolls]')")).toBe(true);
      await expectNoBarriers(page);
      expect(tab.complaints).toEqual([]);
    });
  }
});
