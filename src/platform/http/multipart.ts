import { once } from "node:events";
import type { Readable } from "node:stream";
import type { Busboy, BusboyHeaders } from "@fastify/busboy";
import { invalid, Problem } from "../../errors.ts";
import { readBody } from "./body.ts";
import type { Exchange } from "./exchange.ts";

const limits = {
  fields: 16,
  files: 1,
  parts: 17,
  fieldNameSize: 100,
  fieldSize: 65_536,
  headerPairs: 32,
  headerSize: 16_384,
};
const roomForFields = 2 ** 21;
/** Bytes allowed beside files and complete fields: part headers, boundaries, and one incomplete field. */
const mostBetween = 2 ** 17;
/** The parser processes all of its input at once, however many parts that contains, so it gets small chunks. */
const bytesAtOnce = 2 ** 16;

export type FormReader<Kept> = {
  /** The only field that may contain a file; files in other fields are ignored. */
  fileField: string;
  /** Called for each field as it arrives. Throwing stops the reading. */
  field(name: string, value: string): Promise<void>;
  /**
   * Called for the file, if there is one; must read the whole stream. `unread` returns how many bytes of the body have
   * not arrived yet, or Infinity if that is unknown.
   */
  file(filename: string, stream: AsyncIterable<Uint8Array>, unread: () => number): Promise<Kept>;
  /** Undoes `file` if a later part of the body is refused. */
  drop(file: Kept): Promise<void>;
};

/**
 * Reads a form part by part, with at most one chunk of a file in memory. Any error, on either side, stops the reading.
 */
export async function readForm<Kept>(
  exchange: Exchange,
  maxFileBytes: number,
  reader: FormReader<Kept>,
): Promise<Kept | null> {
  const tooLarge = `The file is larger than ${maxFileBytes} bytes.`;
  const busboy = await openParser(exchange.request.headers.get("content-type"), maxFileBytes);
  let fault: Problem | Error | null = null;
  let incoming: Readable | null = null;
  let file: Kept | null = null;
  let work = Promise.resolve();
  const length = Number(exchange.request.headers.get("content-length") ?? Infinity);
  let received = 0;
  let fieldBytes = 0;
  let fileBytes = () => 0;
  const done = Promise.withResolvers<void>();

  function stop(reason: Error): void {
    fault ??= reason;
    incoming?.destroy(fault);
    exchange.stopReceiving?.();
    done.resolve();
  }

  busboy.on("field", (name: string | undefined, value, _nameCut, valueCut) => {
    fieldBytes += Buffer.byteLength(value);
    if (valueCut) stop(invalid(`"${name}" is too long.`, name));
    if (name !== undefined) work = work.then(() => (fault ? undefined : reader.field(name, value))).catch(stop);
  });
  busboy.on("file", (name, stream, filename) => {
    stream.on("error", () => {});
    fileBytes = () => stream.bytesRead;
    if (name !== reader.fileField) return void stream.resume();
    incoming = stream;
    stream.on("limit", () => stop(invalid(tooLarge, "file")));
    work = work.then(() => (fault ? undefined : take(withQuotes(filename ?? ""), stream))).catch(stop);
  });
  for (const name of ["partsLimit", "filesLimit", "fieldsLimit"] as const) {
    busboy.on(name, () => stop(invalid("The form has too many parts; send one file and its fields.")));
  }
  busboy.on("finish", done.resolve);
  busboy.on("error", (error: unknown) => stop(invalid(`The form is malformed: ${(error as Error).message}.`)));

  async function take(filename: string, stream: Readable): Promise<void> {
    file = await reader.file(filename, stream, () => length - received);
  }

  try {
    for await (const chunk of readBody(exchange, maxFileBytes + roomForFields, tooLarge)) {
      for (let at = 0; at < chunk.length && !fault; at += bytesAtOnce) {
        const slice = chunk.subarray(at, at + bytesAtOnce);
        received += slice.length;
        if (!busboy.write(slice)) await Promise.race([once(busboy, "drain"), done.promise]);
        const between = received - fieldBytes - fileBytes();
        if (between > mostBetween) stop(invalid("The form contains too much data besides its file and fields."));
      }
      if (fault) break;
    }
    if (!fault) busboy.end();
    await done.promise;
  } catch (error) {
    stop(error as Error);
  }
  await work;
  if (!fault) return file;
  if (file) await reader.drop(file);
  throw fault;
}

/** Browsers encode quotes (%22) and line breaks in file names this way, and nothing else. */
const withQuotes = (filename: string) => filename.replaceAll("%22", '"');

async function openParser(contentType: string | null, maxFileBytes: number): Promise<InstanceType<typeof Busboy>> {
  const sentence = "Send a form: the Content-Type must be multipart/form-data with a boundary.";
  if (!/^(multipart\/form-data|application\/x-www-form-urlencoded)\s*(;|$)/i.test(contentType ?? ""))
    throw invalid(sentence);
  // Loaded with the first form, so that the start does not wait for it.
  const { Busboy: Parser } = await import("@fastify/busboy");
  try {
    const headers = { "content-type": contentType } as BusboyHeaders;
    return new Parser({ headers, limits: { ...limits, fileSize: maxFileBytes } });
  } catch {
    throw invalid(sentence);
  }
}
