/** A part of a post: most are HTML, and some are Markdown already. */
export type Part = { html: string } | { markdown: string };
/** Says something of a post; of what is lost that should be there, as "refused". */
export type Note = (what: string, kind?: "note" | "refused") => void;

type Fields = Record<string, unknown>;

export const escape = (text: unknown): string => Bun.escapeHTML(textOf(text));
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const picture = ({ src, alt }: Fields) => `<img src="${escape(src)}" alt="${escape(alt)}">`;
const pictureAt = (src: unknown) => (src ? paragraph(picture({ src })) : "");
const link = (url: unknown, html: string) => `<a href="${escape(url)}">${html}</a>`;
const paragraph = (html: string) => (html === "" ? "" : `<p>${html}</p>`);
const figure = (html: string, caption: unknown) =>
  textOf(caption).trim() === "" ? html : `<figure>${html}<figcaption>${textOf(caption)}</figcaption></figure>`;
const button = (text: unknown, url: unknown) => (textOf(text) === "" ? "" : paragraph(link(url, escape(text))));
const first = (...values: unknown[]) => values.map(textOf).find((text) => text.trim() !== "") ?? "";

/** The sign of a callout stands before its first words. */
const firstParagraph = /^\s{0,20}<p\b[^<>]{0,500}>/i;

/** The cards of Ghost, by the names that its editors give them. */
const cards: Record<string, (fields: Fields) => string> = {
  image: (card) => figure(paragraph(card["href"] ? link(card["href"], picture(card)) : picture(card)), card["caption"]),
  gallery: (card) =>
    figure(
      listOf(card["images"])
        .map((one) => paragraph(picture(fieldsOf(one))))
        .join(""),
      card["caption"],
    ),
  code: codeHTML,
  codeblock: codeHTML,
  html: (card) => textOf(card["html"]),
  bookmark: bookmarkHTML,
  embed: embedHTML,
  callout: (card) =>
    `<blockquote><p>${escape(card["calloutEmoji"])} ${textOf(card["calloutText"]).replace(firstParagraph, "")}</p></blockquote>`,
  toggle: (card) => `<details><summary>${textOf(card["heading"])}</summary>${textOf(card["content"])}</details>`,
  file: (card) =>
    paragraph(link(card["src"], escape(first(card["fileTitle"], card["fileName"], card["src"])))) +
    paragraph(escape(card["fileCaption"])),
  audio: (card) => `<audio src="${escape(card["src"])}" title="${escape(card["title"])}"></audio>`,
  video: (card) => figure(`<video src="${escape(card["src"])}"></video>`, card["caption"]),
  button: (card) => button(card["buttonText"], card["buttonUrl"]),
  header: headerHTML,
  product: (card) =>
    pictureAt(card["productImageSrc"]) +
    `<h4>${textOf(card["productTitle"])}</h4>${textOf(card["productDescription"])}` +
    button(card["productButton"], card["productUrl"]),
  "call-to-action": (card) =>
    pictureAt(card["imageUrl"]) + textOf(card["textValue"]) + button(card["buttonText"], card["buttonUrl"]),
  horizontalrule: () => "<hr>",
  hr: () => "<hr>",
  paywall: () => "",
};

/** These are for letters, and for signing up to them. */
const forLetters = new Set(["email", "email-cta", "signup"]);

/** What a card leaves in a post. One that nobody knows leaves its text, and is reported. */
export function cardPart(name: string, fields: Fields, note: Note): Part {
  if (name === "markdown" || name === "card-markdown") return { markdown: textOf(fields["markdown"]) };
  const write = Object.hasOwn(cards, name) ? cards[name] : undefined;
  if (write) return { html: write(fields) };
  if (forLetters.has(name)) {
    note(`A card of the kind "${name}" is not taken: it belongs to newsletters.`);
    return { html: "" };
  }
  note(`A card of the unknown kind "${name}" has left only its text.`);
  return { html: textsIn(fields, 0).map(paragraph).join("") };
}

const technical = /(^|_)(type|version|id|src|url|href|style|color|width|height|layout|size|alignment)$|Color|Url|Src/;

/** The texts among the fields of a card, which may be HTML. */
function textsIn(fields: Fields, depth: number): string[] {
  if (depth > 5) return [];
  return Object.entries(fields).flatMap(([name, value]) => {
    if (technical.test(name)) return [];
    if (typeof value === "string") return value.trim() === "" ? [] : [value];
    return Array.isArray(value)
      ? value.flatMap((one) => textsIn(fieldsOf(one), depth + 1))
      : textsIn(fieldsOf(value), depth + 1);
  });
}

function codeHTML(card: Fields): string {
  const language = textOf(card["language"]).replace(/[^\w+#.-]/g, "");
  const code = `<pre><code class="language-${language}">${escape(card["code"])}</code></pre>`;
  return figure(code, card["caption"]);
}

function bookmarkHTML(card: Fields): string {
  const about = fieldsOf(card["metadata"]);
  const title = escape(first(about["title"], card["title"], card["url"]));
  const more = [about["description"], card["description"]].map(textOf).find(Boolean) ?? "";
  return paragraph(link(card["url"], title)) + paragraph(escape(more)) + paragraph(textOf(card["caption"]));
}

/** A player becomes a link to its page. */
function embedHTML(card: Fields): string {
  const about = fieldsOf(card["metadata"]);
  const title = escape(first(about["title"], card["url"]));
  return card["url"]
    ? figure(paragraph(link(card["url"], title)), card["caption"])
    : figure(textOf(card["html"]), card["caption"]);
}

function headerHTML(card: Fields): string {
  const [title, more] = [first(card["header"], card["heading"]), first(card["subheader"], card["subheading"])];
  return `<h2>${title}</h2>${paragraph(more)}${button(card["buttonText"], card["buttonUrl"])}`;
}
