import type { MarkdownIt, Token } from "markdown-it";
import { embedTag, type OwnElement } from "./print-html.ts";

/** `![[photo:12]]`: a record, by its kind and its id. */
const reference = /!\[\[([a-z]{1,20}:[1-9]\d{0,15})\]\]/y;

/** A reference in a line of its own becomes a block; one in a text becomes a part of the text. */
export function addEmbeds(markdown: MarkdownIt): void {
  markdown.block.ruler.before(
    "html_block",
    "embed",
    (state, line, _last, silent) => {
      const indent = (state.sCount[line] ?? 0) - state.blkIndent;
      const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
      const found = indent < 4 ? match(state.src, start) : null;
      if (!found || state.src.slice(start + found.length, state.eMarks[line]).trim() !== "") return false;
      if (silent) return true;
      const token = embed(state.push("html_block", "", 0), { form: "block", record: found.record });
      token.content += "\n";
      token.map = [line, line + 1];
      state.line = line + 1;
      return true;
    },
    { alt: ["paragraph", "reference", "blockquote", "list"] },
  );

  markdown.inline.ruler.before("image", "embed", (state, silent) => {
    const found = match(state.src, state.pos);
    if (!found) return false;
    if (!silent) embed(state.push("html_inline", "", 0), { form: "inline", record: found.record });
    state.pos += found.length;
    return true;
  });
}

function embed(token: Token, properties: { form: "block" | "inline"; record: string }): Token {
  token.content = `<${embedTag} form="${properties.form}" record="${properties.record}"></${embedTag}>`;
  token.meta = { tagName: embedTag, properties } satisfies OwnElement;
  return token;
}

function match(text: string, start: number): { record: string; length: number } | null {
  reference.lastIndex = start;
  const found = reference.exec(text);
  return found?.[1] ? { record: found[1], length: found[0].length } : null;
}
