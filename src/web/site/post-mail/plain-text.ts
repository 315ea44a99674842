import { decodeAttribute } from "../../../platform/markdown/page-html.ts";

const tokens = /<!--[\s\S]*?-->|<(\/?)([a-z][a-z\d]*)((?:\s[^<>]*)?)>|[^<]+|</gi;
/** Between such elements is an empty line, and between lines of a list or a table a new one. */
const paragraphs = new Set(
  "blockquote details div dl figure figcaption h1 h2 h3 h4 h5 h6 hr ol p pre section summary table ul".split(" "),
);
const lines = new Set(["br", "dd", "dt", "li", "tr"]);
const maxQuotes = 5;
const alt = /\salt="([^"]*)"/;
const href = /\shref="([^"]*)"/;

const valueOf = (pattern: RegExp, attributes: string) => decodeAttribute(pattern.exec(attributes)?.[1] ?? "");

/** The HTML of a post as plain text: paragraphs, lists, and links with their addresses. Its cost grows with its length. */
export function toPlainText(html: string): string {
  const parts: string[] = [];
  const lists: { isOrdered: boolean; count: number }[] = [];
  const links: { start: number; href: string }[] = [];
  let [quotes, code] = [0, 0];
  /** How many line breaks are due before the next text, and what begins its line. */
  let [breaks, bullet] = [0, ""];

  for (const [token, slash, tag, attributes = ""] of html.matchAll(tokens)) {
    const name = tag?.toLowerCase();
    if (name === undefined) {
      if (!token.startsWith("<!--")) addText(token);
    } else if (slash) {
      close(name);
      endLine(name);
    } else {
      endLine(name);
      open(name, attributes);
    }
  }
  const text = parts.join("").split("\n");
  return text
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();

  function endLine(name: string): void {
    // A paragraph in a list does not part it.
    const isInList = lists.length > 0 && (name === "p" || name === "ul" || name === "ol");
    if (paragraphs.has(name)) breaks = Math.max(breaks, isInList ? 1 : 2);
    else if (lines.has(name)) breaks = Math.max(breaks, 1);
  }

  function add(text: string): void {
    if (breaks > 0 && parts.length > 0) {
      const mark = "> ".repeat(Math.min(quotes, maxQuotes));
      parts.push("\n".repeat(breaks) + mark);
    }
    parts.push(bullet + text);
    [breaks, bullet] = [0, ""];
  }

  function addText(token: string): void {
    const text = decodeAttribute(token);
    if (code > 0) return add(text);
    const spaced = text.replace(/\s+/g, " ");
    const isStart = breaks > 0 || bullet !== "" || parts.length === 0;
    if (!isStart) add(spaced);
    else if (spaced.trim() !== "") add(spaced.trimStart());
  }

  function open(name: string, attributes: string): void {
    const list = lists.at(-1);
    if (name === "hr") add("* * *");
    else if (name === "td" || name === "th") {
      if (breaks === 0) add(" | ");
    } else if (name === "img") addPicture(valueOf(alt, attributes));
    else if (name === "input") add(/\schecked/.test(attributes) ? "[x] " : "[ ] ");
    else if (name === "blockquote") quotes++;
    else if (name === "pre") code++;
    else if (name === "a") links.push({ start: parts.length, href: valueOf(href, attributes) });
    else if (name === "ul" || name === "ol") lists.push({ isOrdered: name === "ol", count: 0 });
    else if (name === "li" && list) {
      list.count++;
      bullet = `${"  ".repeat(Math.min(lists.length, 8) - 1)}${list.isOrdered ? `${list.count}.` : "-"} `;
    }
  }

  function addPicture(text: string): void {
    if (text.trim() !== "") add(`[${text.replace(/\s+/g, " ").trim()}]`);
  }

  function close(name: string): void {
    if (name === "blockquote") quotes--;
    else if (name === "pre") code--;
    else if (name === "ul" || name === "ol") lists.pop();
    else if (name === "a") {
      const { start, href } = links.pop() ?? { start: 0, href: "" };
      const text = parts.slice(start).join("").trim();
      if (href && text !== "" && text !== href && `mailto:${text}` !== href) add(` (${href})`);
    }
  }
}
