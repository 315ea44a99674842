import type { Browser, Page } from "playwright-core";
import { median } from "../table.ts";
import { openStudio } from "./browser.ts";
import type { Row } from "./main.ts";

const speeds = { "reading speed": 1500, fast: 5000 };
const seconds = 8;
const jumps = 9;

/** The grid of a large library: frames that are late while it moves, and how soon a month is shown after a jump. */
export async function measureScroll(browser: Browser, url: string, count: number): Promise<Row[]> {
  const { page, close } = await openStudio(browser, url);
  await page.goto("/studio/photos");
  await page.locator("[data-photo] img").first().waitFor();
  const rows: Row[] = [];
  for (const [name, speed] of Object.entries(speeds)) {
    const empty = await scrollEmpty(browser, url, speed);
    await page.evaluate("scrollTo(0, 5000)");
    await page.waitForTimeout(1000);
    const share = await scroll(page, speed);
    rows.push({
      name: `${count.toLocaleString("en-US")} photos, ${name}: late frames`,
      value: `${(share * 100).toFixed(1)} % (empty page: ${(empty * 100).toFixed(1)} %)`,
      goal: "5 %",
      isMet: share < 0.05,
    });
  }
  const times: number[] = [];
  for (let jump = 0; jump < jumps; jump++) times.push(await page.evaluate<number>(`bench.jump(${(jump * 37) % 100})`));
  rows.push({ name: "from a jump to its photos", value: `${median(times).toFixed(0)} ms`, goal: "", isMet: null });
  await close();
  return rows;
}

/** The same movement of a page with nothing on it: what the machine itself misses. */
async function scrollEmpty(browser: Browser, url: string, speed: number): Promise<number> {
  const { page, close } = await openStudio(browser, url);
  await page.goto("/livez");
  await page.evaluate("document.body.style.height = '1000000px'");
  const share = await scroll(page, speed);
  await close();
  return share;
}

const scroll = (page: Page, speed: number): Promise<number> =>
  page.evaluate<number>(`bench.scroll(${speed}, ${seconds})`);
