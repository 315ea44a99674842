import type { Addresses } from "./begin-request.ts";
import { AddressError, get, PostError } from "./post.ts";
import { parseWebAddress } from "./web-address.ts";

const maxRedirects = 5;

type PageOptions = {
  maxBytes: number;
  allowPrivate: boolean;
  signal: AbortSignal;
  findAddresses?: (name: string) => Promise<Addresses>;
};

/** `url` is where the redirects have led; `text` is the beginning of the body. */
export type WebPage = { status: number; url: URL; text: string; headers: Record<string, string> };

/** Reads a page that a stranger has named. Every address on the way is checked. Fails with a `PostError`. */
export async function readPage(first: URL, options: PageOptions): Promise<WebPage> {
  let url = first;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const headers = { Accept: "text/html", "Accept-Encoding": "identity", "User-Agent": "Vitrine (Webmention)" };
    const { status, excerpt, headers: sent } = await get(url, { ...options, headers });
    const location = [301, 302, 303, 307, 308].includes(status) ? sent["location"] : undefined;
    if (location === undefined) return { status, url, text: isPlain(sent) ? excerpt : "", headers: sent };
    const next = parseWebAddress(location, url);
    if (!next) throw new AddressError(`${url.host} leads to an address that is not used.`);
    url = next;
  }
  throw new PostError(`${first.host} leads on and on.`);
}

/** What was compressed although nobody asked for it is not read. */
const isPlain = ({ "content-encoding": encoding = "identity" }: Record<string, string>) => encoding === "identity";
