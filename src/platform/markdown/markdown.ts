import MarkdownIt, { type Token } from "markdown-it";
import footnotes from "markdown-it-footnote";
import { slugOf } from "../slug.ts";
import { addBudget } from "./budget.ts";
import { addEmbeds } from "./embeds.ts";
import type { OwnElement } from "./print-html.ts";

/** CommonMark with the extensions of GitHub: tables, strikethrough, task lists, automatic links and footnotes. */
export const markdown = new MarkdownIt({ html: true, linkify: true }).use(footnotes).use(addEmbeds).use(addBudget);
const restOfHost = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[/?#][^\s<>"]*[^\s<>"'.,:;!?)])?/uy;

// Of the addresses without `https:`, only those that begin with `www.`: `readme.md` is no address.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: true }).add("www.", {
  validate(text, position) {
    restOfHost.lastIndex = position;
    return restOfHost.exec(text)?.[0].length ?? 0;
  },
  normalize(match) {
    match.url = `https://${match.url}`;
  },
});

markdown.core.ruler.push("vitrine", ({ tokens }) => {
  const ids = new Map<string, number>();
  tokens.forEach((token, index) => {
    if (token.type === "heading_open") token.attrSet("id", headingID(tokens[index + 1], ids));
    if (token.type === "inline" && tokens[index - 2]?.type === "list_item_open") addCheckbox(token);
    if (token.type === "th_open" || token.type === "td_open") useAlignAttribute(token);
  });
});

/** Made from the text of the heading; a number is added to the second one with the same text. */
function headingID(inline: Token | undefined, ids: Map<string, number>): string {
  const parts = (inline?.children ?? []).filter(({ type }) => type === "text" || type === "code_inline");
  const slug = slugOf(parts.map(({ content }) => content).join("")) || "section";
  const earlier = ids.get(slug) ?? 0;
  ids.set(slug, earlier + 1);
  return earlier === 0 ? slug : `${slug}-${earlier + 1}`;
}

function addCheckbox({ children }: Token): void {
  const first = children?.[0];
  const mark = first?.type === "text" ? /^\[([ xX])\]\s/.exec(first.content) : null;
  if (!children || !first || !mark) return;
  const isChecked = mark[1] !== " ";
  const checkbox = new MarkdownIt.Token("html_inline", "", 0);
  checkbox.content = `<input type="checkbox" disabled${isChecked ? " checked" : ""}>`;
  const properties = { type: "checkbox", disabled: true, checked: isChecked };
  checkbox.meta = { tagName: "input", properties } satisfies OwnElement;
  children.unshift(checkbox);
  first.content = ` ${first.content.slice(mark[0].length)}`;
}

/** The alignment of a column is a style otherwise, and styles are removed. */
function useAlignAttribute(cell: Token): void {
  const align = /^text-align:(left|center|right)$/.exec(String(cell.attrGet("style")))?.[1];
  cell.attrs = align ? [["align", align]] : [];
}
