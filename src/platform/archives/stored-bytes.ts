import { Readable } from "node:stream";
import { RandomAccessReader } from "yauzl";

/** Bytes that are elsewhere than on this machine, and can be read from any place. */
export type StoredBytes = {
  name: string;
  size: number;
  /** From `start` up to but not including `end`. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
};

const firstWindow = 2 ** 16;
const nextWindow = 2 ** 20;

/**
 * Reads a zip archive, of which many small parts follow each other, with few requests: what lies behind a small part is read
 * with it.
 */
export class StoredReader extends RandomAccessReader {
  readonly #bytes: StoredBytes;
  #window = { start: 0, content: Buffer.alloc(0) };

  constructor(bytes: StoredBytes) {
    super();
    this.#bytes = bytes;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(end - start > nextWindow ? this.#bytes.read(start, end) : this.#readSmall(start, end), {
      objectMode: false,
    });
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }

  async *#readSmall(start: number, end: number): AsyncGenerator<Uint8Array> {
    yield await this.#fill(start, end);
  }

  async #fill(start: number, end: number): Promise<Buffer> {
    const { start: first, content } = this.#window;
    const last = first + content.length;
    if (start >= first && end <= last) return content.subarray(start - first, end - first);
    const isNext = start >= first && start <= last;
    const until = Math.min(Math.max(end, start + (isNext ? nextWindow : firstWindow)), this.#bytes.size);
    const read = Buffer.concat(await Array.fromAsync(this.#bytes.read(start, until)));
    this.#window = { start, content: read };
    return read.subarray(0, end - start);
  }
}
