export type Properties = Record<string, string | number | boolean | string[]>;
type Text = { type: "text"; value: string };
type Element = { type: "element"; tagName: string; properties: Properties; children: Node[] };
export type Node = Text | Element;

/** In `meta` of a token of HTML that we have made ourselves: the element, which has no content. */
export type OwnElement = Pick<Element, "tagName" | "properties">;

/** The element that stands for an embedded record until the HTML is printed. */
export const embedTag = "vitrine-embed";
/** All ids begin with it: an id must not be the name of something that a script of the page looks for. */
export const idPrefix = "post-";
const maxEmbeds = 100;

/** How many records were embedded, and the ids that were printed: each stands for one element. */
export type PrintState = { embeds: number; ids: Set<unknown> };

export const startPage = (): PrintState => ({ embeds: 0, ids: new Set() });

const withoutContent = new Set(["br", "hr", "img", "input", "wbr", embedTag]);

export function print(node: Node, page: PrintState): string {
  if (node.type === "text") return Bun.escapeHTML(node.value);
  const { tagName, properties, children } = node;
  const start = printStart(tagName, properties, page);
  if (withoutContent.has(tagName)) return start;
  return `${start}${children.map((child) => print(child, page)).join("")}</${tagName}>`;
}

/** The start of an element, or all of one without content. */
export function printStart(tagName: string, properties: Properties, page: PrintState): string {
  if (properties["id"] && !claimID(properties["id"], page)) delete properties["id"];
  return tagName === embedTag ? printEmbed(properties, page) : `<${tagName}${printAttributes(tagName, properties)}>`;
}

/** Whether no element that was printed has this id. */
export function claimID(id: unknown, { ids }: PrintState): boolean {
  const isFree = !ids.has(id);
  ids.add(id);
  return isFree;
}

/** A text cannot contain such a comment, because its `<` is escaped. */
function printEmbed({ form, record }: Properties, page: PrintState): string {
  return form && record && ++page.embeds <= maxEmbeds ? `<!--${String(form)} ${String(record)}-->` : "";
}

export function printAttributes(tagName: string, { href, ...properties }: Properties): string {
  const given = Object.entries(properties).filter(([, value]) => value !== false && String(value) !== "");
  const attributes = given.map(([name, value]) => {
    const shown = value === true ? "" : Array.isArray(value) ? value.join(" ") : value;
    return ` ${name === "className" ? "class" : name.toLowerCase()}="${Bun.escapeHTML(String(shown))}"`;
  });
  if (tagName === "img") attributes.push(' loading="lazy"', ...("alt" in properties ? [] : [' alt=""']));
  if (typeof href === "string") attributes.push(...printLink(href));
  return attributes.join("");
}

function printLink(href: string): string[] {
  const target = href.startsWith("#") && href !== "#" ? `#${idPrefix}${href.slice(1)}` : href;
  const link = ` href="${Bun.escapeHTML(target)}"`;
  return isForeign(href) ? [link, ' rel="nofollow noopener"'] : [link];
}

/** Browsers ignore control characters and spaces at the beginning, and read `\` as `/`. */
function isForeign(href: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\u0000-\u0020]*(https?:|[\\/][\u0009\u000a\u000d]*[\\/])/i.test(href);
}
