import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { findBarriers } from "../kit/browser.ts";
import { overflowOf } from "../browser/ways.ts";
import { isLong } from "../kit/long.ts";
import { sizes } from "./studio.ts";

/** What is on the screen now can be used by everyone, in each colour scheme of this run, and fits into its width. */
export async function expectNoBarriers(page: Page): Promise<void> {
  const size = sizes.find(({ options }) => options.viewport.width === page.viewportSize()?.width) ?? sizes[0];
  for (const colorScheme of size?.colorSchemes ?? []) {
    await page.emulateMedia({ colorScheme });
    expect(await findBarriers(page)).toEqual([]);
  }
  expect(await overflowOf(page)).toBe(0);
}

/** The same, for what few people see often, in long runs only. */
export async function expectNoRareBarriers(page: Page): Promise<void> {
  if (isLong) await expectNoBarriers(page);
}
