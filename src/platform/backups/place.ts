import type { Bytes, Made } from "./made.ts";

/** Where backups are stored: files by name, each written whole or not at all, and never changed. */
export type Place = {
  /** For people. */
  readonly name: string;
  /** A directory for files that only the site may read. It is removed when the place is closed. */
  readonly workDirectory: string;
  /** The bytes of a file, which must be read or cancelled; null if there is no such file. If they cannot be read, fails with an `UnreadableError`. */
  open(name: string): Promise<ReadableStream<Uint8Array> | null>;
  /** All files whose names begin with this. */
  list(prefix: string): AsyncGenerator<Stored>;
  /** Writes bytes, as others may read them, to a file that has no name yet. */
  make(bytes: Bytes): Promise<Made>;
  /** Gives a file that was made its name. Once this resolves, it survives a power cut. */
  add(name: string, file: Made): Promise<void>;
  /**
   * Adds a file that stays where it is and never changes, without copying its bytes; false if that is not possible. Not before
   * `flush` does it survive a power cut.
   */
  link(name: string, path: string): boolean;
  /** After this, all names survive a power cut, also those that a program which was killed has added, and none that was removed returns. */
  flush(): Promise<void>;
  remove(name: string): Promise<void>;
  removeEmptyFolders(): Promise<void>;
  rename(name: string, other: string): Promise<void>;
  /** Keeps others from writing here until it is released. Throws if another process does. */
  lock(): Promise<AsyncDisposable>;
  close(): Promise<void>;
};

/** `create` makes the place where there is none. `restore` reads it, into the data directory. */
export type Purpose = "read" | "write" | "create" | "restore";

export type Stored = { name: string; size: number };

/** Something about the backups themselves is wrong; the message is one sentence for people. */
export class BackupError extends Error {}

/** The network or the disk has failed, which says nothing about what is stored. */
export class UnreadableError extends BackupError {}
