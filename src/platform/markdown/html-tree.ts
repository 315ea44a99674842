import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";

/** An element, with what it contains in the order of the text. */
export type Branch = {
  tag: string;
  attributes: Map<string, string>;
  children: (Branch | string)[];
  /** Whether it contains an element that stands in lines of its own. */
  hasBlock: boolean;
};

const words = (text: string) => new Set(text.split(" "));
const empty = words("area base basefont br col embed frame hr img input link meta param source track wbr");
/** What these contain is no markup. */
const raw = words("script style title textarea xmp iframe noembed noframes plaintext");
const endsOfRaw = new Map([...raw].map((name) => [name, new RegExp(`</${name}[\\s/>]`, "gi")]));
const attributeNames = words(
  "href src alt title id class lang style start value type checked width height align colspan rowspan " +
    "rel data-src data-lazy-src data-lang data-language srcset poster open",
);
const closesParagraph = words(
  "address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre section summary table ul",
);
const blocks = new Set([
  ...closesParagraph,
  ...words("audio body caption embed html iframe legend tbody td tfoot th thead tr video"),
]);

/** Elements that a new one ends, if none of the others stands between. */
const ends: Record<string, { open: Set<string>; within: Set<string> }> = {
  a: { open: words("a"), within: words("table td th") },
  li: { open: words("li"), within: words("ul ol menu") },
  dt: { open: words("dt dd"), within: words("dl") },
  dd: { open: words("dt dd"), within: words("dl") },
  tr: { open: words("tr"), within: words("table") },
  td: { open: words("td th"), within: words("table") },
  th: { open: words("td th"), within: words("table") },
  tbody: { open: words("thead tbody tfoot"), within: words("table") },
  thead: { open: words("thead tbody tfoot"), within: words("table") },
  tfoot: { open: words("thead tbody tfoot"), within: words("table") },
};
const cells = words("td th table caption");

/** Elements that are nested deeper are left out, and what they contain belongs to those around them. */
const deepest = 100;

export const isBlock = (branch: Branch): boolean => blocks.has(branch.tag);

export const newBranch = (
  tag: string,
  attributes = new Map<string, string>(),
  children: Branch["children"] = [],
): Branch => ({ tag, attributes, children, hasBlock: hasBlocks(children) });

const hasBlocks = (children: Branch["children"]): boolean =>
  children.some((child) => typeof child !== "string" && (child.hasBlock || isBlock(child)));

/** What stands in the place of an element; undefined if it stays. */
export type Change = (branch: Branch) => Branch["children"] | undefined;

/** Asks for each element what becomes of it, after all that it contains. */
export function changeTree(branch: Branch, change: Change): void {
  branch.children = branch.children.flatMap((child) => {
    if (typeof child === "string") return [child];
    changeTree(child, change);
    return change(child) ?? [child];
  });
  branch.hasBlock = hasBlocks(branch.children);
}

export const textIn = ({ children }: Branch): string =>
  children.map((child) => (typeof child === "string" ? child : textIn(child))).join("");

/** The first element in it that has this class. */
export function findByClass(branch: Branch, name: string): Branch | null {
  for (const child of branch.children) {
    if (typeof child === "string") continue;
    const found = hasClass(child, name) ? child : findByClass(child, name);
    if (found) return found;
  }
  return null;
}

export const hasClass = ({ attributes }: Branch, name: string): boolean =>
  (attributes.get("class") ?? "").split(/\s+/).includes(name);

/**
 * Reads HTML as browsers would in general. Unlike them, it never moves an element and never opens one again: the work grows with
 * the length of the text, whatever that contains.
 */
export function readTree(html: string): Branch {
  // oxlint-disable-next-line no-control-regex
  const text = html.toWellFormed().replace(/[\u0000-\u0008\u000b\u000e-\u001f\u007f\ufeff]/g, "");
  const open: Branch[] = [newBranch("")];
  /** How many elements of a name were left out, and did not end yet. */
  const tooDeep = new Map<string, number>();
  const top = () => open.at(-1) as Branch;

  for (let position = 0; position < text.length;) {
    const start = findTag(text, position);
    if (start > position) top().children.push(decode(text.slice(position, start)));
    if (start === text.length) break;
    position = readMarkup(start);
  }
  return open[0] as Branch;

  /** Returns where it ends. */
  function readMarkup(start: number): number {
    if (text[start + 1] === "!" || text[start + 1] === "?") return endOfComment(text, start);
    const { name, isEnd, attributes, end } = readTag(text, start);
    if (isEnd) close(name);
    else add(newBranch(name, attributes));
    return !isEnd && raw.has(name) ? endOfRaw(text, end, name) : end;
  }

  function add(branch: Branch): void {
    const { tag } = branch;
    if (closesParagraph.has(tag)) closeAny(words("p"), cells);
    const rule = ends[tag];
    if (rule) closeAny(rule.open, rule.within);
    if (open.length > deepest && !empty.has(tag) && !raw.has(tag)) {
      tooDeep.set(tag, (tooDeep.get(tag) ?? 0) + 1);
      if (blocks.has(tag)) top().children.push(" ");
      return;
    }
    top().children.push(branch);
    if (blocks.has(tag))
      for (let index = open.length - 1; index >= 0 && !open[index]?.hasBlock; index--)
        (open[index] as Branch).hasBlock = true;
    if (!empty.has(tag) && !raw.has(tag)) open.push(branch);
  }

  function close(name: string): void {
    if (name === "br") add(newBranch("br"));
    const left = tooDeep.get(name) ?? 0;
    if (left > 0) tooDeep.set(name, left - 1);
    else closeAny(new Set([name]), cells.has(name) ? words("table") : cells);
  }

  function closeAny(names: Set<string>, within: Set<string>): void {
    for (let index = open.length - 1; index > 0; index--) {
      const { tag } = open[index] as Branch;
      if (names.has(tag)) {
        open.length = index;
        return;
      }
      if (within.has(tag)) return;
    }
  }
}

/** Where the next tag or comment begins; the length of the text if there is none. */
function findTag(text: string, from: number): number {
  for (let index = text.indexOf("<", from); index >= 0; index = text.indexOf("<", index + 1))
    if (/[a-z/!?]/i.test(text[index + 1] ?? "")) return index;
  return text.length;
}

function endOfComment(text: string, start: number): number {
  const isComment = text.startsWith("<!--", start);
  const end = text.indexOf(isComment ? "-->" : ">", start + 2);
  return end < 0 ? text.length : end + (isComment ? 3 : 1);
}

function endOfRaw(text: string, from: number, name: string): number {
  const end = endsOfRaw.get(name);
  if (!end || name === "plaintext") return text.length;
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}

type Tag = { name: string; isEnd: boolean; attributes: Map<string, string>; end: number };

function readTag(text: string, start: number): Tag {
  const isEnd = text[start + 1] === "/";
  const tagName = /[^\s/>]*/y;
  tagName.lastIndex = start + (isEnd ? 2 : 1);
  const name = (tagName.exec(text)?.[0] ?? "").toLowerCase();
  const attributes = new Map<string, string>();
  const part = /[\s/]*(?:(>)|([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?)/y;
  part.lastIndex = tagName.lastIndex;
  for (let found = part.exec(text); found; found = part.exec(text)) {
    const [, isLast, given = "", double, single, bare] = found;
    if (isLast) return { name, isEnd, attributes, end: part.lastIndex };
    const known = given.toLowerCase();
    if (attributeNames.has(known) && !attributes.has(known))
      attributes.set(known, decode(double ?? single ?? bare ?? ""));
  }
  return { name, isEnd, attributes, end: text.length };
}

/** With the characters that entities stand for. */
function decode(text: string): string {
  if (!text.includes("&")) return text;
  const nodes = parseFragment(text.replaceAll("<", "&lt;")).childNodes as DefaultTreeAdapterTypes.TextNode[];
  return nodes.map(({ value }) => value).join("");
}
