import { toLink } from "./names.ts";

/** YAML, as every reader of front matter understands it: JSON is a part of it. */
export function printFrontMatter(values: Record<string, unknown>): string {
  const lines = Object.entries(values).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    const isMap = typeof value === "object" && !Array.isArray(value) && !(value instanceof Date);
    if (!isMap) return [`${name}: ${printYAML(value)}`];
    const inner = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
    return inner.length === 0 ? [] : [`${name}:`, ...inner.map(([key, one]) => `  ${key}: ${printYAML(one)}`)];
  });
  return `---\n${lines.join("\n")}\n---\n\n`;
}

function printYAML(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  // Readers of YAML break lines at these, which JSON leaves as they are.
  return JSON.stringify(value).replace(
    /[\u{7F}-\u{9F}\u2028\u2029\uFEFF]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** What a text links to: the name, and the path from the top of the export; null if it is not there. */
export type Linked = { name: string; path: string; isPicture: boolean } | null;

const embed = /!\[\[(photo|album|file):([1-9]\d{0,15})\]\]/g;

/** The records that a text embeds. */
export const listEmbeds = (text: string): { kind: string; id: number }[] =>
  Array.from(text.matchAll(embed), ([, kind = "", id]) => ({ kind, id: Number(id) }));

const fence = /^ {0,3}(```|~~~)/;

/** `![[photo:12]]` becomes a link to the picture, from a text that lies two folders deep. What is code stays. */
export function linkEmbeds(text: string, find: (kind: string, id: number) => Linked): string {
  let open: string | null = null;
  const lines = text.split("\n").map((line) => {
    const [, mark = null] = fence.exec(line) ?? [];
    if (mark !== null && (open === null || open === mark)) {
      open = open === null ? mark : null;
      return line;
    }
    return open === null ? linkLine(line, find) : line;
  });
  return lines.join("\n");
}

/** Every second part between backticks is code. */
const linkLine = (line: string, find: (kind: string, id: number) => Linked): string =>
  line
    .split("`")
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replace(embed, (whole, kind: string, id: string) => {
            const linked = find(kind, Number(id));
            if (!linked) return whole;
            return `${linked.isPicture ? "!" : ""}[${escapeLabel(linked.name)}](../../${toLink(linked.path)})`;
          }),
    )
    .join("`");

export const escapeLabel = (text: string): string => text.replace(/\s+/g, " ").replace(/[\\[\]]/g, "\\$&");
