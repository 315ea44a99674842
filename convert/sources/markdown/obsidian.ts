import { changeText, splitFences } from "../../../src/platform/markdown/rewrite-markdown.ts";
import { slugOf } from "../../../src/platform/slug.ts";
import type { Context } from "./context.ts";

const comments = /%%[^%]{0,20000}%%/g;
const embeds = /!\[\[([^[\]|\n]{1,500})(?:\|([^[\]\n]{0,500}))?\]\]/g;
const wikiLinks = /\[\[([^[\]|\n]{1,500})(?:\|([^[\]\n]{0,500}))?\]\]/g;
const highlights = /={2}(?=\S)([^=\n]{1,1000})={2}/g;
const blockNames = /[ \t]\^[\w-]{1,50}$/gm;
const inlineTags = /(?<=^|\s)#([\p{L}\p{N}_/-]{1,50})/gu;
const callouts = /^((?:[ \t]{0,3}>[ \t]{0,3}){1,8})\[!(\w{1,40})\][+-]?[ \t]{0,10}([^\n]{0,500})$/gm;

/** The text as Markdown of our site, and the tags that stand in it. */
export function changeNote(text: string, context: Context): { text: string; tags: string[] } {
  const tags = new Set<string>();
  const changed = changeText(withBreaks(withoutComments(text)), (part) =>
    part
      .replace(callouts, (_, signs: string, kind: string, title: string) => {
        const shown = title.trim() || kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase();
        return `${signs}**${shown}**\n${signs.trimEnd()}`;
      })
      .replace(embeds, (_, target: string, more: string | undefined) => embed(target.trim(), more ?? "", context))
      .replace(wikiLinks, (_, target: string, shown: string | undefined) =>
        link(target.trim(), shown?.trim() ?? "", context),
      )
      .replace(highlights, "<mark>$1</mark>")
      .replace(blockNames, "")
      .replace(inlineTags, (whole, tag: string) => {
        if (/\p{L}/u.test(tag)) tags.add(tag);
        return whole;
      }),
  );
  return { text: changed, tags: [...tags] };
}

/** Comments are for their author alone. */
const withoutComments = (text: string): string =>
  splitFences(text)
    .map((part) => (part.isCode ? part.text : part.text.replace(comments, "")))
    .join("\n");

/** A picture or file, with its width in place of a text; of another note, a link to it. */
function embed(target: string, more: string, context: Context): string {
  const [name = ""] = target.split("#", 1);
  const text = /^\d{1,5}(x\d{1,5})?$/.test(more) ? "" : more;
  const reference = /\.\w{2,5}$/.test(name) && !/\.md$/i.test(name) ? context.referTo(name, "picture") : null;
  if (reference) return `![${text.replace(/[[\]\\]/g, "\\$&")}](${reference})`;
  return link(target, text, context);
}

function link(target: string, shown: string, context: Context): string {
  const [name = "", heading = ""] = target.split("#", 2);
  const text = (shown || [name.split("/").at(-1), heading].filter(Boolean).join(" › ")).replace(/[[\]\\]/g, "\\$&");
  const anchor = heading === "" || heading.startsWith("^") ? "" : slugOf(heading);
  if (name === "") return anchor === "" ? text : `[${text}](#${anchor})`;
  const address = context.linkTo(name);
  if (address) return `[${text}](${address}${anchor === "" ? "" : `#post-${anchor}`})`;
  const file = context.referTo(name, "link");
  if (file) return `[${text}](${file})`;
  context.note(`"${name.slice(0, 100)}" is not in the vault: its link is a text now.`);
  return text;
}

/** What begins something of its own, and does not continue the line before. */
const begins =
  /^(?:$|[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]|#{1,6}[ \t]|\||<|\[\^|\$\$|={2,}[ \t]*$|-{2,}[ \t]*$|\*{3}| {4}|\t)/;
const cannotBreak = /^(?:$|#{1,6}[ \t]|\||<|\$\$|-{3}|\*{3}| {4}|\t|\[!|\[[^\]\n]{0,200}\]:)/;

/** In a vault, a line ends where it is written to end. */
function withBreaks(text: string): string {
  return splitFences(text)
    .map((part) => (part.isCode ? part.text : breakLines(part.text.split("\n")).join("\n")))
    .join("\n");
}

const breakLines = (lines: string[]): string[] =>
  lines.map((line, index) => {
    const [here, next] = [unquote(line), unquote(lines[index + 1] ?? "")];
    const isBroken =
      here.signs === next.signs &&
      !cannotBreak.test(here.text) &&
      !begins.test(next.text) &&
      !next.text.startsWith("[!");
    return isBroken && !/(?: {2}|\\)$/.test(line) ? `${line}\\` : line;
  });

/** The signs of quotes at the beginning of a line, and the rest. */
function unquote(line: string): { signs: number; text: string } {
  const signs = /^(?:[ \t]{0,3}>[ ]?){1,20}/.exec(line)?.[0] ?? "";
  return { signs: signs.split(">").length - 1, text: line.slice(signs.length) };
}
