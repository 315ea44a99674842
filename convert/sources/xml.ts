import { SaxesParser } from "saxes";

/** An element with what is in it. */
export type Element = { name: string; attributes: Record<string, string>; text: string; children: Element[] };

/** The name without its prefix, which documents choose. */
export const localOf = ({ name }: Element): string => name.slice(name.indexOf(":") + 1);

const deepest = 64;
/** A text of more characters is cut, and one that never ends is not waited for. */
const longestText = 8_000_000;
const longestWait = 64_000_000;

/**
 * The elements that lie this deep in a document, from the first to the last one. Of a document that is damaged or cut off, those before that;
 * then it throws a sentence.
 */
export async function* readElements(chunks: AsyncIterable<Uint8Array>, depth: number): AsyncGenerator<Element> {
  const found: Element[] = [];
  const parser = createParser(depth, (element) => found.push(element));
  let decoder: TextDecoder | null = null;
  let failure: unknown = null;
  try {
    for await (const chunk of chunks) {
      decoder ??= new TextDecoder(encodingOf(chunk));
      parser.write(decoder.decode(chunk, { stream: true }));
      yield* found.splice(0);
    }
    parser.write(decoder?.decode() ?? "");
    parser.end();
  } catch (error) {
    failure = error;
  }
  yield* found;
  if (failure) throw failure;
}

/** One of those that decoders know. */
export function encodingOf(chunk: Uint8Array): "utf-8" | "utf-16le" {
  const head = Buffer.from(chunk.subarray(0, 200)).toString("latin1");
  if (head.startsWith("\xff\xfe")) return "utf-16le";
  const named = head.startsWith("\xfe\xff")
    ? "utf-16be"
    : (/^<\?xml[^>]{0,100}encoding=["']([\w-]{1,40})["']/.exec(head)?.[1] ?? "utf-8");
  try {
    return new TextDecoder(named as "utf-8").encoding as "utf-8";
  } catch {
    return "utf-8";
  }
}

/** Control characters, which no XML may have and some databases do. */
// oxlint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function createParser(depth: number, found: (element: Element) => void) {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  const mend = createMender();
  const open: Element[] = [];
  let waited = 0;
  let failure: string | null = null;
  const addText = (more: string) => {
    waited = 0;
    const element = open.at(-1);
    if (element && open.length >= depth && element.text.length < longestText) element.text += more;
  };
  parser.on("doctype", () => {
    throw new Error("It has a document type, which nothing needs here.");
  });
  // Unknown entities and the like stay as they are; where elements do not fit together, the first place is told.
  parser.on("error", (error) => {
    if (!/entity|character|char data/i.test(error.message)) failure ??= error.message;
  });
  parser.on("opentag", ({ name, attributes }) => {
    waited = 0;
    if (open.push({ name, attributes, text: "", children: [] }) > deepest)
      throw new Error("Its elements are nested too deeply.");
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", ({ name }) => {
    waited = 0;
    const element = open.at(-1);
    if (element?.name !== name) return;
    open.pop();
    if (open.length >= depth) open.at(-1)?.children.push(element);
    else if (open.length === depth - 1) found(element);
  });
  return {
    write(chunk: string): void {
      waited += chunk.length;
      if (waited > longestWait) throw new Error("One of its texts has no end.");
      parser.write(mend(chunk.replace(forbidden, "")));
    },
    end(): void {
      parser.write(mend(null));
      parser.close();
      if (failure !== null || open.length > 0) throw new Error(`It is damaged or cut off: ${failure}`);
    },
  };
}

/** Longer than any entity, and than the marks of texts that are read as they are. */
const longestEntity = 35;
const bare = /&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{0,30});)/gi;

/**
 * Some programs write addresses with ampersands into their exports as they are: a parser would take everything up to the next
 * semicolon as the name of one entity, with the elements in it. The last call has no chunk.
 */
function createMender(): (chunk: string | null) => string {
  let rest = "";
  let isRaw = false;
  return (chunk) => {
    const text = rest + (chunk ?? "");
    const parts: string[] = [];
    let position = 0;
    for (;;) {
      const mark = isRaw ? "]]>" : "<![CDATA[";
      const found = text.indexOf(mark, position);
      const end = found >= 0 ? found + mark.length : chunk === null ? text.length : lastSafe(text, position);
      const part = text.slice(position, end);
      parts.push(isRaw ? part : part.replace(bare, "&amp;"));
      position = end;
      if (found < 0) break;
      isRaw = !isRaw;
    }
    rest = text.slice(position);
    return parts.join("");
  };
}

/** Up to here, nothing depends on what follows. */
function lastSafe(text: string, position: number): number {
  const end = text.length - longestEntity;
  const last = text.lastIndexOf("&", end);
  return Math.max(position, last >= end - longestEntity ? last : end);
}
