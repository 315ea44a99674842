import type { StoredBytes } from "../archives/stored-bytes.ts";
import { UnusableEntry } from "../archives/tree.ts";
import type { ByteStream } from "../byte-stream.ts";
import { Problem } from "../errors.ts";
import { countProgress } from "../progress.ts";
import { toFailure } from "./failures.ts";
import { checkLine, encodeFrame, type LineLimits, readFrames } from "./frames.ts";
import { besideLine, lineStream, maxAhead, maxBodyBytes, type Message, type Request } from "./messages.ts";

const chunkBytes = 2 ** 18;
const workingEveryMs = 1000;
/** The parent is ours. */
const trusted = { maxLineBytes: 2 ** 26, maxValues: Infinity, maxEscapes: Infinity };

/** The process that has started this one: it gets lines, and the bytes of files when it wants them. */
export type Connection<Job> = {
  job: Job;
  /** Resolves when there is place for more. Throws a `FrameError` if the line exceeds a limit. */
  writeLine(line: object): Promise<void>;
  /** Returns the number by which the bytes can be asked for. */
  offer(open: () => ByteStream): number;
  /** An archive that the other process has. */
  archive(file: number, known: { name: string; size: number }): StoredBytes;
};

type Part = { resolve(bytes: Uint8Array): void; reject(error: Error): void };
type Stream = { unused: number; isClosed: boolean; wake(): void };
const newStream = (): Stream => ({ unused: 0, isClosed: false, wake() {} });

/** Waits until the other process has used enough of what was sent. */
async function useBytes(stream: Stream, count: number): Promise<void> {
  while (stream.unused >= maxAhead && !stream.isClosed) await new Promise<void>((resolve) => (stream.wake = resolve));
  stream.unused += count;
}

/** Reads the job from the standard input, and what is asked for after it. The process ends with the input. */
export async function connect<Job>(lineLimits: LineLimits): Promise<Connection<Job>> {
  const frames = readFrames(Bun.stdin.stream(), { ...trusted, maxBodyBytes });
  const { value: first } = await frames.next();
  const job = JSON.parse((first as { line: string }).line) as Job;
  const offered = new Map<number, () => ByteStream>();
  const lines = newStream();
  const streams = new Map([[lineStream, lines]]);
  const parts = new Map<number, Part>();
  let count = 0;
  let writing: Promise<unknown> = Promise.resolve();
  let told = 0;

  const write = (bytes: Uint8Array) => {
    writing = writing.then(
      () => process.stdout.write(bytes) || new Promise((resolve) => process.stdout.once("drain", resolve)),
    );
    return writing;
  };
  const send = (message: Message, body?: Uint8Array) => write(encodeFrame(message, body));

  void listen();
  setInterval(() => {
    if (countProgress() === told) return;
    told = countProgress();
    void send({ kind: "working" });
  }, workingEveryMs).unref();

  async function listen(): Promise<void> {
    for await (const { line, body } of frames) {
      const request = JSON.parse(line) as Request;
      if (request.kind === "open") void sendFile(request.stream, request.id);
      else if (request.kind === "part") settlePart(request, body);
      else {
        const stream = streams.get(request.stream);
        if (!stream) continue;
        if (request.kind === "used") stream.unused -= request.bytes;
        else stream.isClosed = true;
        stream.wake();
      }
    }
    process.exit(0);
  }

  function settlePart({ stream, failure }: Extract<Request, { kind: "part" }>, body: Uint8Array | null): void {
    const part = parts.get(stream);
    parts.delete(stream);
    if (failure !== undefined) part?.reject(new Problem("unavailable", failure));
    else part?.resolve(body ?? new Uint8Array());
  }

  async function sendFile(number: number, id: number): Promise<void> {
    const stream = newStream();
    streams.set(number, stream);
    try {
      const open = offered.get(id);
      if (!open) throw new UnusableEntry("There is no such file.");
      for await (const chunk of inChunks(open())) {
        await useBytes(stream, chunk.length);
        if (stream.isClosed) return;
        await send({ kind: "bytes", stream: number }, chunk);
      }
      await send({ kind: "closed", stream: number });
    } catch (error) {
      if (!stream.isClosed) await send({ kind: "closed", stream: number, failure: toFailure(error, "storage") });
    } finally {
      streams.delete(number);
    }
  }

  async function* readArchive(file: number, start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let from = start; from < end; from += maxBodyBytes) {
      const stream = ++count;
      const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
      parts.set(stream, { resolve, reject });
      await send({ kind: "part", stream, file, start: from, end: Math.min(end, from + maxBodyBytes) });
      yield await promise;
    }
  }

  return {
    job,
    async writeLine(line) {
      const bytes = encodeFrame(line);
      checkLine(bytes, lineLimits);
      await useBytes(lines, bytes.length + besideLine);
      await write(bytes);
    },
    offer(open) {
      offered.set(++count, open);
      return count;
    },
    archive: (file, known) => ({ ...known, read: (start, end) => readArchive(file, start, end) }),
  };
}

/** Small chunks together. */
async function* inChunks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length; start += maxBodyBytes) {
      const part = chunk.subarray(start, start + maxBodyBytes);
      if (size > 0 && size + part.length > chunkBytes) {
        yield Buffer.concat(parts, size);
        [parts, size] = [[], 0];
      }
      parts.push(part);
      size += part.length;
    }
  }
  if (size > 0) yield Buffer.concat(parts, size);
}
