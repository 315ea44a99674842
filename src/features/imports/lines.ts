import { z } from "zod";
import type { Visibility } from "../../core/records/visibility.ts";
import type { openNamedFiles } from "../../platform/archives/folder.ts";
import { UnusableEntry } from "../../platform/archives/tree.ts";
import type { ByteStream } from "../../platform/byte-stream.ts";
import { invalid } from "../../platform/errors.ts";
import { nextTurn } from "../../platform/event-loop.ts";
import { toError } from "../../platform/pipes/failures.ts";
import {
  endLine,
  failedLine,
  type FileLine,
  type Head,
  headLine,
  itemLine,
  totalLine,
} from "../../../convert/format/lines.ts";

/** Requests wait for the lines that are read in this time. */
const sliceMs = 10;

/** A file whose bytes can be read. */
export type FileItem = Omit<FileLine, "bytes" | "size" | "modifiedAt"> & {
  size: number;
  modifiedAt: number | null;
  open(): ByteStream;
};

/** What a source contains. Each item comes after those whose keys it names. */
export type Item = Exclude<z.output<typeof itemLine>, FileLine> | FileItem;

export type Source = {
  head: Head;
  /** What is known of the whole by now. */
  totals: Omit<z.output<typeof totalLine>, "kind">;
  items(): AsyncIterable<Item>;
};

const anyLine = z.discriminatedUnion("kind", [itemLine, totalLine, endLine, failedLine]);

/** Throws what the first line says, if it says why nothing can be read. */
export function checkFirst(text: string | null): object {
  const value = parseJSON(text ?? "{}", 1);
  const { data } = failedLine.safeParse(value);
  if (data) throw toError(data);
  return value;
}

export function parseHead(text: string | null): Head {
  const { data, error } = headLine.safeParse(checkFirst(text));
  if (data) return data;
  throw invalid(`The first line does not say what the source is: ${explain(error)}.`);
}

/** A line that is no item as it should be is an item that is refused. */
function parseLine(text: string, number: number): z.output<typeof anyLine> {
  const value = parseJSON(text, number);
  const { data, error } = anyLine.safeParse(value);
  if (data) return data;
  const { key } = value as { key?: unknown };
  const name = typeof key === "string" && key !== "" ? key : `line ${number}`;
  return { kind: "refused", key: name, reason: `Its line is not valid: ${explain(error)}.` };
}

function parseJSON(text: string, number: number): object {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // The sentence below says it.
  }
  throw invalid(`Line ${number} of the source is not a JSON object.`);
}

function explain({ issues }: z.ZodError): string {
  const [issue] = issues;
  const field = issue?.path.join(".");
  return `${field ? `"${field}": ` : ""}${issue?.message.toLowerCase() ?? "unknown"}`.slice(0, 300);
}

type Files = {
  /** The bytes of a file that lies in no folder. */
  open(id: number): ByteStream;
  openNamed: ReturnType<typeof openNamedFiles>;
};
type Written = Files & { head: Head; visibility: Visibility; lines: AsyncIterable<string> };

/** What a converter has written, as a source: each line is checked, and nothing else is read. */
export function sourceOfLines({ head, visibility, lines, ...files }: Written): Source {
  const totals: Source["totals"] = { items: null, bytes: null, files: null };
  return {
    head,
    totals,
    async *items() {
      let number = 1;
      let since = performance.now();
      for await (const text of lines) {
        if (text === "" && ++number) continue;
        const line = parseLine(text, ++number);
        if (line.kind === "end") return;
        if (line.kind === "failed") throw toError(line);
        if (line.kind === "total") Object.assign(totals, line);
        else {
          const item = line.kind === "file" ? await toFile(line, files) : line;
          yield visibility === "private" ? hidden(item) : item;
        }
        if (performance.now() - since < sliceMs) continue;
        await nextTurn();
        since = performance.now();
      }
      throw invalid(
        'The source ended without its last line, {"kind":"end"}: what came before is imported. Read it again to go on.',
      );
    },
  };
}

/** The same for nobody but the owner. */
function hidden(item: Item): Item {
  const visibility = "private";
  if (item.kind === "file") return { ...item, visibility, photo: item.photo && { ...item.photo, visibility } };
  return "visibility" in item ? { ...item, visibility } : item;
}

async function toFile({ bytes, ...line }: FileLine, { open, openNamed }: Files): Promise<Item> {
  try {
    const offered = { size: 0, modifiedAt: null };
    const found = "id" in bytes ? { ...offered, open: () => open(bytes.id) } : await openNamed(bytes.of, bytes.path);
    return { ...line, ...found, size: line.size ?? found.size, modifiedAt: line.modifiedAt ?? found.modifiedAt };
  } catch (error) {
    if (error instanceof UnusableEntry) return { kind: "refused", key: line.key, reason: error.message };
    throw error;
  }
}
