import type { Made } from "../../platform/backups/made.ts";
import { spool } from "../../platform/blobs/spool.ts";
import { unwatchedDisk } from "../../platform/disk.ts";

/** Where a copy is written: a folder, or objects of a bucket. */
export type Output = {
  /** For people. */
  readonly name: string;
  /** A directory for files that are being made. It is removed when the output is closed. */
  readonly workDirectory: string;
  /** The bytes of a file; null if there is none. */
  open(file: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** Moves a file out of the work directory. Visitors see the old one or the new one, whole. */
  put(file: string, made: Made): Promise<void>;
  /** Whether there is a file of this size, as far as that can be known without asking for each of them. */
  has(file: string, size: number): boolean;
  remove(file: string): Promise<void>;
  close(): Promise<void>;
};

/** The copy cannot be written there; the message is one sentence for people. */
export class CopyError extends Error {}

/** Writes a stream to a new file in the work directory. What a power cut leaves incomplete is written again by the next run. */
export const makeFile = (directory: string, stream: AsyncIterable<Uint8Array> | Uint8Array[]): Promise<Made> =>
  spool(directory, stream, { isFlushed: false, disk: unwatchedDisk });
