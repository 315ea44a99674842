/** A gallery in a post: these attachments, or all of the post without some. */
export type Gallery = { ids: string[] } | { without: string[] };

type Body = {
  /** HTML with paragraphs. A gallery is a picture whose address is `gallery:` and its number in the post. */
  html: string;
  galleries: Gallery[];
};

const deepestBlocks = 5;
const mostGalleries = 100;
/** So many characters of shared blocks are taken into one post. */
const mostInlined = 200_000;

/** What WordPress has stored of a post as plain HTML. `findBlock` returns the content of a block that many posts share. */
export function readBody(content: string, findBlock: (id: string) => string | undefined): Body {
  const galleries: Gallery[] = [];
  const addGallery = (gallery: Gallery): string => {
    if (galleries.length >= mostGalleries) return "";
    galleries.push(gallery);
    return `\n\n<p><img src="gallery:${galleries.length}" alt=""></p>\n\n`;
  };
  const left = { characters: mostInlined };
  const inline = (id: string): string => {
    const block = findBlock(id) ?? "";
    if (block.length > left.characters) return "";
    left.characters -= block.length + 100;
    return block;
  };
  const whole = inlineBlocks(content.replaceAll("\r\n", "\n"), inline, 0);
  const plain = readBlocks(whole, addGallery).replace(addressAlone, (_, url: string) =>
    anchor(url.replaceAll("&amp;", "&")),
  );
  const paragraphs = plain.includes("<!-- wp:") ? addParagraphsBetween(plain) : addParagraphs(plain);
  return { html: readShortcodes(paragraphs, addGallery), galleries };
}

/** WordPress shows what lies at the address; a link leads there. Our site makes one of those without these signs. */
const addressAlone = /^[ \t]{0,20}(https?:\/\/(?=[^\s<>"']{0,2000}[_*~])[^\s<>"']{1,2000})[ \t]{0,20}$/gim;

const blockMark = /<!-- (\/?)wp:([a-z][a-z\d_/-]{0,100})/g;

/** Blocks are HTML; what stands outside of them, and in the block of the classic editor, has blank lines instead. */
function addParagraphsBetween(content: string): string {
  const parts: string[] = [];
  const open: string[] = [];
  const nextEnd = createFinder(content);
  let position = 0;
  const addText = (end: number) => {
    const text = content.slice(position, end);
    const isClassic = open.length === 0 || open.at(-1) === "freeform";
    parts.push(isClassic && text.trim() !== "" ? addParagraphs(text) : text);
  };
  for (const match of content.matchAll(blockMark)) {
    const end = nextEnd("-->", match.index);
    if (match.index < position || end < 0) continue;
    addText(match.index);
    position = end;
    if (match[1] === "/") open.pop();
    else if (content[end - 4] !== "/") open.push(match[2] ?? "");
  }
  addText(content.length);
  return parts.join("");
}

const sharedBlock = /<!-- wp:block \{"ref":(\d{1,15})[^}]{0,1000}\} \/-->/g;

function inlineBlocks(content: string, inline: (id: string) => string, depth: number): string {
  if (depth === deepestBlocks || !content.includes("<!-- wp:block ")) return content;
  return content.replace(sharedBlock, (_, id: string) => inlineBlocks(inline(id), inline, depth + 1));
}

/** Galleries of blocks become one mark each. All other blocks are HTML between comments, which mean nothing. */
function readBlocks(content: string, addGallery: (gallery: Gallery) => string): string {
  const parts: string[] = [];
  let position = 0;
  for (;;) {
    const start = content.indexOf("<!-- wp:gallery", position);
    if (start < 0) break;
    const endOfOpening = content.indexOf("-->", start);
    const closing = content.indexOf("<!-- /wp:gallery -->", start);
    if (endOfOpening < 0 || closing < 0) break;
    const inner = content.slice(endOfOpening + 3, closing);
    parts.push(content.slice(position, start));
    parts.push(addGallery({ ids: idsOfGallery(content.slice(start, endOfOpening), inner) }) + captionOf(inner));
    position = closing + "<!-- /wp:gallery -->".length;
  }
  parts.push(content.slice(position));
  return parts
    .join("")
    .replace(downloadButton, "")
    .replace(coverOfBlock, (tag, url: string) => `${tag}<p><img src="${Bun.escapeHTML(url)}" alt=""></p>`)
    .replace(/<!--nextpage-->/g, "<hr>")
    .replace(/<!--more[^>]{0,200}-->/g, "");
}

/** Beside a link to the same file. */
const downloadButton = /<a\b[^<>]{0,2000}\bwp-block-file__button\b[^<>]{0,2000}>[^<]{0,200}<\/a>/g;

/** Older blocks have their picture in a style. */
const coverOfBlock =
  /<(?:div|section)\b(?=[^<>]{0,2000}\bwp-block-cover)[^<>]{0,2000}\bbackground-image:\s{0,5}url\(['"]?(https?:\/\/[^\s'"()<>]{1,2000})['"]?\)[^<>]{0,2000}>/g;

/** Older blocks list the ids; newer ones have a block for each picture. */
function idsOfGallery(opening: string, inner: string): string[] {
  const listed = /"ids":\[([\d",\s]{0,20000})\]/.exec(opening)?.[1];
  const ids = [...inner.matchAll(/<!-- wp:image \{[^>]{0,2000}?"id":(\d{1,15})/g)].map(([, id = ""]) => id);
  if (ids.length > 0) return ids;
  if (listed) return listed.match(/\d+/g) ?? [];
  return [...inner.matchAll(/\bwp-image-(\d{1,15})|data-id="(\d{1,15})"/g)].map(([, one, other]) => one ?? other ?? "");
}

function captionOf(inner: string): string {
  const captions = [...inner.matchAll(/<figcaption class="blocks-gallery-caption[^>]{0,200}>([^<]{0,2000})/g)];
  return captions.map(([, caption]) => `<p><em>${caption}</em></p>`).join("");
}

const longestEnclosed = 5000;
const shortcode = /(\[?)\[(gallery|playlist|caption|wp_caption|embed|video|audio)\b([^\][]{0,4000})\](\]?)/g;

/** What WordPress itself makes of its marks in square brackets. Those of plug-ins stay as they are. */
function readShortcodes(html: string, addGallery: (gallery: Gallery) => string): string {
  const parts: string[] = [];
  const nextEnd = createFinder(html);
  let position = 0;
  for (const match of html.matchAll(shortcode)) {
    const [whole, before, name = "", attributes = "", after] = match;
    if (match.index < position) continue;
    // Two brackets stand for one that is shown.
    if (before === "[" && after === "]") continue;
    const start = match.index + (before?.length ?? 0);
    const end = match.index + whole.length - (after?.length ?? 0);
    const closing = `[/${name}]`;
    const hasContent = name !== "gallery" && name !== "playlist";
    const close = hasContent ? nextEnd(closing, end) : -1;
    const inner = close >= 0 && close - end < longestEnclosed ? html.slice(end, close - closing.length) : null;
    const isEnclosing = inner !== null && !inner.includes(`[${name}`);
    parts.push(html.slice(position, start), write(name, attributes, isEnclosing ? inner : ""));
    position = isEnclosing ? close : end;
  }
  parts.push(html.slice(position));
  return parts.join("").replace(/\[(\[(?:gallery|caption|embed|video|audio)\b[^\][]{0,4000}\])\]/g, "$1");

  function write(name: string, text: string, inner: string): string {
    const attributes = readAttributes(text);
    const idsIn = (key: string) => attributes.get(key)?.match(/\d{1,15}/g) ?? [];
    if (name === "gallery") {
      const ids = [...idsIn("ids"), ...idsIn("include")];
      return addGallery(ids.length > 0 ? { ids } : { without: idsIn("exclude") });
    }
    if (name === "caption" || name === "wp_caption") return caption(inner, attributes.get("caption") ?? "");
    if (name === "embed") return link(withoutTags(inner) || (attributes.get("src") ?? ""));
    const named = ["src", "mp4", "m4v", "webm", "ogv", "mp3", "m4a", "ogg", "wav"].map((key) => attributes.get(key));
    const bare = /^\s{0,5}=?["']?(https?:\/\/[^\s"'|]{1,2000})/.exec(text)?.[1];
    const url = named.find((one) => one !== undefined) ?? bare ?? withoutTags(inner);
    return name === "playlist" || url === "" ? "" : media(name === "video" ? "video" : "audio", url);
  }
}

function caption(inner: string, given: string): string {
  const picture = /^\s*((?:<a\b[^>]{0,4000}>\s*)?<img\b[^>]{0,8000}>(?:\s*<\/a>)?)/i.exec(inner)?.[1] ?? "";
  const text = given || inner.slice(inner.indexOf(picture) + picture.length);
  return `\n\n<figure>${picture}<figcaption>${text.trim()}</figcaption></figure>\n\n`;
}

const withoutTags = (html: string) => html.replace(/<[^<>]{0,2000}>/g, "").trim();
const anchor = (url: string) => `<a href="${Bun.escapeHTML(url)}">${Bun.escapeHTML(url)}</a>`;
const link = (url: string) => (/^https?:\/\//.test(url) ? `<p>${anchor(url)}</p>` : "");
const media = (tag: "audio" | "video", url: string) => `\n\n<${tag} src="${Bun.escapeHTML(url)}"></${tag}>\n\n`;

function readAttributes(text: string): Map<string, string> {
  const found = text.matchAll(/([\w-]{1,50})\s{0,5}=\s{0,5}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s"']{1,2000}))/g);
  return new Map([...found].map(([, key = "", one, other, bare]) => [key.toLowerCase(), one ?? other ?? bare ?? ""]));
}

const blockTag =
  /^<\/?(?:address|area|article|aside|audio|blockquote|caption|center|col|colgroup|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hgroup|hr|iframe|legend|li|main|map|menu|nav|ol|p|pre|script|section|style|summary|table|tbody|td|textarea|tfoot|th|thead|tr|ul|video)\b/i;
const rawTag = /^<(pre|script|style|textarea)\b/i;

/**
 * Texts of the classic editor have blank lines between paragraphs, and single ones within them. WordPress makes the elements of
 * these when it shows a post: also within blocks, such as a list right below a line of text, but not within their tags.
 */
function addParagraphs(content: string): string {
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
function createFinder(content: string): (what: string, from: number) => number {
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
