/*
 * A separate process that reads a page of another site, so that one that takes too much time or memory can be given up. It reads
 * one, and is ended by its parent.
 */
import { findEndpoint } from "./page-links.ts";
import { readMention } from "./read-mention.ts";
import type { Asked } from "./read-page.ts";

process.on("message", ({ page, target }: Asked) => {
  const url = new URL(page.url);
  process.send?.(
    target === null ? (findEndpoint({ ...page, url })?.href ?? null) : readMention(page.text, url, new URL(target)),
  );
});
process.on("disconnect", () => process.exit());
