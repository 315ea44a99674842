/** Bytes named by their SHA-256: written once, never changed. */
export type Blobs = {
  /**
   * Takes a stream in, counting and hashing, without holding more than a chunk of it. When the stream fails, nothing
   * stays. Until `keep` or `discard` the bytes are in nobody's sight.
   */
  receive(stream: AsyncIterable<Uint8Array>): Promise<Received>;
  /** The bytes, or those from `start` up to but not including `end`; null when there is no such blob. */
  open(sha256: string, range?: { start: number; end: number }): Promise<Blob | null>;
  /** Removes blobs that `isUsed` does not know and that nobody has kept within the last hour. Answers how many went. */
  sweep(isUsed: (sha256: string[]) => Promise<Set<string>>): Promise<number>;
};

export type Received = {
  sha256: string;
  size: number;
  /** The first bytes, enough to tell the kind of file. */
  head: Uint8Array;
  /** When this resolves, the bytes survive a power cut. */
  keep(): Promise<void>;
  discard(): Promise<void>;
};
