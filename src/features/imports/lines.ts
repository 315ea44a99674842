import { z } from "zod";
import type { Visibility } from "../../core/records/visibility.ts";
import { UnusableEntry } from "../../platform/archives/tree.ts";
import { invalid } from "../../platform/errors.ts";
import { nextTurn } from "../../platform/event-loop.ts";
import { failWith } from "./converter.ts";
import {
  endLine,
  failedLine,
  type FileLine,
  type Head,
  headLine,
  itemLine,
  totalLine,
} from "../../../convert/format/lines.ts";
import type { ByteStream } from "../../platform/byte-stream.ts";

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
  kind: string;
  /** Names it for people, and for the next time. */
  name: string;
  /** Whether no two files, and no two directories, have the same key: then none of them is remembered. */
  hasUniqueFiles?: boolean;
  items(): AsyncIterable<Item>;
};

const controlLine = z.discriminatedUnion("kind", [totalLine, endLine, failedLine]);
const controls = new Set<unknown>(["total", "end", "failed"]);

type Line = z.output<typeof itemLine> | z.output<typeof controlLine>;

export function parseHead(text: string): Head {
  const { data, error } = headLine.safeParse(parseJSON(text, 1));
  if (data) return data;
  throw invalid(`The first line does not say what the source is: ${explain(error)}.`);
}

/** A line that is no item as it should be is an item that is refused. */
function parseLine(text: string, number: number): Line {
  const value = parseJSON(text, number);
  const { kind, key } = value as { kind?: unknown; key?: unknown };
  const { data, error } = (controls.has(kind) ? controlLine : itemLine).safeParse(value);
  if (data) return data;
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

export type LineSource = Source & { readonly totals: Pick<z.output<typeof totalLine>, "items" | "bytes" | "files"> };

type Given = {
  name: string;
  head: Head;
  visibility: Visibility;
  lines: AsyncIterable<string>;
  /** Throws an `UnusableEntry` if there is no such file. */
  open(file: FileLine): Promise<Pick<FileItem, "size" | "modifiedAt" | "open">>;
};

/** What a converter has written, as a source: each line is checked, and nothing else is read. */
export function sourceOfLines({ name, head, visibility, lines, open }: Given): LineSource {
  let totals: LineSource["totals"] = { items: null, bytes: null, files: null };
  return {
    kind: head.program,
    name,
    hasUniqueFiles: head.hasUniqueFiles,
    get totals() {
      return totals;
    },
    async *items() {
      let number = 1;
      let since = performance.now();
      for await (const text of lines) {
        if (text === "" && ++number) continue;
        const line = parseLine(text, ++number);
        if (line.kind === "end") return;
        if (line.kind === "failed") failWith(line);
        else if (line.kind === "total") totals = line;
        else {
          const item = line.kind === "file" ? await toFile(line, open) : line;
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

async function toFile(line: FileLine, open: Given["open"]): Promise<Item> {
  try {
    const { size, modifiedAt, ...opened } = await open(line);
    return { ...line, ...opened, size: line.size ?? size, modifiedAt: line.modifiedAt ?? modifiedAt };
  } catch (error) {
    if (error instanceof UnusableEntry) return { kind: "refused", key: line.key, reason: error.message };
    throw error;
  }
}
