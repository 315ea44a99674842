import type { ByteRange } from "../byte-range.ts";
import type { ByteStream } from "../byte-stream.ts";

/** Bytes addressed by their SHA-256: written once, never changed. */
export type Blobs = {
  /**
   * Receives a stream, counting and hashing it, and holds at most one chunk in memory. If the stream fails, nothing is
   * left behind. The bytes are not visible before `keep`.
   */
  receive(stream: ByteStream): Promise<Received>;
  /**
   * The bytes, or those from `start` up to but not including `end`; null if there is no such blob, or none of this size: one
   * that was cut short is damaged. A stream must be read or cancelled.
   */
  open(sha256: string, range?: ByteRange, size?: number): Promise<Blob | ReadableStream<Uint8Array> | null>;
  /**
   * Calls `work` with a local file that contains the bytes and must not be changed. Returns null if there is no such
   * blob, or if it was removed before the work finished. The work may run more than once.
   */
  withLocalFile<Result>(sha256: string, work: (path: string) => Promise<Result>): Promise<Result | null>;
  /** Whether the blob exists. Transfers none of its bytes. */
  has(sha256: string): Promise<boolean>;
  /** The size of the blob in bytes; null if there is no such blob. Transfers none of its bytes. */
  sizeOf(sha256: string): Promise<number | null>;
  /** The origin of signed URLs; null if the blob store has none. */
  readonly signedOrigin: string | null;
  /**
   * A URL from which the blob can be read without this server for this many seconds, with these headers; null if the
   * blob store has no such URLs. Does not check that the blob exists.
   */
  signedURL(
    sha256: string,
    wanted: { contentType: string; disposition: string; seconds: number },
  ): Promise<string | null>;
  /** The derived file of this name; null if it does not exist. A stream must be read or cancelled. */
  openDerived(sha256: string, name: string): Promise<{ bytes: Blob | ReadableStream<Uint8Array>; size: number } | null>;
  /**
   * Stores a file derived from the blob, which can be regenerated at any time. It is stored whole or not at all, may be
   * lost, and is not stored if the blob has been removed.
   */
  keepDerived(sha256: string, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Removes the derived file of this name, if it exists. */
  removeDerived(sha256: string, name: string): Promise<void>;
  /**
   * Removes those of the named blobs that `findUsed` does not return, with their derived files. It waits for callers
   * that have kept one of them; a blob that is kept in the meantime is left to that caller. The caller ensures that an
   * unused blob cannot come into use in any other way. If other processes write to the same blob store, this does
   * nothing and leaves them to the sweep.
   */
  removeUnused(sha256: string[], findUsed: FindUsed): Promise<void>;
  /**
   * Removes blobs that `findUsed` does not return and that were not kept within the last hour. Also removes derived
   * files whose blob is unknown, or whose name is outdated according to `isOutdated`.
   */
  sweep(findUsed: FindUsed, isOutdated?: (derivedName: string) => boolean): Promise<Swept>;
  /** Closes the blob store: nothing may be received after this. */
  close(): void;
};

/** `removed` is the number of removed blobs, `derived` what is left of the derived files. */
export type Swept = { removed: number; derived: { count: number; bytes: number } };

/** Which of these blobs are in use. */
export type FindUsed = (sha256: string[]) => Promise<Set<string>>;

/** The result of `open`, as chunks. */
export function chunksOf(bytes: Blob | ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return bytes instanceof Blob ? bytes.stream() : bytes;
}

/** Stores bytes of which the hash is known. Returns false, and stores nothing, if they have another one. */
export async function storeWhole(
  blobs: Pick<Blobs, "receive">,
  sha256: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  const received = await blobs.receive(bytes);
  const isWhole = received.sha256 === sha256;
  if (isWhole) await received.keep();
  await received.discard();
  return isWhole;
}

export type Received = {
  sha256: string;
  size: number;
  /** The first bytes, enough to detect the type of the file. */
  head: Uint8Array;
  /**
   * Once this resolves, the bytes survive a power cut and are not removed as unused before `discard` is called. Call
   * that as soon as a row refers to them. `moved` is called from time to time during a long transfer.
   */
  keep(moved?: () => void): Promise<void>;
  /** Must be called at the end: bytes that were not kept are removed, and kept ones stay as long as they are used. */
  discard(): Promise<void>;
};
