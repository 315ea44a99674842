import { join } from "node:path";
import { spool, type Spooled } from "../blobs/spool.ts";
import { unwatchedDisk } from "../disk.ts";
import { hashOf } from "../hash.ts";

/** A file without a name. */
export type Made = Pick<Spooled, "path" | "size" | "sha256">;
export type Bytes = AsyncIterable<Uint8Array> | Uint8Array[];

/** Writes bytes to a new file in this directory, and flushes it. */
export const makeFile = (directory: string, bytes: Bytes): Promise<Made> =>
  spool(directory, bytes, { isFlushed: true, disk: unwatchedDisk });

/** The name of a file that does not exist yet. */
export const newPath = (directory: string): string => join(directory, crypto.randomUUID());

/** A file that was written by somebody else; null if there is none. */
export async function measureFile(path: string): Promise<Made | null> {
  const file = Bun.file(path);
  return (await file.exists()) ? { path, size: file.size, sha256: await hashOf(file.stream()) } : null;
}
