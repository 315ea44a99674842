/** What stands at the top of a text in Markdown, between two lines of signs, and the rest. */
export type FrontMatter = {
  fields: Record<string, unknown>;
  body: string;
  hasFields: boolean;
  /** A sentence if the fields cannot be read. */
  problem: string | null;
};

const longest = 100_000;
const kinds = [
  { open: /^---[ \t]*\n/, close: /^(?:---|\.\.\.)[ \t]*$/m, parse: (text: string): unknown => Bun.YAML.parse(text) },
  { open: /^\+\+\+[ \t]*\n/, close: /^\+\+\+[ \t]*$/m, parse: (text: string): unknown => Bun.TOML.parse(text) },
];

/** YAML between `---`, TOML between `+++`, or an object of JSON. */
export function readFrontMatter(text: string): FrontMatter {
  const plain = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const none = { fields: {}, body: plain, hasFields: false, problem: null };
  if (plain.startsWith("{\n") || plain.startsWith('{"')) return readJSON(plain) ?? none;
  const kind = kinds.find(({ open }) => open.test(plain));
  if (!kind) return none;
  const start = (kind.open.exec(plain)?.[0] ?? "").length;
  const head = plain.slice(start, start + longest);
  const end = kind.close.exec(head);
  if (!end) return none;
  const body = plain.slice(start + end.index + end[0].length).replace(/^\n/, "");
  return { ...parse(head.slice(0, end.index), kind.parse), body, hasFields: true };
}

function readJSON(text: string): FrontMatter | null {
  const end = /^\}[ \t]*$/m.exec(text.slice(0, longest));
  if (!end) return null;
  const body = text.slice(end.index + end[0].length).replace(/^\n+/, "");
  return { ...parse(text.slice(0, end.index + 1), JSON.parse), body, hasFields: true };
}

function parse(text: string, read: (text: string) => unknown): Pick<FrontMatter, "fields" | "problem"> {
  try {
    // Times of TOML become texts.
    const fields: unknown = JSON.parse(JSON.stringify(read(text) ?? {}));
    if (typeof fields === "object" && fields !== null && !Array.isArray(fields))
      return { fields: fields as Record<string, unknown>, problem: null };
    return { fields: {}, problem: "Its front matter is no list of fields." };
  } catch (error) {
    return { fields: {}, problem: `Its front matter cannot be read: ${(error as Error).message}.` };
  }
}

/** The settings of a site, by the name of their file. Null if they cannot be read. */
export function readSettings(name: string, text: string): Record<string, unknown> | null {
  const read = /\.toml$/i.test(name)
    ? (content: string): unknown => Bun.TOML.parse(content)
    : /\.json$/i.test(name)
      ? JSON.parse
      : (content: string): unknown => Bun.YAML.parse(content);
  const { fields, problem } = parse(text, read);
  return problem === null ? fields : null;
}
