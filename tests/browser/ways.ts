import type { BrowserContextOptions, Page } from "playwright-core";
import { desktop, phone } from "../kit/browser.ts";
import { isLong } from "../kit/long.ts";

/** How somebody uses the site: with or without script, on a narrow or on a wide screen. `id` is for names of records. */
export type Way = { name: string; id: string; hasScript: boolean; options: BrowserContextOptions };

/** In short runs, with a script on a phone. */
export const ways: Way[] = (isLong ? [true, false] : [true]).flatMap((hasScript) =>
  (isLong ? [phone, desktop] : [phone]).map((viewport) => ({
    name: `${hasScript ? "with" : "without"} script, ${viewport.width} px wide`,
    id: `${hasScript ? "script" : "plain"}${viewport.width}`,
    hasScript,
    options: { javaScriptEnabled: hasScript, viewport },
  })),
);

/** Waits for the page with this heading, and for its script if the browser runs it. */
export async function arriveAt(page: Page, { hasScript }: Pick<Way, "hasScript">, heading: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
  if (hasScript) await page.waitForSelector("html.has-script");
}

/** By how many pixels the page is wider than the screen: then one would have to scroll sideways to read it. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");
