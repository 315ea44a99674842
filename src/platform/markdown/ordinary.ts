import MarkdownIt, { type RendererRule, type Token } from "markdown-it";
import { charge, withinBudget } from "./budget.ts";
import { markdown } from "./markdown.ts";
import {
  claimID,
  idPrefix,
  type OwnElement,
  printAttributes,
  printStart,
  type PrintState,
  startPage,
} from "./print-html.ts";
import { describeRendered, type Rendered } from "./rendered.ts";

/** A text that takes this much is rendered in less than 5 ms (`npm run bench -- --markdown`). */
const maxUnits = 70_000;
const costs = { character: 2, attributeCharacter: 8, heading: 100 };

/**
 * The tokens that are printed as they are, with the attributes that they may have. What they become is well-formed, so a parser
 * of HTML has nothing to correct in it, and it contains nothing that the sanitizer removes.
 */
const attributesOf = new Map<string, readonly string[]>([
  ...[
    "paragraph",
    "blockquote",
    "bullet_list",
    "list_item",
    "table",
    "thead",
    "tbody",
    "tr",
    "em",
    "strong",
    "s",
  ].flatMap((name): [string, string[]][] => [
    [`${name}_open`, []],
    [`${name}_close`, []],
  ]),
  ...["hr", "inline", "text", "softbreak", "hardbreak", "code_inline", "code_block", "fence"].map(
    (type): [string, string[]] => [type, []],
  ),
  ["heading_open", ["id"]],
  ["heading_close", []],
  ["ordered_list_open", ["start"]],
  ["ordered_list_close", []],
  ["th_open", ["align"]],
  ["th_close", []],
  ["td_open", ["align"]],
  ["td_close", []],
  ["link_open", ["href", "title"]],
  ["link_close", []],
  ["image", ["src", "alt", "title"]],
]);

/** A path, or an address with a scheme that the sanitizer keeps. */
const addresses = {
  href: /^(?:https?:|mailto:|[^:]*$|[^:/?#]*[/?#])/,
  src: /^(?:https?:|[^:]*$|[^:/?#]*[/?#])/,
};

/** Null if the text contains what only the sanitizer can make safe, or takes too much work to be rendered while others wait. */
export function renderOrdinary(text: string): Rendered | null {
  const html = withinBudget(maxUnits, () => printOrdinary(text));
  return html === null ? null : describeRendered(text, html);
}

/** Safe HTML, the same that the sanitizer would make of the text. Null if it has to do that. */
function printOrdinary(text: string): string | null {
  charge(costs.character * text.length);
  const tokens = markdown.parse(text, {});
  if (!isOrdinary(tokens)) return null;
  const page = startPage();
  for (const token of tokens) if (token.type === "heading_open") completeID(token, page);
  const html = printer.render(tokens, markdown.options, page);
  // A parser of HTML changes these characters, which entities and encoded addresses can make.
  // oxlint-disable-next-line no-control-regex
  return /[\0\r]/.test(html) ? null : html;
}

function isOrdinary(tokens: Token[]): boolean {
  let links = 0;
  for (const token of tokens) {
    // `[<https://a.org>](/b)` is a link in a link, which HTML does not allow.
    if (token.type === "link_open" && ++links > 1) return false;
    if (token.type === "link_close") links--;
    if (token.type === "heading_open") charge(costs.heading);
    if (!isAllowed(token) || !isOrdinary(token.type === "inline" ? (token.children ?? []) : [])) return false;
  }
  return true;
}

function isAllowed({ type, attrs, info, meta }: Token): boolean {
  if (type === "html_block" || type === "html_inline") return meta !== null;
  const names = attributesOf.get(type);
  if (!names || (type === "fence" && info.trim() !== "")) return false;
  return attrs === null || attrs.every(([name, value]) => names.includes(name) && isAllowedValue(name, String(value)));
}

function isAllowedValue(name: string, value: string): boolean {
  // One definition may be used by many links.
  charge(costs.attributeCharacter * value.length);
  return name === "href" || name === "src" ? addresses[name].test(value) : true;
}

function completeID(heading: Token, page: PrintState): void {
  const id = `${idPrefix}${heading.attrGet("id")}`;
  heading.attrs = claimID(id, page) ? [["id", id]] : null;
}

/** Prints as Markdown is printed otherwise, but texts and attributes as the sanitizer prints them. */
const printer = new MarkdownIt.Renderer();

printer.renderAttrs = (token) => {
  const { tag, attrs } = token as Token;
  return attrs && attrs.length > 0 ? printAttributes(tag, Object.fromEntries(attrs)) : "";
};

const printOwnElement: RendererRule = (tokens, index, _options, page) => {
  const { meta, block } = tokens[index] as Token;
  const { tagName, properties } = meta as OwnElement;
  return printStart(tagName, properties, page as PrintState) + (block ? "\n" : "");
};

Object.assign(printer.rules, {
  text: (tokens, index) => Bun.escapeHTML(contentOf(tokens, index)),
  code_inline: (tokens, index) => `<code>${Bun.escapeHTML(contentOf(tokens, index))}</code>`,
  code_block: printCode,
  fence: printCode,
  html_inline: printOwnElement,
  html_block: printOwnElement,
} satisfies Record<string, RendererRule>);

function printCode(tokens: Token[], index: number): string {
  return `<pre><code>${Bun.escapeHTML(contentOf(tokens, index))}</code></pre>\n`;
}

const contentOf = (tokens: Token[], index: number) => tokens[index]?.content ?? "";
