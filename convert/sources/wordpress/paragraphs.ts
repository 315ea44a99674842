const blockTag =
  /^<\/?(?:address|area|article|aside|audio|blockquote|caption|center|col|colgroup|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hgroup|hr|iframe|legend|li|main|map|menu|nav|ol|p|pre|script|section|style|summary|table|tbody|td|textarea|tfoot|th|thead|tr|ul|video)\b/i;
const rawTag = /^<(pre|script|style|textarea)\b/i;

/**
 * Texts of the classic editor have blank lines between paragraphs, and single ones within them. WordPress makes the elements of
 * these when it shows a post: also within blocks, such as a list right below a line of text, but not within their tags.
 */
export function addParagraphs(content: string): string {
  const parts: string[] = [];
  const nextEnd = createFinder(content);
  let run = "";
  let position = 0;
  const addBlock = (block: string) => {
    parts.push(paragraphsOf(run), block);
    run = "";
  };
  for (;;) {
    const start = content.indexOf("<", position);
    if (start < 0) break;
    run += content.slice(position, start);
    const name = content.slice(start, start + 20);
    const closing = name.startsWith("<!--") ? "-->" : /^<\/?[a-z]/i.test(name) ? ">" : null;
    const endOfTag = closing === null ? -1 : nextEnd(closing, start);
    const endOfRaw = endOfTag < 0 ? -1 : endOfRawElement(name, endOfTag);
    position = endOfTag < 0 ? start + 1 : endOfRaw < 0 ? endOfTag : endOfRaw;
    const tag = content.slice(start, position);
    if (endOfTag >= 0 && blockTag.test(name)) addBlock(tag);
    else run += endOfTag < 0 ? tag : tag.replaceAll("\n", " ");
  }
  run += content.slice(position);
  return [...parts, paragraphsOf(run)].join("");

  /** Lines of code and the like stay as they are. */
  function endOfRawElement(name: string, from: number): number {
    const element = rawTag.exec(name)?.[1];
    return element === undefined ? -1 : nextEnd(`</${element}>`, from);
  }
}

/** Finds what comes next, and looks at each part of the text once for each thing to find. The end of it, or -1. */
export function createFinder(content: string): (what: string, from: number) => number {
  const found = new Map<string, number>();
  return (what, from) => {
    const known = found.get(what);
    if (known === undefined || (known >= 0 && known < from)) found.set(what, content.indexOf(what, from));
    const place = found.get(what) as number;
    return place < 0 ? -1 : place + what.length;
  };
}

const lineEnd = /(?:<br\s{0,5}\/?>)?[ \t]{0,50}\n[ \t]{0,50}/gi;

/** The text between two blocks. One paragraph alone needs no element. */
function paragraphsOf(text: string): string {
  const paragraphs = text
    .replace(/<br\s{0,5}\/?>\s{0,50}<br\s{0,5}\/?>/gi, "\n\n")
    .split(/\n[ \t]*\n\s*/)
    .map((paragraph) => paragraph.trim().replace(lineEnd, "<br>\n"))
    .filter((paragraph) => paragraph !== "");
  return paragraphs.length > 1 ? paragraphs.map((one) => `<p>${one}</p>`).join("\n\n") : (paragraphs[0] ?? "");
}
