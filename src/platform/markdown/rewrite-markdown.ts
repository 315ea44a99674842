import { htmlToMarkdown } from "./from-html.ts";
import { target } from "./write-inline.ts";

type Rewrite = (url: string, use: "picture" | "link") => string;

const fenceStart = /^[ \t>]{0,40}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4})?(`{3,}|~{3,})/;
const inlineCode = /((?<!`)(?:`[^`\n]{1,1000}`|``[^\n]{1,1000}?``)(?!`))/;

/** The text with its parts changed that are no code. */
export function changeText(markdown: string, change: (text: string) => string): string {
  return splitFences(markdown)
    .map(({ text, isCode }) => (isCode ? text : changeLines(text, change)))
    .join("\n");
}

/** Blocks of code, and what stands between them. */
export function splitFences(markdown: string): { text: string; isCode: boolean }[] {
  const parts: { lines: string[]; isCode: boolean }[] = [];
  let fence: string | null = null;
  for (const line of markdown.split("\n")) {
    const signs = fenceStart.exec(line)?.[1] ?? null;
    const isEnd: boolean = fence !== null && signs !== null && signs[0] === fence[0] && signs.length >= fence.length;
    const isCode = fence !== null || signs !== null;
    const last = parts.at(-1);
    if (last?.isCode === isCode && !(isCode && fence === null)) last.lines.push(line);
    else parts.push({ lines: [line], isCode });
    if (fence === null) fence = signs;
    else if (isEnd) fence = null;
  }
  return parts.map(({ lines, isCode }) => ({ text: lines.join("\n"), isCode }));
}

const changeLines = (text: string, change: (text: string) => string): string =>
  text
    .split(inlineCode)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join("");

const url = String.raw`(?:<([^<>\n]{1,2000})>|([^\s()<>]{1,2000}(?:\([^\s()]{0,500}\)[^\s()]{0,500})?))`;
const title = String.raw`(?:[ \t]{1,20}(?:"[^"\n]{0,500}"|'[^'\n]{0,500}'))?`;
const targets = new RegExp(
  String.raw`(!\[(?:[^\]\\\n]|\\.){0,1000}\]|\])\([ \t]{0,20}${url}(${title})[ \t]{0,20}\)`,
  "g",
);
const definitions = /^ {0,3}\[([^\]\n^][^\]\n]{0,200})\]:[ \t]{1,20}<?([^\s<>]{1,2000})>?([^\n]{0,500})$/gm;
const usesOfDefinitions = /(!?\[((?:[^\]\\\n]|\\.){1,500})\])(?:\[([^\]\n]{0,200})\])?(?![(:[])/g;
/** Elements of HTML that our site would not show, or whose address is that of a file. */
const media = /<(?:img|video|audio|iframe|embed|picture|source)[\s/>]/i;
const startsWithHTML =
  /^ {0,3}<(?:figure|p|div|center|picture|video|audio|iframe|embed|a|img|span|section|aside|article|table)[\s/>]/i;
const pictureTag = /<img\s[^<>]{1,3000}>/gi;

/** The text with other addresses of its pictures and links, whether they are written as Markdown or as HTML. */
export function rewriteMarkdown(markdown: string, rewrite: Rewrite): string {
  const rewritten = changeText(convertMedia(markdown, rewrite), (text) =>
    text.replace(targets, (...found: string[]) => {
      const [whole = "", before = "", inBrackets, bare, after = ""] = found;
      const given = decoded(inBrackets ?? bare ?? "");
      const address = rewrite(given, before.startsWith("!") ? "picture" : "link");
      return address === given ? whole : `${before}(${target(address)}${after})`;
    }),
  );
  return rewriteDefinitions(rewritten, rewrite);
}

/** As the address is meant: in Markdown, signs in it may be escaped. */
const decoded = (address: string) => address.replace(/\\([()_*])/g, "$1");

/** HTML with a picture or a player: in it, Markdown would be no Markdown. */
function convertMedia(markdown: string, rewrite: Rewrite): string {
  if (!media.test(markdown)) return markdown;
  const convert = (block: string): string => {
    if (!media.test(block)) return block;
    if (startsWithHTML.test(block)) return htmlToMarkdown(block, { rewrite });
    return changeLines(block, (text) => text.replace(pictureTag, (tag) => htmlToMarkdown(tag, { rewrite })));
  };
  return splitFences(markdown)
    .map(({ text, isCode }) =>
      isCode
        ? text
        : text
            .split(/(\n[ \t]*\n)/)
            .map((block) => convert(block))
            .join(""),
    )
    .join("\n");
}

/** An address that stands elsewhere moves to where it is used, if it is another one now. */
function rewriteDefinitions(markdown: string, rewrite: Rewrite): string {
  const given = new Map<string, string>();
  for (const { text, isCode } of splitFences(markdown))
    if (!isCode) for (const [, name = "", address = ""] of text.matchAll(definitions)) given.set(keyOf(name), address);
  if (given.size === 0) return markdown;
  const isMoved = (name: string, use: "picture" | "link"): string | null => {
    const address = given.get(keyOf(name));
    const found = address === undefined ? undefined : rewrite(address, use);
    return found === undefined || found === address ? null : found;
  };
  return changeText(markdown, (text) =>
    text
      .replace(usesOfDefinitions, (whole, start: string, words: string, name: string | undefined) => {
        const found = isMoved(name || words, start.startsWith("!") ? "picture" : "link");
        return found === null ? whole : `${start}(${target(found)})`;
      })
      .replace(definitions, (whole, name: string) => (isMoved(name, "picture") === null ? whole : "")),
  );
}

const keyOf = (name: string) => name.toLowerCase().replace(/\s+/g, " ").trim();
