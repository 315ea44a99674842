import type { MentionKind } from "../../content/comments/comment.ts";
import type { Mention } from "../../content/comments/mentions.ts";
import { type Branch, hasClass, isBlock, readTree, textIn } from "../../platform/markdown/html-tree.ts";
import { shorten } from "../../platform/text.ts";
import { baseOf, isSamePage } from "./page-links.ts";

const maxContent = 2000;
const maxAuthor = 80;
const maxPaths = 50;
/** As many as a page of 512 KB has if each takes 100 bytes. Pages with more links are made of nothing else. */
const maxLinks = 5000;

/** By the class of the link, or of what it stands in (microformats). */
const kinds: [string, MentionKind][] = [
  ["u-in-reply-to", "reply"],
  ["u-like-of", "like"],
  ["u-repost-of", "repost"],
];

/** What a page says about the target, as plain text; null if it does not link to it. */
export function readMention(html: string, page: URL, target: URL): Mention | null {
  const tree = readTree(html);
  const base = baseOf(tree, page);
  const paths: Branch[][] = [];
  let tried = 0;
  const isTarget = (href: string) => tried++ < maxLinks && isSamePage(URL.parse(href, base.href), target);
  collectPaths(tree, [], isTarget, paths);
  const path = paths.find((one) => kindOf(one) !== "mention") ?? paths[0];
  if (!path) return null;
  const entry = path.find((branch) => hasClass(branch, "h-entry"));
  const written = entry && (findProperty(entry, ["e-content", "p-content", "p-summary", "p-name"]) ?? null);
  const author = entry && findProperty(entry, ["p-author"]);
  const content = clean(written ? linesOf(written) : "", maxContent) || titleOf(html) || page.host;
  const name = author ? clean(textIn(findProperty(author, ["p-name"]) ?? author), maxAuthor).replaceAll("\n", " ") : "";
  return { kind: kindOf(path), author: name || null, content };
}

/** The links to the target, each with all elements in which it stands. */
function collectPaths(branch: Branch, above: Branch[], isTarget: (href: string) => boolean, found: Branch[][]): void {
  for (const child of branch.children) {
    if (typeof child === "string" || found.length >= maxPaths) continue;
    const href = child.tag === "base" ? undefined : (child.attributes.get("href") ?? child.attributes.get("src"));
    const path = [...above, child];
    if (href !== undefined && isTarget(href)) found.push(path);
    collectPaths(child, path, isTarget, found);
  }
}

const kindOf = (path: Branch[]): MentionKind =>
  kinds.find(([name]) => path.some((branch) => hasClass(branch, name)))?.[1] ?? "mention";

const isRoot = ({ attributes }: Branch) => /(^|\s)h-[a-z]/.test(attributes.get("class") ?? "");

/** The first of the properties that an element has. What stands in another element with properties belongs to that. */
function findProperty(branch: Branch, names: string[]): Branch | null {
  for (const name of names) {
    const found = findOne(branch, name);
    if (found) return found;
  }
  return null;
}

function findOne({ children }: Branch, name: string): Branch | null {
  for (const child of children) {
    if (typeof child === "string") continue;
    const found = hasClass(child, name) ? child : isRoot(child) ? null : findOne(child, name);
    if (found) return found;
  }
  return null;
}

function linesOf(branch: Branch): string {
  const parts = branch.children.map((child) => {
    if (typeof child === "string") return child.replace(/\s+/g, " ");
    if (child.tag === "br") return "\n";
    return isBlock(child) ? `\n\n${linesOf(child)}\n\n` : linesOf(child);
  });
  return parts.join("");
}

function titleOf(html: string): string {
  const title = /<title[^<>]{0,200}>([^<]{0,1000})/i.exec(html)?.[1] ?? "";
  return shorten(clean(textIn(readTree(title)), maxContent).replaceAll("\n", " "));
}

/** Without characters that change the direction of the text around them, or that nobody sees. */
function clean(text: string, most: number): string {
  const lines = text
    .slice(0, most * 10)
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "")
    .split("\n")
    .map((line) => line.trim());
  const whole = lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return whole.length <= most ? whole.toWellFormed() : `${whole.slice(0, most).toWellFormed()}…`;
}
