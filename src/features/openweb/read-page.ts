import type { Mention } from "../../content/comments/mentions.ts";
import { askChild } from "../../platform/ask-child.ts";
import type { WebPage } from "../../platform/outgoing/page.ts";

/** What a child process is asked of a page: what it says about a target, or, without one, where it wants to be told of links. */
export type Asked = { page: Omit<WebPage, "url"> & { url: string }; target: string | null };

/** What a page says about the target; null if it does not link to it, or cannot be read within the limits. */
export const readMentionIn = (page: WebPage, target: URL): Promise<Mention | null> => ask(page, target.href);

/** Where a page wants to be told of links to it; null for nowhere. */
export async function findEndpointIn(page: WebPage): Promise<URL | null> {
  const found = await ask<string>(page, null);
  return found === null ? null : new URL(found);
}

let last: Promise<unknown> = Promise.resolve();

/** One page at a time: each needs a process. */
function ask<Result>(page: WebPage, target: string | null): Promise<Result | null> {
  const asked: Asked = { page: { ...page, url: page.url.href }, target };
  const result = last.then(() => askChild<Result>("pageReader", asked));
  last = result.catch(() => {});
  return result;
}
