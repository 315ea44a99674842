import type { Browser } from "playwright-core";
import { median } from "../table.ts";
import { openStudio } from "./browser.ts";
import type { Row } from "./main.ts";

const rounds = 5;

/** From the request for the page to its first screen, without a cache. */
export async function measureFirstLoad(browser: Browser, url: string): Promise<Row[]> {
  const times: number[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round++) {
    const { page, close } = await openStudio(browser, url);
    await page.goto("/studio");
    await page.getByRole("heading", { level: 1 }).waitFor();
    times.push(await page.evaluate(() => performance.now()));
    bytes = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .filter(({ name }) => name.includes("/studio/"))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
    );
    await close();
  }
  return [
    { name: "first load", value: `${(bytes / 1000).toFixed(0)} KB`, goal: "200 KB", isMet: bytes < 200_000 },
    { name: "first screen", value: `${median(times).toFixed(0)} ms`, goal: "", isMet: null },
  ];
}
