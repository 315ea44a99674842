import { join } from "node:path";
import { spool, type Spooled } from "../blobs/spool.ts";
import { unwatchedDisk } from "../disk.ts";
import { hashOf } from "../hash.ts";

/** A file in the work directory. */
export type Made = Pick<Spooled, "path" | "size" | "sha256">;

/** Writes a stream to a new file in this directory, and flushes it. */
export const makeFile = (directory: string, stream: AsyncIterable<Uint8Array> | Uint8Array[]): Promise<Made> =>
  spool(directory, stream, { isFlushed: true, disk: unwatchedDisk });

export const makeText = (directory: string, text: string): Promise<Made> =>
  makeFile(directory, [new TextEncoder().encode(text)]);

/** The name of a file that does not exist yet. */
export const newPath = (directory: string): string => join(directory, crypto.randomUUID());

/** A file that was written by somebody else; null if there is none. */
export async function measureFile(path: string): Promise<Made | null> {
  const file = Bun.file(path);
  return (await file.exists()) ? { path, size: file.size, sha256: await hashOf(file.stream()) } : null;
}
