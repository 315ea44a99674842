import type { StoredBytes } from "../archives/stored-bytes.ts";
import type { ByteStream } from "../byte-stream.ts";
import { invalid, Problem } from "../errors.ts";
import { type Failure, toError } from "./failures.ts";
import { encodeFrame, type Frame, FrameError, type LineLimits, readFrames } from "./frames.ts";
import { type ProcessLimits, startLimited } from "./limited-process.ts";
import { besideLine, lineStream, maxAhead, maxBodyBytes, type Message, type Request } from "./messages.ts";

/** How much of a stream the child must not have sent, because nobody has used what came before. */
const maxHeld = maxAhead + maxBodyBytes;
/** Each reader in the child waits for one. */
const maxParts = 32;

type Options = {
  /** The first line that the child gets. */
  job: object;
  /** Archives of which it wants parts. */
  files?: StoredBytes[] | undefined;
  lineLimits: LineLimits;
  workDirectory: string;
  limits: ProcessLimits;
  signal?: AbortSignal | undefined;
};

/** A child process that reads what strangers wrote. */
export type Pipe = AsyncDisposable & {
  /** The first line; null if there is none. */
  first: string | null;
  lines: AsyncIterable<string>;
  /** The bytes of a file that it offers. */
  open(id: number): ByteStream;
};

type Stream = { chunks: Uint8Array[]; held: number; isEnded: boolean; failure: Failure | undefined };

/** Starts a process, and waits for its first line. Throws a sentence if there is a reason why nothing came. */
export async function startPipe(
  command: string[],
  { job, files = [], lineLimits, ...options }: Options,
): Promise<Pipe> {
  const child = startLimited(command, options);
  /** Lines that the child must not have sent, because nobody has used the ones before. */
  const maxQueued = 2 * lineLimits.maxLineBytes + 4 * maxAhead;
  const queue: { line: string; bytes: number }[] = [];
  const streams = new Map<number, Stream>();
  let [queued, used, count, parts] = [0, 0, 0, 0];
  const output = { isEnded: false };
  const frames = readFrames(child.output, { ...lineLimits, maxBodyBytes });
  const send = (request: Request, body?: Uint8Array) => child.write(encodeFrame(request, body));

  /** Reads the next line, for whoever waits for one. */
  let stepping: Promise<void> | null = null;
  const step = () =>
    (stepping ??= takeFrame().finally(() => {
      stepping = null;
    }));

  async function takeFrame(): Promise<void> {
    const { value, done } = await frames.next().catch((error: unknown) => {
      throw error instanceof FrameError ? broken(error.message) : error;
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
      if (queued > maxQueued) throw broken(sendsTooMuch);
    } else if (message.kind === "part") {
      if (++parts > maxParts) throw broken("It asks for too much at once.");
      void sendPart(message).finally(() => parts--);
    } else if (message.kind !== "working") {
      const stream = streams.get(message.stream);
      if (message.kind === "bytes" && body && stream) addBytes(stream, body);
      if (message.kind === "closed" && stream) Object.assign(stream, { isEnded: true, failure: message.failure });
    }
  }

  function addBytes(stream: Stream, body: Uint8Array): void {
    stream.chunks.push(body);
    stream.held += body.length;
    if (stream.held > maxHeld) throw broken(sendsTooMuch);
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
    const stream: Stream = { chunks: [], held: 0, isEnded: false, failure: undefined };
    streams.set(number, stream);
    await send({ kind: "open", stream: number, id });
    try {
      for (;;) {
        while (stream.chunks.length === 0 && !stream.isEnded && !output.isEnded) await step();
        const chunk = stream.chunks.shift();
        if (chunk) {
          stream.held -= chunk.length;
          yield chunk;
          await send({ kind: "used", stream: number, bytes: chunk.length });
        } else if (stream.failure) throw toError(stream.failure);
        else if (stream.isEnded) return;
        else throw (await child.findReason()) ?? broken("It ended before the file did.");
      }
    } finally {
      streams.delete(number);
      if (!stream.isEnded) await send({ kind: "close", stream: number });
    }
  }

  const dispose = () => child[Symbol.asyncDispose]();
  try {
    await child.write(encodeFrame(job));
    return { first: await nextLine(), lines: lines(), open, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** The messages that are no lines. */
const ownKinds = /^\{"kind":"(closed|part|working)"/;

const sendsTooMuch = "It sends more than it was asked for.";
const broken = (why: string) => new Problem("broken", `The program that reads the source has failed. ${why}`);
