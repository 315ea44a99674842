import { invalid } from "../errors.ts";
import { readBytes, streamBody } from "./body-bytes.ts";
import type { Exchange } from "./exchange.ts";
import { isPageForm } from "./page-form.ts";
import { decode, parametersOf, type Part, splitForm, tooManyParts } from "./form-parts.ts";

const maxFields = 16;
const maxFieldBytes = 65_536;
/** All fields together, and what separates the parts. */
export const maxBytesAroundFile = 2 ** 21;

type UploadFormReader<Kept> = {
  /** The only field that may contain a file; files in other fields are ignored. */
  fileField: string;
  /** Called for each field as it arrives. Throwing stops the reading. */
  field(name: string, value: string): Promise<void>;
  /**
   * Called for the file, if there is one; must read the whole stream. `unread` returns how many bytes of the file can follow
   * at most, or Infinity if that is unknown.
   */
  file(filename: string, stream: AsyncIterable<Uint8Array>, unread: () => number): Promise<Kept>;
  /** Undoes `file` if a later part of the body is refused. */
  drop(file: Kept): Promise<void>;
};

/**
 * Reads a form part by part, with at most one chunk of a file in memory. Any error, on either side, stops the reading.
 */
export async function readUploadForm<Kept>(
  exchange: Exchange,
  maxFileBytes: number,
  reader: UploadFormReader<Kept>,
): Promise<Kept | null> {
  if (isPageForm(exchange)) return readEncodedFields(exchange, reader);
  const type = exchange.request.headers.get("content-type") ?? "";
  const { boundary } = parametersOf(type);
  if (!/^multipart\/form-data\s*;/i.test(type) || !boundary) {
    throw invalid("Send a form: the Content-Type must be multipart/form-data with a boundary.");
  }
  const tooLarge = `The file is larger than ${maxFileBytes} bytes.`;
  const length = Number(exchange.request.headers.get("content-length") ?? Infinity);
  let received = 0;
  let fields = 0;
  let files = 0;
  let file: Kept | null = null;
  try {
    for await (const part of splitForm(readCounted(), boundary, () => length - received)) {
      if (part.isFile) {
        if (++files > 1) throw tooManyParts();
        await readFile(part);
      } else {
        if (++fields > maxFields) throw tooManyParts();
        await readField(part);
      }
    }
    return file;
  } catch (error) {
    if (file) await reader.drop(file);
    throw error;
  }

  async function* readCounted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of streamBody(exchange, maxFileBytes + maxBytesAroundFile, tooLarge)) {
      received += chunk.length;
      yield chunk;
    }
  }

  async function readFile({ name, filename = "", content, unread }: Part): Promise<void> {
    const bytes = limit(content, maxFileBytes, tooLarge);
    if (name === reader.fileField) file = await reader.file(withQuotes(filename), bytes, unread);
    else for await (const _ of bytes);
  }

  async function readField(part: Part): Promise<void> {
    const text = await readText(part);
    if (part.name !== undefined) await reader.field(part.name, text);
  }
}

async function* limit(content: AsyncIterable<Uint8Array>, maxBytes: number, sentence: string) {
  let size = 0;
  for await (const bytes of content) {
    size += bytes.length;
    if (size > maxBytes) throw invalid(sentence, "file");
    yield bytes;
  }
}

async function readText({ name, charset, content }: Part): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    chunks.push(chunk);
    size += chunk.length;
    checkFieldSize(name, size);
  }
  return decode(Buffer.concat(chunks), charset);
}

async function readEncodedFields(exchange: Exchange, reader: Pick<UploadFormReader<never>, "field">): Promise<null> {
  const text = decode(await readBytes(exchange, maxBytesAroundFile), "utf-8");
  const fields = [...new URLSearchParams(text)];
  if (fields.length > maxFields) throw tooManyParts();
  for (const [name, value] of fields) {
    checkFieldSize(name, Buffer.byteLength(value));
    await reader.field(name, value);
  }
  return null;
}

function checkFieldSize(name: string | undefined, bytes: number): void {
  if (bytes > maxFieldBytes) throw invalid(`"${name}" is too long.`, name);
}

/** Browsers encode quotes (%22) and line breaks in file names this way, and nothing else. */
const withQuotes = (filename: string) => filename.replaceAll("%22", '"');
