/** Bytes named by their SHA-256: written once, never changed. */
export type Blobs = {
  /**
   * Takes a stream in, counting and hashing, without holding more than a chunk of it. When the stream fails, nothing
   * stays. Until `keep` or `discard` the bytes are in nobody's sight.
   */
  receive(stream: AsyncIterable<Uint8Array>): Promise<Received>;
  /**
   * The bytes, or those from `start` up to but not including `end`; null when there is no such blob. A stream must be
   * read or cancelled.
   */
  open(sha256: string, range?: Range): Promise<Blob | ReadableStream<Uint8Array> | null>;
  /**
   * Calls `work` with a local file that has the bytes and must not be changed; null when there is no such blob, or none
   * any more when the work is done. The work may run more than once.
   */
  withFile<Result>(sha256: string, work: (path: string) => Promise<Result>): Promise<Result | null>;
  /** Is there such a blob? Moves none of its bytes. */
  has(sha256: string): Promise<boolean>;
  /**
   * Where the blob can be read without this server for so many seconds, under these headers; null when such addresses
   * do not exist here. Does not look whether the blob is there.
   */
  signedURL(
    sha256: string,
    wanted: { contentType: string; disposition: string; seconds: number },
  ): Promise<string | null>;
  /** Something made of a blob by this name; null when it is not there. A stream must be read or cancelled. */
  openDerived(sha256: string, name: string): Promise<{ bytes: Blob | ReadableStream<Uint8Array>; size: number } | null>;
  /**
   * Keeps what can be made again at any time, beside the blob. It comes whole or not at all, may be lost, and is not kept
   * where the blob has been removed.
   */
  keepDerived(sha256: string, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /**
   * Removes those of the named blobs that `findUsed` does not return, with what was made of them. It waits for the callers
   * that have kept one of them, and leaves a blob that is kept meanwhile to who keeps it: the caller makes sure that an
   * unused blob cannot come into use in another way. Where other processes write to the same storage, all of them are
   * left to the sweep.
   */
  removeUnused(sha256: string[], findUsed: FindUsed): Promise<void>;
  /**
   * Removes blobs that `findUsed` does not return and that nobody has kept within the last hour, and what was made of blobs
   * that are unknown, or has a name that `isOutdated` says is not used any more. Returns how many blobs went.
   */
  sweep(findUsed: FindUsed, isOutdated?: (derivedName: string) => boolean): Promise<number>;
  /** Ends the use of the storage: nothing may be received after this. */
  close(): void;
};

/** Which of these blobs are in use. */
export type FindUsed = (sha256: string[]) => Promise<Set<string>>;

/** What `open` answers, as chunks. */
export function chunksOf(bytes: Blob | ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return bytes instanceof Blob ? bytes.stream() : bytes;
}

type Range = { start: number; end: number };

export type Received = {
  sha256: string;
  size: number;
  /** The first bytes, enough to tell the kind of file. */
  head: Uint8Array;
  /**
   * When this resolves, the bytes survive a power cut, and are not removed as unused before `discard` is called, which is
   * to be done as soon as a row refers to them. Calls `moved` now and then while a long transfer goes on.
   */
  keep(moved?: () => void): Promise<void>;
  /** Ends it: bytes that were not kept are removed, and kept ones stay as long as they are used. */
  discard(): Promise<void>;
};
