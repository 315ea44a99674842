import { type Branch, isBlock, readTree } from "../../src/platform/markdown/html-tree.ts";

/** HTML as plain text, as comments and descriptions have it: its own lines count, and addresses of links stand behind their words. */
export function plainTextFrom(html: string): string {
  const parts: string[] = [];
  write(readTree(html.replace(/(?:<br\b[^<>]*>)?\r?\n/gi, "<br>")), parts);
  return parts
    .join("")
    .replace(/(?<![ \t])[ \t]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function write({ children }: Branch, parts: string[]): void {
  for (const child of children) {
    if (typeof child === "string") parts.push(child);
    else if (child.tag === "br") parts.push("\n");
    else if (child.tag !== "script" && child.tag !== "style") writeElement(child, parts);
  }
}

function writeElement(branch: Branch, parts: string[]): void {
  const inner: string[] = [];
  write(branch, inner);
  const text = inner.join("");
  const href = branch.tag === "a" ? (branch.attributes.get("href")?.trim() ?? "") : "";
  const isShown = !/^https?:\/\//.test(href) || text.includes(href.replace(/\/$/, ""));
  parts.push(isShown ? text : `${text} (${href})`);
  if (isBlock(branch)) parts.push("\n\n");
}
