import type { Browser, Page } from "playwright-core";
import { desktop } from "../../tests/kit/browser.ts";
import { account } from "../library-fill.ts";

/**
 * A page of its own, without anything in its cache, in which the owner of the library has signed in. Its requests are not
 * intercepted: that would slow down uploads.
 */
export async function openStudio(browser: Browser, url: string): Promise<{ page: Page; close: () => Promise<void> }> {
  const context = await browser.newContext({ baseURL: url, viewport: desktop, locale: "en" });
  const page = await context.newPage();
  await page.addInitScript({ path: Bun.fileURLToPath(new URL("in-page.js", import.meta.url)) });
  const response = await context.request.post("/session", {
    data: account,
    headers: { "Sec-Fetch-Site": "same-origin" },
  });
  if (!response.ok()) throw new Error(`The sign-in failed: ${response.status()}`);
  return { page, close: () => context.close() };
}
