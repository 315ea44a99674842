import MiniSearch from "minisearch";
import { collectIndex } from "../../platform/collect-garbage.ts";
import { type CopiedPage, copiedIndex } from "../site/search/copied-index.ts";
import { copiedIndexPath } from "../site/search/copied-search.tsx";
import type { Entry, Ledger, Text } from "./ledger.ts";

/** So much of each page is in the index, and so much of all of them. */
const maxLengths: Record<string, number> = { post: 20_000, page: 20_000 };
const usualLength = 2000;
const maxCharacters = 2_000_000;
/** Building an index takes many times the memory of its texts, so there are several. */
const charactersOfPart = 200_000;

/** Where the parts of the index may lie: the last text of each can be too long for it. */
export const partPaths = Array.from({ length: maxCharacters / charactersOfPart + 1 }, (_, part) => partPath(part + 1));

function partPath(number: number): string {
  return copiedIndexPath.replace(/(?=\.json$)/, `-${number}`);
}

const kinds: [RegExp, string][] = [
  [/^\/blog\/[^/]+$/, "post"],
  [/^\/photos\/\d+$/, "photo"],
  [/^\/albums\/\d[^/]*$/, "album"],
  [/^\/browse\/.+$/, "file"],
  [/^\/[^/?]+$/, "page"],
];
/** Lists of what other pages show. */
const lists = new Set(["/", "/blog", "/photos", "/albums", "/browse", "/map", "/search"]);
/** What the site itself says on every page of a kind would be found on all of them. */
const words = [
  ".meta",
  ".facts dt",
  ".facts time",
  ".file-page .facts",
  ".offers",
  ".actions",
  ".places h2",
  ".anchor",
];
const left = ["nav", "form", "script", "svg", ".comments", ".pager", "h1", ...words];

/** What the index has of a page; null if it is one of those that are not searched for. */
export function readText(html: string, { key, link }: Entry): Text | null {
  const kind = lists.has(key) ? undefined : kinds.find(([pattern]) => pattern.test(key))?.[1];
  if (kind === undefined || link === null || !html.includes('rel="canonical"')) return null;
  const maxLength = maxLengths[kind] ?? usualLength;
  let [title, text, excerpt, depth] = ["", "", "", 0];
  const rewriter = new HTMLRewriter()
    .on("main", {
      text(part) {
        if (depth === 0 && text.length < maxLength) text += part.text + (part.lastInTextNode ? " " : "");
      },
    })
    .on('meta[name="description"]', {
      element(element) {
        excerpt = element.getAttribute("content") ?? "";
      },
    })
    .on("main h1", {
      text(part) {
        title += part.text;
      },
    });
  for (const name of left) {
    rewriter.on(`main ${name}`, {
      element(element) {
        depth++;
        element.onEndTag(() => void depth--);
      },
    });
  }
  rewriter.transform(html);
  return {
    kind,
    link,
    title: plain(title),
    text: plain(text).slice(0, maxLength).toWellFormed(),
    excerpt: plain(excerpt),
  };
}

const entities: Record<string, string> = { amp: "&", quot: '"', apos: "'", lt: "<", gt: ">", nbsp: " " };

function plain(text: string): string {
  const decoded = text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex as string, 16) : null;
    if (code === null) return entities[name as string] ?? whole;
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
  return decoded.replaceAll(/\s+/g, " ").trim();
}

/** An index as the browser loads it. */
type Part = { path: string; json: string };

/** Calls `put` with each part of the index. Returns false if the site has more text than an index should have. */
export async function buildIndex(ledger: Ledger, put: (part: Part) => Promise<void>): Promise<boolean> {
  let index = new MiniSearch<CopiedPage>(copiedIndex);
  let [all, inPart, id] = [0, 0, 0];
  const paths: string[] = [];
  for (const { kind, link, title, text, excerpt } of ledger.texts()) {
    const characters = title.length + text.length;
    all += characters;
    if (all > maxCharacters) break;
    index.add({ id: ++id, kind, link, title, text, excerpt });
    inPart += characters;
    if (inPart >= charactersOfPart) await endPart();
  }
  await endPart();
  await put({ path: copiedIndexPath, json: JSON.stringify(paths) });
  return all <= maxCharacters;

  async function endPart(): Promise<void> {
    if (inPart === 0) return;
    const path = partPath(paths.length + 1);
    // The list of parts names them as they lie beside it.
    paths.push(path.slice(1));
    await put({ path, json: JSON.stringify(index) });
    index = new MiniSearch<CopiedPage>(copiedIndex);
    inPart = 0;
    collectIndex();
  }
}
