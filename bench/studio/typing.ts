import type { Browser } from "playwright-core";
import { account } from "../library-fill.ts";
import { ask } from "../request.ts";
import { median } from "../table.ts";
import { openStudio } from "./browser.ts";
import type { Row } from "./main.ts";

const words = 50_000;
const keys = 120;

/** From a key to the frame that shows its letter, in the middle of a long post. */
export async function measureTyping(browser: Browser, url: string): Promise<Row[]> {
  const { token } = await ask<{ token: string }>(`${url}/signin`, { method: "POST", json: account });
  const sentence = "The last ferry leaves the harbour at ten, and *nobody* waits for those who are late. ";
  const paragraph = `${sentence.repeat(5).trim()}\n\n`;
  const perParagraph = paragraph.split(/\s+/).length - 1;
  const content = paragraph.repeat(Math.ceil(words / perParagraph));
  const json = { title: "A long post", content, publishedAt: null };
  const { id } = await ask<{ id: number }>(`${url}/api/v1/blog`, { method: "POST", token, json });
  const { page, close } = await openStudio(browser, url);
  await page.goto(`/studio/blog/${id}`);
  const editor = page.locator(".cm-content").first();
  const name = `typing in ${words.toLocaleString("en-US")} words`;
  try {
    await editor.waitFor({ timeout: 20_000 });
  } catch {
    await close();
    return [{ name, value: "not measured: there is no editor", goal: "16 ms", isMet: null }];
  }
  await editor.click();
  await page.evaluate("bench.followKeys()");
  for (let key = 0; key < keys; key++) {
    await page.keyboard.type("harbour "[key % 8] ?? "");
    await page.waitForTimeout(40);
  }
  const times = await page.evaluate<number[]>("bench.keyTimes");
  await close();
  const slow = times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? Number.NaN;
  return [
    {
      name,
      value: `${median(times).toFixed(1)} ms (95th percentile ${slow.toFixed(1)} ms)`,
      goal: "16 ms",
      isMet: median(times) < 16,
    },
  ];
}
