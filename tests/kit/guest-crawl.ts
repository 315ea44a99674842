import sharp from "sharp";
import { crawl, type Crawled, type Fetched, visit } from "./crawler.ts";

/** What is looked for: a picture, by its bytes, by what it looks like, and by words that stand nowhere else. */
export type Wanted = { words: (string | RegExp)[]; bytes: Uint8Array };

/** `words` are what a guest may know or guess, and `highestID` the ids that are tried. */
type Known = { words: string[]; highestID: number; starts: string[] };

const pages = ["/", "/sitemap.xml", "/robots.txt", "/feed.xml", "/feed.json", "/llms.txt", "/photos/feed.xml"];

/** Everything that a guest can reach: pages, feeds, sitemap, pictures, archives, and every read of the API with all ids. */
export async function crawlAsGuest(site: string, known: Known): Promise<Crawled> {
  const guest = { url: (path: string) => site + path, token: null };
  const document = (await (await fetch(guest.url("/openapi.json"))).json()) as OpenAPI;
  const searches = known.words.map((word) => `/search?q=${encodeURIComponent(word)}`);
  const starts = [...pages, ...known.starts, ...searches, ...listReads(document, known)];
  return crawl(guest, [...new Set(starts)], linksOfJSON);
}

/** The same addresses again. */
export async function visitAgain(site: string, paths: Iterable<string>): Promise<Crawled> {
  const guest = { url: (path: string) => site + path, token: null };
  const visited: Crawled = new Map();
  for (const path of paths) visited.set(path, await visit(guest, path));
  return visited;
}

/** Where there is a trace of the picture, and which. */
export async function findTraces(crawled: Crawled, wanted: Wanted): Promise<Map<string, string[]>> {
  const look = await lookOf(wanted.bytes);
  const middle = Buffer.from(wanted.bytes).subarray(wanted.bytes.length / 2, wanted.bytes.length / 2 + 48);
  const traces = new Map<string, string[]>();
  for (const [path, fetched] of crawled) {
    const found = [
      ...findWords(path, fetched.text, wanted.words),
      ...(fetched.text.includes(middle.toString("latin1")) ? ["its bytes"] : []),
      ...((await showsPicture(fetched, look)) ? ["its picture"] : []),
    ];
    if (found.length > 0) traces.set(path, found);
  }
  return traces;
}

/** A page may print what its own address says. */
function findWords(path: string, text: string, words: Wanted["words"]): string[] {
  const has = (where: string, word: string | RegExp) =>
    typeof word === "string" ? where.toLowerCase().includes(word.toLowerCase()) : word.test(where);
  const address = decodeURIComponent(path.replaceAll("+", " "));
  return words.filter((word) => has(text, word) && !has(address, word)).map(String);
}

const side = 12;

const lookOf = async (bytes: Uint8Array): Promise<Buffer> =>
  sharp(bytes).resize(side, side, { fit: "fill" }).removeAlpha().toColourspace("srgb").raw().toBuffer();

/** So much the pixels of two sizes and formats of the same picture may differ, on average. */
const maxDifference = 15;

async function showsPicture({ status, type, text }: Fetched, look: Buffer): Promise<boolean> {
  if (status !== 200 || !type.startsWith("image/") || type.includes("svg")) return false;
  const other = await lookOf(Buffer.from(text, "latin1")).catch(() => null);
  if (other?.length !== look.length) return false;
  const difference = look.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0);
  return difference / look.length < maxDifference;
}

/** Addresses without a host, which the API has in its records. */
const linksOfJSON = ({ type, text }: Fetched): string[] =>
  type.includes("json")
    ? [...text.matchAll(/"(\/(?:api|photos|albums|blog|browse|s)\/[^"\\\s]*)"/g)].map(([, path = ""]) => path)
    : [];

type Schema = { type?: string };
type Parameter = { name: string; in: string; required?: boolean; schema?: Schema };
type Operation = { parameters?: Parameter[]; responses: Record<string, { content?: object }> };
type OpenAPI = { paths: Record<string, { get?: Operation }> };

/** Parameters that only choose a part of a list. */
const ofPages = new Set(["page", "pageSize", "cursor", "limit", "sort", "order"]);

/** Every GET of the API document with all ids and words in its path, and with each of its other parameters. */
function listReads({ paths }: OpenAPI, { words, highestID }: Known): string[] {
  const ids = Array.from({ length: highestID }, (_, index) => String(index + 1));
  const valuesOf = ({ schema }: Parameter) =>
    schema?.type === "integer" ? ids : [...words.map(encodeURIComponent), ids.join(","), ...ids];
  return Object.entries(paths).flatMap(([path, { get }]) => {
    // A stream of events does not end. Documents have examples.
    if (!get || !path.startsWith("/api/") || "text/event-stream" in (get.responses["200"]?.content ?? {})) return [];
    const parameters = get.parameters ?? [];
    const inPath = parameters.filter((parameter) => parameter.in === "path");
    const filled = inPath.reduce(
      (some, parameter) =>
        some.flatMap((one) => valuesOf(parameter).map((value) => one.replace(`{${parameter.name}}`, value))),
      [path],
    );
    const queries = parameters.filter((parameter) => parameter.in === "query" && !ofPages.has(parameter.name));
    // Reads of one record have no parameters that could show another one.
    const isList = inPath.length === 0;
    const asked = isList
      ? queries.flatMap((parameter) => valuesOf(parameter).map((value) => `${path}?${parameter.name}=${value}`))
      : [];
    return [...filled, ...asked];
  });
}
