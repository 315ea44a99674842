// Runs only with TEST_LONG: a browser takes long, and tests/browser/reading.test.ts is the story of the site in npm test.
import { beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { useServer } from "../kit/use-server.ts";
import { warnings } from "../kit/weak-passwords.ts";
import { browserPath, openTab, sharedBrowser } from "../kit/browser.ts";

describe.skipIf(!browserPath)("a weak password on a server without an admin", () => {
  const server = useServer();
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  test("is accepted by the form of the site, which warns and goes on", async () => {
    await using tab = await openTab(browser, server.url);
    const page = await tab.open("/signup?next=/photos");
    await page.getByLabel("Username").fill("bob");
    await page.getByLabel("Password").fill("pw");
    await page.getByRole("button", { name: "Sign up" }).click();
    await page.getByText("Your password is easy to guess.").waitFor();
    await page.locator("summary", { hasText: "bob" }).waitFor();
    await page.getByRole("link", { name: "Continue without changing it" }).click();
    await page.waitForURL("**/photos");
    expect(tab.complaints).toEqual([]);
  });

  test("is accepted on the API page, which shows the warning", async () => {
    await using tab = await openTab(browser, server.url);
    const page = await tab.open("/docs");
    await page.locator("#username").fill("alice");
    await page.locator("#password").fill("password123");
    await page.getByRole("button", { name: "Sign up", exact: true }).click();
    await page.getByRole("status").getByText(warnings.common).waitFor();
    expect(tab.complaints).toEqual([]);
  });
});
