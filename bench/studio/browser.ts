import type { Browser, Page } from "playwright-core";
import { openTab } from "../../tests/browser/browser.ts";
import { account } from "../library-fill.ts";

/** A page of its own, without anything in its cache, in which the owner of the library has signed in. */
export async function openStudio(browser: Browser, url: string): Promise<{ page: Page; close: () => Promise<void> }> {
  const { page, context } = await openTab(browser, url, { locale: "en", reducedMotion: "no-preference" });
  await page.addInitScript({ path: Bun.fileURLToPath(new URL("in-page.js", import.meta.url)) });
  const response = await context.request.post("/session", {
    data: account,
    headers: { "Sec-Fetch-Site": "same-origin" },
  });
  if (!response.ok()) throw new Error(`The sign-in failed: ${response.status()}`);
  return { page, close: () => context.close() };
}
