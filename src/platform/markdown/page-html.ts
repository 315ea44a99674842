/** A heading of the content. `html` is its text, escaped. */
export type Heading = { level: 2 | 3; id: string; html: string };

/** The texts of a page that depend on its language. */
type PageTexts = { linkTo: string; taskDone: string; taskOpen: string; pictureOn(host: string): string };

/** How many headings a table of contents has at most. */
const maxHeadings = 200;
const longestHeading = 300;
/** How many places of a page depend on its language or its origin at most: filling them in is work for each request. */
const maxMarks = 1000;

/**
 * The HTML of a post, as the renderer of Markdown has made it, for a page whose only `h1` is the title of the post. In that
 * HTML, `<` begins a tag and nothing else, and values of attributes contain no `>`. What depends on the language or the
 * origin is a comment, for `fillMarks`.
 */
export function toPageHTML(html: string): { page: string; headings: Heading[] } {
  const marks = { left: maxMarks };
  const shifted = shiftHeadings(markForeignPictures(html, marks));
  return { page: improve(addAnchors(shifted, marks), marks), headings: listHeadings(shifted) };
}

type Marks = { left: number };

/** An origin that no site has. */
const ownOrigin = "http://own.invalid";

/** Whether a picture belongs to another site is decided for each page: one of this site may have its full URL. */
function markForeignPictures(html: string, marks: Marks): string {
  let isInLink = false;
  return html.replace(/<a(?: [^>]*)?>|<\/a>|<img [^>]*>/g, (tag) => {
    if (!tag.startsWith("<img")) {
      isInLink = tag !== "</a>";
      return tag;
    }
    const url = URL.parse(decodeAttribute(attributeOf(tag, "src")), ownOrigin);
    if (!url || url.origin === ownOrigin) return tag;
    return marks.left-- > 0
      ? `<!--${isInLink ? "linked" : "picture"} ${tag.slice(1, -1)}-->`
      : linkPicture(tag, url.host, isInLink);
  });
}

/** A picture of another site becomes a link to it: the page would tell that site about each of its readers. */
function linkPicture(tag: string, name: string, isInLink: boolean): string {
  const alt = attributeOf(tag, "alt");
  const text = `${alt}${alt === "" ? "" : " · "}${name}`;
  return isInLink ? text : `<a href="${attributeOf(tag, "src")}" rel="nofollow noopener">${text}</a>`;
}

const attributes = { src: / src="([^"]*)"/, alt: / alt="([^"]*)"/ };

/** As it is written in the tag. */
const attributeOf = (tag: string, name: keyof typeof attributes): string => attributes[name].exec(tag)?.[1] ?? "";

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

export const decodeAttribute = (value: string): string =>
  value.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => entities[name] ?? "");

/** The most important headings of the content become `h2`. */
function shiftHeadings(html: string): string {
  let highest = 7;
  for (const [, level] of html.matchAll(/<h([1-6])/g)) highest = Math.min(highest, Number(level));
  if (highest === 2 || highest === 7) return html;
  return html.replace(/<(\/?)h([1-6])/g, (_, slash: string, level: string) => {
    return `<${slash}h${Math.min(6, Number(level) + 2 - highest)}`;
  });
}

const headingPattern = /<h([2-6])((?: [a-z]+="[^"]*")*?) id="([^"]*)"([^>]*)>(.*?)<\/h\1>/gs;

function listHeadings(html: string): Heading[] {
  const headings: Heading[] = [];
  for (const [, level, , id = "", , inner = ""] of html.matchAll(headingPattern)) {
    if (level !== "2" && level !== "3") continue;
    const text = inner.replace(/<sup class="footnote-ref"><a [^<>]*>[^<]*<\/a><\/sup>|<[^<>]*>/g, "").trim();
    if (text !== "") headings.push({ level: level === "2" ? 2 : 3, id, html: shorten(text) });
    if (headings.length === maxHeadings) break;
  }
  return headings;
}

/** An entity is not cut in two. */
const shorten = (text: string): string =>
  text.length <= longestHeading
    ? text
    : `${text
        .slice(0, longestHeading)
        .replace(/&[^;]*$/, "")
        .toWellFormed()}…`;

function addAnchors(html: string, marks: Marks): string {
  return html.replace(headingPattern, (heading, level: string, _before, id: string) => {
    if (marks.left-- <= 0) return heading;
    const anchor = `<a class="anchor" href="#${id}" aria-label="<!--linkTo-->">#</a>`;
    const end = `</h${level}>`;
    return heading.slice(0, -end.length) + anchor + end;
  });
}

/** What the keyboard, screen readers and narrow screens need. */
function improve(html: string, marks: Marks): string {
  return html
    .replaceAll("<pre>", `<pre tabindex="0">`)
    .replace(/<table[^>]*>/g, (table) => `<div class="scroll" tabindex="0">${table}`)
    .replaceAll("</table>", "</table></div>")
    .replace(/(<t[dh](?: [a-z]+="[^"]*")*?) align="([a-z]+)"/g, `$1 class="align-$2"`)
    .replace(/<input type="checkbox" disabled=""( checked="")?>/g, (_, checked: string | undefined) => {
      const label = marks.left-- > 0 ? ` aria-label="<!--${checked ? "taskDone" : "taskOpen"}-->"` : "";
      return `<input type="checkbox" disabled${checked ? " checked" : ""}${label}>`;
    });
}

const marksPattern = /<!--(linkTo|taskDone|taskOpen|(picture|linked) ([^>]*))-->/g;

/** The page in a language, for readers who know the site by this origin. */
export function fillMarks(page: string, origin: string, texts: PageTexts): string {
  if (!page.includes("<!--")) return page;
  return page.replace(marksPattern, (_, name: string, form: string | undefined, inner: string | undefined) => {
    if (inner === undefined) return texts[name as "linkTo" | "taskDone" | "taskOpen"];
    const tag = `<${inner}>`;
    const url = URL.parse(decodeAttribute(attributeOf(tag, "src")), origin || ownOrigin);
    if (!url || url.origin === origin) return tag;
    return linkPicture(tag, texts.pictureOn(url.host), form === "linked");
  });
}
