import type { blogTexts } from "../texts/blog.ts";

/** A heading of the content. `html` is its text, escaped. */
export type Heading = { level: 2 | 3; id: string; html: string };
type Texts = (typeof blogTexts)["en"];
/** `origin` is that of the site. */
type Options = { t: Texts; origin: string };

/**
 * The HTML of a post, as the renderer of Markdown has made it, for a page whose only `h1` is the title of the post. In that
 * HTML, `<` begins a tag and nothing else, and values of attributes contain no `>`.
 */
export function prepareContent(html: string, { t, origin }: Options): { html: string; headings: Heading[] } {
  const shifted = shiftHeadings(linkForeignPictures(html, { t, origin }));
  return { html: improve(addAnchors(shifted, t), t), headings: listHeadings(shifted) };
}

/** A picture of another site becomes a link to it: the page would tell that site about each of its readers. */
function linkForeignPictures(html: string, { t, origin }: Options): string {
  let isInLink = false;
  return html.replace(/<a(?: [^>]*)?>|<\/a>|<img [^>]*>/g, (tag) => {
    if (!tag.startsWith("<img")) {
      isInLink = tag !== "</a>";
      return tag;
    }
    const url = URL.parse(decodeAttribute(attributeOf(tag, "src")), origin);
    if (!url || url.origin === origin) return tag;
    const alt = attributeOf(tag, "alt");
    const text = `${alt}${alt === "" ? "" : " · "}${t.pictureOn(url.host)}`;
    return isInLink ? text : `<a href="${attributeOf(tag, "src")}" rel="nofollow noopener">${text}</a>`;
  });
}

const attributes = { src: / src="([^"]*)"/, alt: / alt="([^"]*)"/ };

/** As it is written in the tag. */
const attributeOf = (tag: string, name: keyof typeof attributes): string => attributes[name].exec(tag)?.[1] ?? "";

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

const decodeAttribute = (value: string): string =>
  value.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => entities[name] ?? "");

/** The most important headings of the content become `h2`. */
function shiftHeadings(html: string): string {
  const highest = Math.min(...Array.from(html.matchAll(/<h([1-6])/g), ([, level]) => Number(level)));
  if (highest === 2 || !Number.isFinite(highest)) return html;
  return html.replace(/<(\/?)h([1-6])/g, (_, slash: string, level: string) => {
    return `<${slash}h${Math.min(6, Number(level) + 2 - highest)}`;
  });
}

const headingPattern = /<h([2-6])((?: [a-z]+="[^"]*")*?) id="([^"]*)"([^>]*)>(.*?)<\/h\1>/gs;

function listHeadings(html: string): Heading[] {
  return [...html.matchAll(headingPattern)].flatMap(([, level, , id = "", , inner = ""]) => {
    const text = inner.replace(/<sup class="footnote-ref"><a [^<>]*>[^<]*<\/a><\/sup>|<[^<>]*>/g, "").trim();
    return (level === "2" || level === "3") && text !== "" ? [{ level: level === "2" ? 2 : 3, id, html: text }] : [];
  });
}

function addAnchors(html: string, { linkTo }: Texts): string {
  return html.replace(headingPattern, (heading, level: string, _before, id: string) => {
    const anchor = `<a class="anchor" href="#${id}" aria-label="${linkTo}">#</a>`;
    const end = `</h${level}>`;
    return heading.slice(0, -end.length) + anchor + end;
  });
}

/** What the keyboard, screen readers and narrow screens need. */
function improve(html: string, { taskDone, taskOpen }: Texts): string {
  return html
    .replaceAll("<pre>", `<pre tabindex="0">`)
    .replace(/<table[^>]*>/g, (table) => `<div class="scroll" tabindex="0">${table}`)
    .replaceAll("</table>", "</table></div>")
    .replace(/(<t[dh](?: [a-z]+="[^"]*")*?) align="([a-z]+)"/g, `$1 class="align-$2"`)
    .replace(/<input type="checkbox" disabled=""( checked="")?>/g, (_, checked: string | undefined) => {
      return `<input type="checkbox" disabled${checked ? " checked" : ""} aria-label="${checked ? taskDone : taskOpen}">`;
    });
}
