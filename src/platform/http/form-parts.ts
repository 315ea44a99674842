import { invalid } from "../errors.ts";

/** A part of a multipart form. A part with a filename, or of the type of bytes, is a file; any other is a field. */
export type Part = {
  name: string | undefined;
  filename: string | undefined;
  isFile: boolean;
  /** The encoding of the text of a field. */
  charset: string;
  /** Can be read once, before the next part is requested. */
  content: AsyncIterable<Uint8Array>;
  /** How many bytes of the content can follow at most. */
  unread(): number;
};

const maxParts = 17;
const maxHeaderBytes = 2 ** 14;
/** Bytes allowed outside of the content of files and fields, and in parts that are neither. */
const maxBetween = 2 ** 17;
const headerEnd = Buffer.from("\r\n\r\n");
const carriageReturn = 13;
const dash = 45;

/**
 * Splits a form into its parts as it arrives. At most one chunk of the body is in memory. `unread` returns how many bytes of
 * the body have not arrived yet.
 */
export async function* splitForm(
  body: AsyncGenerator<Uint8Array>,
  boundary: string,
  unread: () => number,
): AsyncGenerator<Part> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const firstDelimiter = delimiter.subarray(2);
  let rest: Buffer = Buffer.alloc(0);
  let isInContent = false;
  let between = 0;

  try {
    await readPreamble();
    for (let count = 1; ; count++) {
      const header = await readHeader();
      if (header === null) break;
      if (count > maxParts) throw tooManyParts();
      isInContent = header !== "";
      const part = describePart(header);
      if (part) yield { ...part, content: readContent(), unread: () => (isInContent ? rest.length + unread() : 0) };
      await skip(readContent());
    }
    countBetween(rest.length);
    for await (const chunk of body) countBetween(chunk.length);
  } finally {
    await body.return(undefined);
  }

  /** There need not be a line before the first delimiter. */
  async function readPreamble(): Promise<void> {
    while (rest.length < firstDelimiter.length) await readMore();
    isInContent = !rest.subarray(0, firstDelimiter.length).equals(firstDelimiter);
    if (isInContent) await skip(readContent());
    else rest = rest.subarray(firstDelimiter.length);
  }

  /** The bytes before the next delimiter, which is read, too. */
  async function* readContent(): AsyncGenerator<Uint8Array> {
    while (isInContent) {
      const end = rest.indexOf(delimiter);
      isInContent = end < 0;
      const bytes = rest.subarray(0, isInContent ? rest.length - startedDelimiter() : end);
      rest = rest.subarray(isInContent ? bytes.length : end + delimiter.length);
      if (bytes.length > 0) yield bytes;
      if (isInContent) await readMore();
    }
  }

  /** How many bytes at the end of `rest` may be the start of a delimiter, which has only one carriage return. */
  function startedDelimiter(): number {
    const tail = rest.subarray(Math.max(0, rest.length - delimiter.length + 1));
    const start = tail.lastIndexOf(carriageReturn);
    const started = start < 0 ? tail.subarray(tail.length) : tail.subarray(start);
    return started.equals(delimiter.subarray(0, started.length)) ? started.length : 0;
  }

  /** What is between a delimiter and the content. Empty if there is no content; null after the last delimiter. */
  async function readHeader(): Promise<string | null> {
    while (true) {
      if (rest[0] === dash && rest[1] === dash) return null;
      const end = rest.indexOf(headerEnd);
      const contentStart = end < 0 ? rest.length : end + headerEnd.length;
      const next = rest.subarray(0, contentStart + delimiter.length).indexOf(delimiter);
      if (next >= 0 && next < contentStart) {
        countBetween(next);
        rest = rest.subarray(next + delimiter.length);
        return "";
      }
      if (contentStart > maxHeaderBytes) throw tooMuchBetween();
      // Until then, the line break at the end of the header could still be that of a delimiter.
      const isContent = end >= 0 && rest.length >= contentStart + firstDelimiter.length;
      if (isContent) {
        countBetween(contentStart);
        const header = rest.toString("utf8", 0, end);
        rest = rest.subarray(contentStart);
        return header;
      }
      await readMore();
    }
  }

  async function readMore(): Promise<void> {
    const { done, value } = await body.next();
    if (done) throw invalid("The form is malformed: it ends before its last boundary.");
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.length);
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
  }

  async function skip(content: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const bytes of content) countBetween(bytes.length);
  }

  function countBetween(bytes: number): void {
    between += bytes;
    if (between > maxBetween) throw tooMuchBetween();
  }
}

/** Null for a part that is not a part of a form. */
function describePart(header: string): Omit<Part, "content" | "unread"> | null {
  const lines = header.replaceAll(/\r\n[\t ]+/g, " ").split("\r\n");
  if (lines.some((line) => /[\r\n]/.test(line))) return null;
  const valueOf = (name: string) => lines.find((line) => line.toLowerCase().startsWith(name))?.slice(name.length) ?? "";
  const disposition = valueOf("content-disposition:");
  if (!/^\s*form-data\s*(;|$)/i.test(disposition)) return null;
  const { name, filename } = parametersOf(disposition);
  const type = valueOf("content-type:");
  const isBytes = /^\s*application\/octet-stream\s*(;|$)/i.test(type);
  return {
    name,
    // Some clients send the whole path.
    filename: filename?.slice(Math.max(filename.lastIndexOf("/"), filename.lastIndexOf("\\")) + 1),
    isFile: filename !== undefined || isBytes,
    charset: parametersOf(type).charset ?? "utf-8",
  };
}

const parameter = /;\s*([\w-]+)(\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g;

/** The parameters of a header, by their names in lower case. The last one of a name counts, but one with a charset before others. */
export function parametersOf(value: string): Partial<Record<string, string>> {
  const found: Record<"plain" | "extended", [string, string][]> = { plain: [], extended: [] };
  for (const [, name = "", star, quoted, plain = ""] of value.matchAll(parameter)) {
    const text = quoted === undefined ? plain.trim() : quoted.replaceAll(/\\(["\\])/g, "$1");
    if (star) found.extended.push([name.toLowerCase(), decodeExtended(text)]);
    else found.plain.push([name.toLowerCase(), text]);
  }
  return Object.fromEntries([...found.plain, ...found.extended]);
}

/** `UTF-8''na%C3%AFve.txt`: the charset, a language, and the text with encoded bytes (RFC 8187). */
function decodeExtended(text: string): string {
  const [charset = "", , encoded] = text.split("'", 3);
  if (encoded === undefined) return text;
  const bytes = encoded.replaceAll(/%([\da-f]{2})/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
  return decode(Buffer.from(bytes, "latin1"), charset);
}

/** An unknown charset is read as UTF-8. */
export function decode(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset as "utf-8", { ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

export const tooManyParts = () => invalid("The form has too many parts; send one file and its fields.");
const tooMuchBetween = () => invalid("The form contains too much data besides its file and fields.");
