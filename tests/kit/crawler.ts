/** What the server has sent for one address. */
export type Fetched = { status: number; type: string; headers: Headers; text: string; from: string };
export type Crawled = Map<string, Fetched>;

const maxAddresses = 3000;
/** An application of its own, and what describes the API with examples. */
const unfollowed = /^\/(docs|openapi\.json|studio)/;

type Visitor = { url(path: string): string; token: string | null };

/** More addresses that a response contains. */
type FindMore = (fetched: Fetched) => string[];

/**
 * Reads these paths and everything of the same site that they lead to: links, pictures, forms that only read, feeds,
 * sitemaps.
 */
export async function crawl(visitor: Visitor, starts: string[], findMore: FindMore = () => []): Promise<Crawled> {
  const url = visitor.url("");
  const found: Crawled = new Map();
  const waiting = starts.map((path) => ({ path, from: "" }));
  const known = new Set(starts);
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    if (found.size >= maxAddresses) throw new Error(`The site has more than ${maxAddresses} addresses.`);
    const fetched = await visit(visitor, next.path, next.from);
    found.set(next.path, fetched);
    const more = findMore(fetched);
    for (const path of [...linksOf(url, next.path, fetched), ...more]) {
      if (known.has(path) || unfollowed.test(path)) continue;
      known.add(path);
      waiting.push({ path, from: next.path });
    }
  }
  return found;
}

/** Reads one path. Bytes that are no text are read as Latin-1, so that names in an archive can be found. */
export async function visit({ url, token }: Visitor, path: string, from = ""): Promise<Fetched> {
  const headers = { Accept: "text/html, */*", ...(token && { Authorization: `Bearer ${token}` }) };
  const response = await fetch(url(path), { headers, redirect: "manual" });
  const bytes = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get("content-type")?.split(";")[0] ?? "";
  const text = bytes.toString(/^text|json|xml/.test(type) ? "utf8" : "latin1");
  return { status: response.status, type, headers: response.headers, text, from };
}

/** The addresses of the same site in what was read. */
function linksOf(url: string, path: string, { type, headers, text }: Fetched): string[] {
  const location = headers.get("location");
  const written = [...(location ? [location] : []), ...readableLinks(url, path, type, text)];
  return written.flatMap((address) => {
    const target = URL.parse(address, url + path);
    return target?.origin === url ? [target.pathname + target.search] : [];
  });
}

function readableLinks(url: string, path: string, type: string, text: string): string[] {
  // The bytes of a file of the site are no page.
  if (!/html|json|xml|text\/plain/.test(type) || path.includes("/content")) return [];
  // A feed has pages in it, which are written as text.
  const decoded = decodeEntities(decodeEntities(text));
  const absolute = [...decoded.matchAll(new RegExp(`${url}[^\\s"'<>)\\\\]*`, "g"))].map(([address]) => address);
  return [...absolute, ...(type === "text/html" ? linksOfPage(text).map(decodeEntities) : [])];
}

function linksOfPage(html: string): string[] {
  const valuesOf = (names: string) =>
    [...html.matchAll(new RegExp(`\\s(?:${names})="([^"]*)"`, "g"))].map((match) => match[1] ?? "");
  const sets = valuesOf("srcset").flatMap((set) => set.split(",").map((one) => one.trim().split(" ")[0] ?? ""));
  const forms = [...html.matchAll(/<form\b[^>]*>/g)].map(([tag]) => tag).filter((tag) => !/method="post"/i.test(tag));
  const actions = forms.flatMap((tag) => /\saction="([^"]*)"/.exec(tag)?.[1] ?? []);
  return [...valuesOf("href|src|poster|data-video"), ...sets, ...actions];
}

const entities: Record<string, string> = { "&amp;": "&", "&quot;": '"', "&#39;": "'", "&lt;": "<", "&gt;": ">" };
const decodeEntities = (text: string) => text.replaceAll(/&(amp|quot|#39|lt|gt);/g, (entity) => entities[entity] ?? "");
