import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { collectCopied } from "../../platform/collect-garbage.ts";
import { fileSpot, mediaSpot, otherSpot, pageSpot, readMedia, type Spot, splitCursor, toAddress } from "./address.ts";
import { type Entry, type Ledger } from "./ledger.ts";
import { mapPage, mapStyles, mapText, type MapLink, type Place } from "./links.ts";
import { CopyError, makeFile } from "./output.ts";
import { extensionOf, nameForType } from "./types.ts";

/** Requests the site as a guest does. */
export type Visit = (path: string, headers?: Record<string, string>, method?: "GET" | "HEAD") => Promise<Response>;

export type Source = {
  visit: Visit;
  /** The host of the copy, as a URL without a final slash. */
  origin: string;
  /** What its addresses begin with: "", or the folder of the host that has the copy. */
  base: string;
  ledger: Ledger;
  workDirectory: string;
  /** Called with what guests should see and cannot be copied. */
  failed(address: string, reason: string): void;
  /** Called from time to time, with the number of addresses that were read. */
  progress(count: number): void;
};

/** Besides what the pages name. */
const starts = [
  "/",
  "/blog",
  "/photos",
  "/albums",
  "/search",
  "/sitemap.xml",
  "/robots.txt",
  "/llms.txt",
  "/feed.xml",
  "/feed.json",
  "/blog/feed.xml",
  "/photos/feed.xml",
  "/site.webmanifest",
  "/favicon.ico",
  "/apple-touch-icon.png",
  "/.well-known/security.txt",
];

/** What the server draws or has as a file, and what therefore is read only when it is written. */
const isBytes = (path: string) =>
  /^\/(?:assets\/.+\.(?:js|svg|woff2)|favicon\.ico|[a-z0-9-]+\.png|blog\/[^/]+\/card\.png)$/.test(path);
const isComment = (path: string) => /\/comments\/\d+$/.test(path);

/** Reads everything that a guest can reach, from the front page and the sitemap on. Pages are kept in the work directory. */
export async function crawl(source: Source, more: Iterable<string>): Promise<void> {
  const { ledger } = source;
  for (const address of [...starts, ...more]) ledger.add(address);
  for (let count = 1; ; count++) {
    const entry = ledger.next();
    if (!entry) break;
    await readEntry(source, entry);
    source.progress(count);
    collectCopied();
  }
  if (ledger.find("/")?.kind !== "page") throw new CopyError("The front page of the site cannot be read.");
}

async function readEntry(source: Source, entry: Entry): Promise<void> {
  const { ledger } = source;
  const address = entry.key.split(" ")[0] ?? "";
  const media = readMedia(address);
  if (media?.kind === "image") {
    const { query } = media;
    const name = [query.get("w") ?? "full", ...(query.get("v")?.split('"') ?? [])].join("-");
    const format = entry.key.endsWith(" jpeg") ? "jpeg" : "webp";
    return ledger.settle(entry.id, "file", {
      spot: freeSpot(ledger, entry, mediaSpot("photos", media.id, `${name}.${format}`)),
    });
  }
  if (media) return readUpload(source, entry, media);
  const [path = ""] = address.split("?");
  if (isBytes(path)) return ledger.settle(entry.id, "file", { spot: freeSpot(ledger, entry, fileSpot(address)) });
  return readDocument(source, entry, address, path);
}

/** A file whose name in the copy depends on its type. */
async function readUpload(source: Source, entry: Entry, { of, id, kind }: { of: string; id: string; kind: string }) {
  const { ledger } = source;
  const response = await patiently(() => source.visit(entry.key, {}, "HEAD"));
  if (response.status !== 200) return ledger.settle(entry.id, "none");
  const disposition = response.headers.get("content-disposition") ?? "";
  const given = readName(disposition) ?? kind;
  const type = response.headers.get("content-type") ?? "";
  const name = nameForType(given, type, disposition.startsWith("attachment"));
  ledger.settle(entry.id, "file", { spot: freeSpot(ledger, entry, mediaSpot(of, id, name)) });
}

/** Of the two spellings of a name (RFC 6266), the one that has every character. */
function readName(disposition: string): string | null {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="([^"]+)"/.exec(disposition)?.[1] ?? null;
}

async function readDocument(source: Source, entry: Entry, address: string, path: string): Promise<void> {
  const { ledger, origin } = source;
  const response = await patiently(() => source.visit(address));
  const { status, headers } = response;
  const spot = () => freeSpot(ledger, entry, pageSpot(address, entry.number));
  const location = headers.get("location");
  if (status >= 300 && status < 400 && location !== null) {
    await response.body?.cancel();
    // Links to comments are replaced by what they lead to.
    return ledger.settle(entry.id, "moved", {
      location: follow(source, address, location),
      ...(!isComment(path) && { spot: spot() }),
    });
  }
  if (status !== 200) {
    await response.body?.cancel();
    if (status >= 500) source.failed(address, `the site responds with ${status}`);
    return ledger.settle(entry.id, "none");
  }
  const type = (headers.get("content-type") ?? "").split(";")[0] ?? "";
  if (!/^text\/|xml|json/.test(type)) {
    await response.body?.cancel();
    return ledger.settle(entry.id, "file", { spot: freeSpot(ledger, entry, fileSpot(address)) });
  }
  const made = await makeFile(source.workDirectory, response.body ?? []);
  const isPage = type === "text/html";
  const body = made.path.slice(source.workDirectory.length + 1);
  ledger.settle(entry.id, isPage ? "page" : "text", {
    spot: isPage ? spot() : freeSpot(ledger, entry, fileSpot(address)),
    body,
  });
  const settled = ledger.find(entry.key);
  if (settled) mapEntry(await readBody(source, settled), origin, settled, collect(source, settled));
  // The address without the name of the album leads to it.
  const album = /^\/albums\/(\d+)-[^/]*$/.exec(path)?.[1];
  if (album !== undefined) ledger.add(`/albums/${album}`);
}

export const readBody = ({ workDirectory }: Pick<Source, "workDirectory">, { body }: Entry) =>
  readFile(join(workDirectory, body ?? ""), "utf8");

/** The text of an entry with other links. */
export function mapEntry(text: string, origin: string, { kind, file }: Entry, map: MapLink): string {
  if (kind === "page") return mapPage(text, origin, map);
  const extension = extensionOf(file ?? "");
  if (extension === "css") return mapStyles(text, map);
  if (extension !== "webmanifest") return mapText(text, origin, map);
  return text.replaceAll(/"(id|start_url|scope|src)":"(\/[^"]*)"/g, (whole, name: string, url: string) => {
    const mapped = map(url, { isForPrograms: false, rel: "" });
    return mapped ? `"${name}":"${mapped}"` : whole;
  });
}

/** The key of what a URL of the site leads to, and the part of the page; null if a copy has no such thing. */
export function readTarget(
  entry: Entry,
  url: string,
  { isForPrograms, rel }: Place,
): { key: string; hash: string } | null {
  const [own = "/"] = entry.key.split("?");
  const target = URL.parse(url, `http://site${own}`);
  const address = target && toAddress(target.pathname, target.search);
  if (!target || address === null) return null;
  if (rel === "prev" && entry.before !== null && isSameList(entry.key, address)) return { key: entry.before, hash: "" };
  const isPicture = readMedia(address)?.kind === "image";
  // A sitemap names the largest picture of each photo: search engines read any format.
  const isJPEG = isPicture && isForPrograms && !own.startsWith("/sitemap");
  return { key: isJPEG ? `${address} jpeg` : address, hash: target.hash };
}

function isSameList(key: string, address: string): boolean {
  const there = splitCursor(address);
  return there.cursor !== null && there.list === splitCursor(key).list;
}

/** Adds what a page leads to, and leaves the page unchanged. */
const collect =
  ({ ledger }: Source, entry: Entry): MapLink =>
  (url, place) => {
    const target = readTarget(entry, url, place);
    if (!target) return undefined;
    if (isSameList(entry.key, target.key)) ledger.add(target.key, entry.number + 1, entry.key);
    else ledger.add(target.key);
    return undefined;
  };

/** Where a redirect leads, as an address with the part of the page. */
function follow({ ledger, origin }: Source, address: string, location: string): string {
  const target = URL.parse(location, origin + address);
  const found = target?.origin === origin ? toAddress(target.pathname, target.search) : null;
  if (!target || found === null) return "";
  ledger.add(found);
  return found + target.hash;
}

function freeSpot(ledger: Ledger, { key }: Entry, spot: Spot): Spot {
  const other = ledger.findPlace(spot.file);
  return other === null || other === key ? spot : otherSpot(spot, key);
}

const retryMs = 1000;
const maxTries = 30;

/** A picture that is still being read takes a while. */
export async function patiently(request: () => Promise<Response>): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await request();
    if (response.status !== 503 || tries >= maxTries) return response;
    await response.body?.cancel();
    await setTimeout(retryMs);
  }
}
