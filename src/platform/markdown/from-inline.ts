import { type Branch, isBlock } from "./html-tree.ts";
import { escapeText, type InlineWriter, type Mark, target } from "./write-inline.ts";

export type HowToWrite = {
  rewrite: (url: string, use: "picture" | "link") => string;
  /** The number of the note that a link leads to. */
  noteOf(link: Branch): number | null;
};

const stripped = new Set(
  "script style title textarea xmp noembed noframes noscript plaintext template select object svg math head".split(" "),
);

/** Removed with all that it contains, as our site would. */
export const isStripped = ({ tag }: Branch): boolean => stripped.has(tag);

const strong: Mark = { name: "strong", open: "<strong>", close: "</strong>", markdown: "**" };
const emphasis: Mark = { name: "em", open: "<em>", close: "</em>", markdown: "*" };
const struck: Mark = { name: "s", open: "<s>", close: "</s>", markdown: "~~" };
const marks = new Map<string, Mark>([
  ...["strong", "b"].map((tag) => [tag, strong] as const),
  ...["em", "i"].map((tag) => [tag, emphasis] as const),
  ...["s", "del", "strike"].map((tag) => [tag, struck] as const),
  ...["sub", "sup", "u", "ins", "mark", "kbd", "samp", "var", "small", "cite", "q", "ruby", "rt", "rp", "bdi"].map(
    (tag) => [tag, { name: tag, open: `<${tag}>`, close: `</${tag}>` }] as const,
  ),
]);

/** What an element adds to the text in it; null if nothing. */
export function markOf(branch: Branch, how: HowToWrite): Mark | null {
  const { tag, attributes } = branch;
  if (tag === "a") return linkTo(attributes.get("href") ?? "", attributes.get("title") ?? "", how);
  if (tag === "abbr") {
    const title = attributes.get("title") ?? "";
    const open = `<abbr title="${Bun.escapeHTML(oneLine(title))}">`;
    return title.length > 0 && title.length <= longestTitle ? { name: tag, open, close: "</abbr>" } : null;
  }
  return marks.get(tag) ?? styledMark(attributes.get("style") ?? "");
}

/** Some editors write emphasis as styles. */
function styledMark(style: string): Mark | null {
  if (/font-weight:\s*(bold|[6-9]00)/i.test(style)) return strong;
  if (/font-style:\s*italic/i.test(style)) return emphasis;
  return /text-decoration:\s*line-through/i.test(style) ? struck : null;
}

const longestTitle = 500;
const longestURL = 2000;
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** Null if our site would not link there. */
export function linkTo(given: string, title: string, how: HowToWrite): Mark | null {
  const url = safeURL(given, "link", how);
  if (url === null) return null;
  const shown = oneLine(title);
  const quoted = shown !== "" && shown.length <= longestTitle ? ` "${escapeText(shown).replaceAll('"', '\\"')}"` : "";
  return { name: "a", open: "[", close: `](${target(url)}${quoted})` };
}

function safeURL(given: string, use: "picture" | "link", { rewrite }: HowToWrite): string | null {
  const trimmed = given.trim();
  if (trimmed === "" || trimmed.length > longestURL) return null;
  const url = rewrite(trimmed, use);
  // Browsers ignore control characters in a scheme.
  // oxlint-disable-next-line no-control-regex
  const scheme = /^[^/?#]*?:/.exec(url.replace(/[\u0000-\u0020]/g, ""))?.[0].toLowerCase();
  const allowed = use === "link" ? ["http:", "https:", "mailto:", "import:"] : ["http:", "https:", "import:"];
  return scheme === undefined || allowed.includes(scheme) ? url : null;
}

/** "" if our site would not show it. */
export function writePicture(given: string, text: string, how: HowToWrite): string {
  const url = safeURL(given, "picture", how);
  return url === null ? "" : `![${escapeText(oneLine(text))}](${target(url)})`;
}

export function writeInline(writer: InlineWriter, branch: Branch, how: HowToWrite): void {
  const { tag, attributes, children } = branch;
  if (isStripped(branch)) return;
  if (tag === "br") return writer.lineBreak();
  if (tag === "img") return writeImage(writer, attributes, how);
  if (tag === "input") return writeCheckbox(writer, attributes);
  if (tag === "code" || tag === "tt") return writeCode(writer, branch);
  const note = tag === "a" || tag === "sup" ? noteIn(branch, how) : null;
  if (note !== null) return writer.markdown(`[^${note}]`);
  // A block within a line, such as a paragraph in a heading, is a part of it.
  if (isBlock(branch)) writer.space();
  const mark = markOf(branch, how);
  const isOpen = mark !== null && writer.open(mark);
  for (const child of children) {
    if (typeof child === "string") writer.text(child);
    else writeInline(writer, child, how);
  }
  if (isOpen) writer.close(mark);
  if (isBlock(branch)) writer.space();
}

/** The sign of a note is a link, mostly one in an element that raises it. */
function noteIn(branch: Branch, how: HowToWrite): number | null {
  if (branch.tag === "a") return how.noteOf(branch);
  const inner = branch.children.filter((child) => typeof child !== "string" || child.trim() !== "");
  const [only] = inner;
  return inner.length === 1 && typeof only === "object" && only.tag === "a" ? how.noteOf(only) : null;
}

function writeImage(writer: InlineWriter, attributes: Map<string, string>, how: HowToWrite): void {
  const isPixel = Number(attributes.get("width") ?? 9) <= 1 && Number(attributes.get("height") ?? 9) <= 1;
  // A page that loads its pictures later has something else in `src`.
  const later = attributes.get("data-src") ?? attributes.get("data-lazy-src");
  const set = /^\s*(\S+)/.exec(attributes.get("srcset") ?? "")?.[1]?.replace(/,$/, "");
  const url = later ?? attributes.get("src") ?? set ?? "";
  const picture = isPixel ? "" : writePicture(url, attributes.get("alt") ?? "", how);
  if (picture !== "") writer.markdown(picture);
}

function writeCheckbox(writer: InlineWriter, attributes: Map<string, string>): void {
  if (attributes.get("type")?.toLowerCase() !== "checkbox") return;
  writer.markdown(attributes.has("checked") ? "[x]" : "[ ]");
  writer.space();
}

function writeCode(writer: InlineWriter, branch: Branch): void {
  const text = plainText(branch);
  if (/^\s/.test(text)) writer.space();
  writer.code(text.trim());
  if (/\s$/.test(text)) writer.space();
}

function plainText({ tag, children }: Branch): string {
  if (tag === "br") return " ";
  return children
    .map((child) => (typeof child === "string" ? child : isStripped(child) ? "" : plainText(child)))
    .join("");
}
