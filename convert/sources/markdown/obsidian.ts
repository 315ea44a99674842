import { changeText, splitFences } from "../../../src/platform/markdown/rewrite-markdown.ts";
import { slugOf } from "../../../src/platform/slug.ts";
import type { Context } from "./context.ts";

const comments = /%%[^%]{0,20000}%%/g;
/** In a table, the sign before the text is escaped: `[[a\|b]]`. */
const embeds = /!\[\[([^[\]|\n]{1,500}?)(?:\\?\|([^[\]\n]{0,500}))?\]\]/g;
const wikiLinks = /\[\[([^[\]|\n]{1,500}?)(?:\\?\|([^[\]\n]{0,500}))?\]\]/g;
/** A width stands behind the text of a picture. */
const widths = /(!\[[^\]\n|]{0,500}?)\\?\|\d{1,5}(?:x\d{1,5})?(?=\]\()/g;
const highlights = /={2}(?=\S)([^=\n]{1,1000})={2}/g;
const blockNames = /[ \t]\^[\w-]{1,50}$/gm;
const inlineTags = /(?<=^|\s)#([\p{L}\p{N}_/-]{1,50})/gu;
const callouts = /^((?:[ \t]{0,3}>[ \t]{0,3}){1,8})\[!(\w{1,40})\][+-]?[ \t]{0,10}([^\n]{0,500})$/gm;

/** The text as Markdown of our site, and the tags that stand in it. */
export function changeNote(text: string, context: Context): { text: string; tags: string[] } {
  const tags = new Set<string>();
  const changed = changeText(linksAroundCode(withBreaks(withoutComments(text)), context), (part) =>
    part
      .replace(widths, "$1")
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

/** Where code stands in a link, it is no end of the text. */
const linksAroundCode = (text: string, context: Context): string =>
  splitFences(text)
    .map((part) =>
      part.isCode
        ? part.text
        : part.text.replace(bracketed, (whole, inner: string) => {
            if (!/`[^`]+`/.test(inner)) return whole;
            const [target = "", ...shown] = inner.split(/\\?\|/);
            return link(target.trim(), shown.join("|").trim(), context);
          }),
    )
    .join("\n");

const bracketed = /(?<![!`])\[\[([^[\]\n]{1,1000})\]\]/g;

/** A picture or file, with its width in place of a text; of another note, a link to it. */
function embed(target: string, more: string, context: Context): string {
  const [name = ""] = target.split("#", 1);
  const parts = partsOf(more);
  if (/^\d{1,5}(x\d{1,5})?$/.test(parts.at(-1) ?? "")) parts.pop();
  const text = parts.join("|");
  const reference = /\.\w{2,5}$/.test(name) && !/\.md$/i.test(name) ? context.referTo(name, "picture") : null;
  if (reference) return `![${escapeText(text)}](${reference})`;
  return link(target, text, context);
}

const partsOf = (text: string): string[] => text.split(/\\?\|/).map((part) => part.trim());
const escapeText = (text: string): string => text.replace(/[[\]\\|]/g, "\\$&");

/** The names of the files to which a text has links, in small letters, without the folders above them. */
export function namesLinkedIn(text: string): string[] {
  const names = new Set<string>();
  changeText(text, (part) =>
    part.replace(wikiLinks, (whole, target: string) => {
      names.add((target.split("#", 1)[0]?.split("/").at(-1) ?? "").trim().toLowerCase().normalize("NFC"));
      return whole;
    }),
  );
  return [...names];
}

function link(target: string, shown: string, context: Context): string {
  const [name = "", heading = ""] = target.split("#", 2);
  const text = escapeText(partsOf(shown).join("|") || [name.split("/").at(-1), heading].filter(Boolean).join(" › "));
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

const underHeads = /^[ \t]{0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*$/;

/** The numbers of the lines that are rows of tables. */
function rowsIn(lines: string[]): Set<number> {
  const rows = new Set<number>();
  for (const [index, line] of lines.entries()) {
    const { signs, text } = unquote(line);
    const above = unquote(lines[index - 1] ?? "");
    const isBelowHead = underHeads.test(text) && above.signs === signs && above.text.includes("|");
    const isBelowRow = rows.has(index - 1) && above.signs === signs && text.trim() !== "";
    if (isBelowHead) rows.add(index - 1);
    if (isBelowHead || isBelowRow) rows.add(index);
  }
  return rows;
}

function breakLines(lines: string[]): string[] {
  const rows = rowsIn(lines);
  return lines.map((line, index) => {
    const [here, next] = [unquote(line), unquote(lines[index + 1] ?? "")];
    const isBroken =
      !rows.has(index) &&
      here.signs === next.signs &&
      !cannotBreak.test(here.text) &&
      !begins.test(next.text) &&
      !next.text.startsWith("[!");
    return isBroken && !/(?: {2}|\\)$/.test(line) ? `${line}\\` : line;
  });
}

/** The signs of quotes at the beginning of a line, and the rest. */
function unquote(line: string): { signs: number; text: string } {
  const signs = /^(?:[ \t]{0,3}>[ ]?){1,20}/.exec(line)?.[0] ?? "";
  return { signs: signs.split(">").length - 1, text: line.slice(signs.length) };
}
