import { DamagedEntry, UnusableEntry } from "../../platform/archives/tree.ts";
import type { StoredBytes } from "../../platform/archives/stored-bytes.ts";
import type { ByteStream } from "../../platform/byte-stream.ts";
import { invalid, Problem } from "../../platform/errors.ts";
import { encodeFrame, type Frame, FrameError, readFrames } from "../../platform/frames.ts";
import { listAddedAuthorities } from "../../platform/outgoing/begin-request.ts";
import { type ProcessLimits, startLimited } from "../../platform/limited-process.ts";
import {
  besideLine,
  type Job,
  lineStream,
  maxAhead,
  maxBodyBytes,
  type Message,
  type Request,
  type StreamFailure,
} from "../../../convert/format/job.ts";
import { type Failed, failedLine, type FileLine, maxLineBytes } from "../../../convert/format/lines.ts";
import { ServerGone } from "../../../convert/format/server-gone.ts";

/** Lines that the converter must not have sent, because nobody has used the ones before. */
const maxQueued = 2 * maxLineBytes + 4 * maxAhead;

type Options = {
  job: Omit<Job, "certificates">;
  files?: StoredBytes[];
  workDirectory: string;
  limits: ProcessLimits;
  signal?: AbortSignal | undefined;
};

/** The program that reads what strangers wrote, in a process of its own. */
type Converter = AsyncDisposable & {
  first: string;
  lines: AsyncIterable<string>;
  /** The bytes of a file that lies in no folder. */
  open(id: number): ByteStream;
};

type Stream = { chunks: Uint8Array[]; isEnded: boolean; failure: StreamFailure | undefined };

/** Starts it, and waits until it says what the source is. Throws a sentence if that cannot be read. */
export async function startConverter({ job, files = [], ...options }: Options): Promise<Converter> {
  const child = startLimited("converter", options);
  const queue: { line: string; bytes: number }[] = [];
  const streams = new Map<number, Stream>();
  let [queued, used, count] = [0, 0, 0];
  const output = { isEnded: false };
  const frames = readFrames(child.output, { maxLineBytes, maxBodyBytes });
  const send = (request: Request, body?: Uint8Array) => child.write(encodeFrame(request, body));

  /** Reads the next line, for whoever waits for one. */
  let stepping: Promise<void> | null = null;
  const step = () =>
    (stepping ??= takeFrame().finally(() => {
      stepping = null;
    }));

  async function takeFrame(): Promise<void> {
    const { value, done } = await frames.next().catch((error: unknown) => {
      throw error instanceof FrameError ? new Problem("broken", `The converter failed: ${error.message}`) : error;
    });
    if (!done) return dispatch(value);
    output.isEnded = true;
    const reason = await child.findReason();
    if (reason) throw reason;
  }

  function dispatch({ line, body }: Frame): void {
    child.advanced();
    const message = body || ownKinds.test(line) ? (JSON.parse(line) as Message) : null;
    if (message === null) {
      const bytes = Buffer.byteLength(line) + 1 + besideLine;
      queue.push({ line, bytes });
      queued += bytes;
      if (queued > maxQueued) throw new Problem("broken", "The converter failed: it sends more than it was asked for.");
    } else if (message.kind === "part") void sendPart(message);
    else if (message.kind !== "working") {
      const stream = streams.get(message.stream);
      if (message.kind === "bytes" && body) stream?.chunks.push(body);
      if (message.kind === "closed" && stream) Object.assign(stream, { isEnded: true, failure: message.failure });
    }
  }

  async function sendPart({ stream, file, start, end }: Extract<Message, { kind: "part" }>): Promise<void> {
    try {
      const bytes = files[file];
      if (!bytes || !(start >= 0 && start <= end && end <= bytes.size && end - start <= maxBodyBytes))
        throw invalid("There is no such part of an archive.");
      const parts = await Array.fromAsync(bytes.read(start, end));
      await send({ kind: "part", stream }, Buffer.concat(parts));
    } catch (error) {
      await send({ kind: "part", stream, failure: (error as Error).message });
    }
  }

  async function nextLine(): Promise<string | null> {
    while (queue.length === 0 && !output.isEnded) await step();
    const next = queue.shift();
    if (!next) return null;
    queued -= next.bytes;
    used += next.bytes;
    if (used >= maxAhead / 4) {
      await send({ kind: "used", stream: lineStream, bytes: used });
      used = 0;
    }
    return next.line;
  }

  async function* lines(): AsyncGenerator<string> {
    for (let line = await nextLine(); line !== null; line = await nextLine()) yield line;
  }

  async function* open(id: number): AsyncGenerator<Uint8Array> {
    const number = ++count;
    const stream: Stream = { chunks: [], isEnded: false, failure: undefined };
    streams.set(number, stream);
    await send({ kind: "open", stream: number, id });
    try {
      for (;;) {
        while (stream.chunks.length === 0 && !stream.isEnded && !output.isEnded) await step();
        const chunk = stream.chunks.shift();
        if (chunk) {
          yield chunk;
          await send({ kind: "used", stream: number, bytes: chunk.length });
        } else if (stream.failure) throw toError(stream.failure);
        else if (stream.isEnded) return;
        else throw (await child.findReason()) ?? new Problem("broken", "The converter ended before the file did.");
      }
    } finally {
      streams.delete(number);
      if (!stream.isEnded) await send({ kind: "close", stream: number });
    }
  }

  const dispose = () => child[Symbol.asyncDispose]();
  try {
    const whole: Job = { ...job, certificates: listAddedAuthorities() };
    await child.write(encodeFrame(whole));
    const first = await nextLine();
    if (first !== null) checkFailed(first);
    return { first: first ?? "{}", lines: lines(), open, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** The messages that are no lines of a source. */
const ownKinds = /^\{"kind":"(closed|part|working)"/;

function checkFailed(line: string): void {
  if (!line.startsWith('{"kind":"failed"')) return;
  const { data } = failedLine.safeParse(JSON.parse(line));
  if (data) failWith(data);
}

/** A sentence of the converter, as the error that it is here. */
export function failWith({ code, reason, field }: Failed): never {
  if (code === "unavailable" || code === "keyRefused") throw new ServerGone(reason, code === "keyRefused");
  throw code === "invalid" ? invalid(reason, field) : new Problem("broken", reason);
}

function toError({ kind, message }: StreamFailure): Error {
  if (kind === "unavailable" || kind === "keyRefused") return new ServerGone(message, kind === "keyRefused");
  if (kind === "storage") return new Problem("unavailable", message);
  return kind === "damaged" ? new DamagedEntry(message) : new UnusableEntry(message);
}

/** How the files of a source are opened: those of folders in their places, others by the converter. */
export function createFileOpener(
  converter: Pick<Converter, "open">,
  openNamed: (
    number: number,
    path: string[],
  ) => Promise<{ size: number; modifiedAt: number | null; open(): ByteStream }>,
) {
  return async ({ bytes, size = 0, modifiedAt = null }: FileLine) =>
    "id" in bytes ? { size, modifiedAt, open: () => converter.open(bytes.id) } : openNamed(bytes.of, bytes.path);
}
