import { changeText } from "../../../src/platform/markdown/rewrite-markdown.ts";
import { type Context, pictureBlock } from "./context.ts";

const shortcode = /\{\{[<%]([^{}]{1,2000})[>%]\}\}/g;
const words =
  /([\w-]{1,100})=(?:"([^"]{0,2000})"|`([^`]{0,2000})`|([^\s"]{1,2000}))|"([^"]{0,2000})"|`([^`]{0,2000})`|([^\s"`]{1,2000})/g;

type Shortcode = { name: string; isEnd: boolean; named: Map<string, string>; listed: string[] };

/** The text with Markdown for the shortcodes that Hugo has itself. Others stay as they are, and are reported. */
export function changeShortcodes(text: string, context: Context): string {
  return changeText(text, (part) =>
    part.replace(shortcode, (whole, inner: string) => {
      // An example of a shortcode, which Hugo shows as one.
      const example = /^\/\*([^]{0,2000})\*\/$/.exec(inner.trim())?.[1];
      if (example !== undefined) return `\\{{<${example}>}}`.replace("<", "\\<");
      const found = read(inner);
      const written = write(found, context);
      if (written !== null) return written;
      context.note(`The shortcode "${found.name}" stays as it is.`);
      return whole.replace("<", "\\<");
    }),
  );
}

function read(inner: string): Shortcode {
  const trimmed = inner.trim();
  const isEnd = trimmed.startsWith("/");
  const [name = "", ...rest] = trimmed
    .replace(/^\/\s*/, "")
    .replace(/\/$/, "")
    .split(/\s+/);
  const named = new Map<string, string>();
  const listed: string[] = [];
  for (const [, key, double, ticks, bare, listedDouble, listedTicks, listedBare] of rest.join(" ").matchAll(words)) {
    if (key) named.set(key.toLowerCase(), double ?? ticks ?? bare ?? "");
    else listed.push(listedDouble ?? listedTicks ?? listedBare ?? "");
  }
  return { name, isEnd, named, listed };
}

const players: Record<string, (id: string) => string> = {
  youtube: (id) => `https://www.youtube.com/watch?v=${encodeURIComponent(id)}`,
  vimeo: (id) => `https://vimeo.com/${encodeURIComponent(id)}`,
  instagram: (id) => `https://www.instagram.com/p/${encodeURIComponent(id)}/`,
};

/** Null if it is unknown. */
function write({ name, isEnd, named, listed }: Shortcode, context: Context): string | null {
  const first = named.get("id") ?? listed[0] ?? "";
  const player = Object.hasOwn(players, name) ? players[name] : undefined;
  if (player) return first === "" ? null : `<${player(first)}>`;
  if (name === "tweet" || name === "x") {
    const user = named.get("user");
    return user ? `<https://x.com/${encodeURIComponent(user)}/status/${encodeURIComponent(first)}>` : null;
  }
  if (name === "gist" && listed.length > 1)
    return `<https://gist.github.com/${listed.slice(0, 2).map(encodeURIComponent).join("/")}>`;
  if (name === "figure") return isEnd ? "" : writeFigure(named, context);
  if (name === "gallery") return isEnd ? "" : writeGallery(named, listed, context);
  if (name === "highlight") return isEnd ? "```" : `\`\`\`${/^[\w+#.-]{1,40}$/.exec(first)?.[0] ?? ""}`;
  if (name === "ref" || name === "relref") return context.linkTo(named.get("path") ?? first);
  return null;
}

function writeFigure(named: Map<string, string>, context: Context): string | null {
  const src = named.get("src") ?? named.get("link") ?? "";
  const title = named.get("title") ?? "";
  const caption = [title === "" ? "" : `**${title}**`, named.get("caption") ?? "", named.get("attr") ?? ""]
    .filter(Boolean)
    .join(" ");
  if (src === "") return null;
  return pictureBlock(context.referTo(src, "picture") ?? src, named.get("alt") ?? "", caption);
}

/** With a folder or a pattern, it shows the pictures there; else those between its beginning and its end. */
function writeGallery(named: Map<string, string>, listed: string[], context: Context): string {
  const folder = named.get("dir") ?? named.get("match") ?? named.get("folder") ?? listed[0];
  if (!folder) return "";
  return context
    .picturesIn(folder)
    .map((file) => pictureBlock(context.reference(file), "", ""))
    .join("\n\n");
}
