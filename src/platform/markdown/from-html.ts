import { convertTable, wrap } from "./from-table.ts";
import { type Branch, type Change, changeTree, isBlock, readTree } from "./html-tree.ts";
import { findNotes, type Notes } from "./html-notes.ts";
import { type HowToWrite, isStripped, linkTo, markOf, writeInline, writePicture } from "./from-inline.ts";
import { createInlineWriter, fence, type LineForm, type Mark } from "./write-inline.ts";

type FromHTML = {
  /** The address to write for one of the text: of a picture, or of what a link leads to. */
  rewrite?: (url: string, use: "picture" | "link") => string;
  change?: Change;
};

/** Where a block stands. */
type Place = HowToWrite & {
  marks: readonly Mark[];
  notes: Notes;
  depth: number;
  /** How many characters may still be written for marks that are repeated for each block in them. */
  repeated: { left: number };
};

/** Lists and quotes that are nested deeper are written like those around them. */
const deepest = 12;
const mostRepeated = 100_000;

/** HTML as Markdown that our site shows with the same content. Nothing that could run is left, and texts mean what they say. */
export function htmlToMarkdown(html: string, { rewrite = (url) => url, change }: FromHTML = {}): string {
  const tree = readTree(html);
  if (change) changeTree(tree, change);
  const notes = findNotes(tree);
  const place: Place = { rewrite, notes, noteOf: notes.noteOf, marks: [], depth: 0, repeated: { left: mostRepeated } };
  const blocks = convertBlocks(tree.children, place);
  for (const [number, note] of notes.listed()) {
    const [first = "", ...others] = convertBlocks(note.children, place);
    blocks.push(indent([first, ...others].join("\n\n"), `[^${number}]: `, "    "));
  }
  return blocks.join("\n\n");
}

/** Each stands in lines of its own. */
function convertBlocks(children: Branch["children"], place: Place): string[] {
  const blocks: string[] = [];
  const marks = () => (place.repeated.left > 0 ? place.marks : []);
  let writer = createInlineWriter("paragraph", marks());
  let previous: Previous = { tag: "", isOther: false };
  const flush = () => {
    const text = writer.finish();
    if (text !== "") {
      blocks.push(text);
      previous = { tag: "", isOther: false };
      for (const { open, close } of place.marks) place.repeated.left -= open.length + close.length;
    }
    writer = createInlineWriter("paragraph", marks());
  };
  for (const child of children) {
    if (typeof child === "string") {
      writer.text(child);
      continue;
    }
    if (isStripped(child) || place.notes.isNote(child)) continue;
    if (!isBlock(child) && !child.hasBlock) {
      writeInline(writer, child, place);
      continue;
    }
    flush();
    const converted = isBlock(child) ? convertBlock(child, place, previous) : convertAround(child, place);
    if (converted.length === 0) continue;
    blocks.push(...converted);
    previous = { tag: child.tag, isOther: previous.tag === child.tag && !previous.isOther };
  }
  flush();
  return blocks;
}

/** An element of the text that contains blocks. */
function convertAround(branch: Branch, place: Place): string[] {
  const mark = markOf(branch, place);
  const isNew = !place.marks.some(({ name }) => name === mark?.name);
  return convertBlocks(branch.children, mark && isNew ? { ...place, marks: [...place.marks, mark] } : place);
}

/** The element before. Lists that follow each other begin with other signs in turns: `isOther` is whether it had the second. */
type Previous = { tag: string; isOther: boolean };

function convertBlock(branch: Branch, place: Place, previous: Previous): string[] {
  const { tag, children } = branch;
  const heading = /^h([1-6])$/.exec(tag)?.[1];
  if (heading) return convertHeading(branch, Number(heading), place);
  if (tag === "hr") return ["***"];
  if (tag === "pre") return convertCode(branch, place);
  if (tag === "table")
    return convertTable(branch, {
      blocks: (cell) => convertBlocks(cell.children, place),
      line: (cell) => convertLine(cell, place, "cell"),
    });
  if (tag === "ul" || tag === "ol" || tag === "menu" || tag === "dir") return convertList(branch, place, previous);
  if (tag === "blockquote") return convertQuote(branch, place);
  if (tag === "figure") return convertFigure(branch, place);
  if (tag === "details") return convertDetails(branch, place);
  if (tag === "dl" || tag === "dt" || tag === "dd") return wrap(tag, convertBlocks(children, place));
  if (tag === "iframe" || tag === "embed" || tag === "video" || tag === "audio") return convertMedia(branch, place);
  return convertBlocks(children, place);
}

/** The text of an element in one line. */
function convertLine(branch: Branch, place: Place, form: LineForm): string {
  const writer = createInlineWriter(form, place.marks);
  for (const child of branch.children) {
    if (typeof child === "string") writer.text(child);
    else writeInline(writer, child, place);
  }
  return writer.finish();
}

function convertHeading(branch: Branch, level: number, place: Place): string[] {
  const text = convertLine(branch, place, "heading");
  return text === "" ? [] : [`${"#".repeat(level)} ${text.replace(/(?<=^|\s)#+$/, "\\$&")}`];
}

const languages = /(?:^|\s)(?:language-|lang-|brush:\s*|highlight-source-)([\w+#.-]{1,40})/;

function convertCode(branch: Branch, place: Place): string[] {
  const inner = branch.children.find((child) => typeof child !== "string" && child.tag === "code") as
    Branch | undefined;
  if (/\bverse\b/.test(branch.attributes.get("class") ?? "")) return convertVerse(branch, place);
  const named = [branch, inner].flatMap((one) => [
    languages.exec(one?.attributes.get("class") ?? "")?.[1],
    one?.attributes.get("data-language") ?? one?.attributes.get("data-lang") ?? one?.attributes.get("lang"),
  ]);
  const language = named.find((name) => name !== undefined && /^[\w+#.-]{1,40}$/.test(name)) ?? "";
  const code = textOf(branch).replace(/\r\n?/g, "\n").replace(/^\n/, "").replace(/\n$/, "");
  const signs = fence(code, 3);
  return code.trim() === "" ? [] : [`${signs}${language}\n${code}\n${signs}`];
}

/** A poem: its lines stay. */
function convertVerse(branch: Branch, place: Place): string[] {
  const lines = (one: Branch): Branch => ({
    ...one,
    children: one.children.flatMap((child) =>
      typeof child === "string"
        ? child.split(/\r\n?|\n/).flatMap((line, index) => (index === 0 ? [line] : [newLine, line]))
        : [lines(child)],
    ),
  });
  return convertBlocks(lines(branch).children, place);
}

const newLine: Branch = { tag: "br", attributes: new Map(), children: [], hasBlock: false };

function textOf({ tag, children }: Branch): string {
  if (tag === "br") return "\n";
  return children.map((child) => (typeof child === "string" ? child : isStripped(child) ? "" : textOf(child))).join("");
}

function convertQuote({ children }: Branch, place: Place): string[] {
  const blocks = convertBlocks(children, deeper(place));
  if (blocks.length === 0 || place.depth >= deepest) return blocks;
  return [indent(blocks.join("\n\n"), "> ", "> ")];
}

const deeper = (place: Place): Place => ({ ...place, depth: place.depth + 1 });

function convertList(list: Branch, place: Place, previous: Previous): string[] {
  const isNumbered = list.tag === "ol";
  const sign = previous.tag === list.tag && !previous.isOther ? (isNumbered ? ")" : "+") : isNumbered ? "." : "-";
  const start = Number(/^\d{1,8}$/.exec(list.attributes.get("start") ?? "")?.[0] ?? 1);
  const items = itemsOf(list, place).filter(({ blocks }) => blocks.length > 0);
  if (place.depth >= deepest) return items.flatMap(({ blocks }) => blocks);
  const isTight = items.every(({ isSimple }) => isSimple);
  const written = items.map(({ blocks }, index) => {
    const marker = isNumbered ? `${start + index}${sign} ` : `${sign} `;
    return indent(blocks.join(isTight ? "\n" : "\n\n"), marker, " ".repeat(marker.length));
  });
  return written.length > 0 ? [written.join(isTight ? "\n" : "\n\n")] : [];
}

type ListItem = { blocks: string[]; isSimple: boolean };

/** A list may also contain what is no item, such as a list within a list. */
function itemsOf(list: Branch, place: Place): ListItem[] {
  const items: ListItem[] = [];
  for (const child of list.children) {
    if (typeof child === "string" && child.trim() === "") continue;
    const isItem = typeof child !== "string" && child.tag === "li";
    if (isItem && place.notes.isNote(child)) continue;
    const blocks = convertBlocks(isItem ? child.children : [child], deeper(place));
    const isSimple = !isItem || isSimpleItem(child, blocks);
    const last = items.at(-1);
    if (isItem || !last) items.push({ blocks, isSimple });
    else {
      last.blocks.push(...blocks);
      last.isSimple &&= typeof child !== "string" && /^[uo]l$/.test(child.tag) && !child.attributes.has("start");
    }
  }
  return items;
}

/** It has one line of text, and lists below it. */
function isSimpleItem(item: Branch, blocks: string[]): boolean {
  const inner = item.children.filter((child) => typeof child !== "string" && isBlock(child)) as Branch[];
  const isList = ({ tag, attributes }: Branch) => (tag === "ul" || tag === "ol") && !attributes.has("start");
  const lists = inner.filter((child) => isList(child));
  const hasLoose = item.children.some((child) => typeof child !== "string" && !isBlock(child) && child.hasBlock);
  return lists.length === inner.length && lists.length <= 1 && blocks.length === 1 + lists.length && !hasLoose;
}

/** A picture with its caption. Without one, it is a paragraph; of several, the site shows those that follow each other side by side. */
function convertFigure({ children }: Branch, place: Place): string[] {
  const isCaption = (child: Branch | string): child is Branch =>
    typeof child !== "string" && child.tag === "figcaption";
  const caption = children.filter(isCaption).flatMap((one) => convertBlocks(one.children, place));
  const others = children.filter((child) => !isCaption(child) && (typeof child !== "string" || child.trim() !== ""));
  const content = convertBlocks(others, place);
  const [only] = others;
  const isTable = others.length === 1 && typeof only === "object" && only.tag === "table";
  if (caption.length === 0 || (content.length !== 1 && !isTable)) return [...content, ...caption];
  return ["<figure>", ...content, "<figcaption>", ...caption, "</figcaption>\n</figure>"];
}

function convertDetails({ children }: Branch, place: Place): string[] {
  const isSummary = (child: Branch | string): child is Branch => typeof child !== "string" && child.tag === "summary";
  const title = children.find(isSummary);
  const content = convertBlocks(
    children.filter((child) => child !== title),
    place,
  );
  const text = title ? textOf(title).replace(/\s+/g, " ").trim() : "";
  return [`<details>\n<summary>${Bun.escapeHTML(text)}</summary>`, ...content, "</details>"];
}

function convertMedia(branch: Branch, place: Place): string[] {
  const inner = branch.children.find((child) => typeof child !== "string" && child.tag === "source") as
    Branch | undefined;
  const source = (one: Branch | undefined) => one?.attributes.get("src") ?? one?.attributes.get("data-src");
  const url = playerURL((source(branch) ?? source(inner) ?? "").trim());
  const title = branch.attributes.get("title") ?? "";
  if (branch.tag === "video") {
    const picture = writePicture(url, title, place);
    if (picture.includes("](import:")) return [picture];
  }
  const writer = createInlineWriter("paragraph");
  const link = linkTo(url, "", place);
  if (!link) return [];
  writer.open(link);
  writer.text(title.trim() || nameOf(url, branch.tag));
  return [writer.finish()];
}

/** A file by its name, and a page by its address. */
const nameOf = (url: string, tag: string): string =>
  (tag === "video" || tag === "audio" ? /([^/?#]+)(?:[?#].*)?$/.exec(url)?.[1] : null) ?? url;

/** The page of a video whose player was embedded. */
function playerURL(url: string): string {
  const address = url.startsWith("//") ? `https:${url}` : url;
  const youTube = /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/(?:embed|v)\/([\w-]{1,40})/.exec(address)?.[1];
  if (youTube && youTube !== "videoseries") return `https://www.youtube.com/watch?v=${youTube}`;
  const vimeo = /^https?:\/\/player\.vimeo\.com\/video\/(\d{1,20})/.exec(address)?.[1];
  return vimeo ? `https://vimeo.com/${vimeo}` : address;
}

function indent(text: string, first: string, others: string): string {
  const lines = text.split("\n").map((line, index) => {
    if (index === 0) return first + line;
    return line === "" ? others.trimEnd() : others + line;
  });
  return lines.join("\n");
}
