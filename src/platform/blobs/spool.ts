import { constants } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { diskFull } from "../durable.ts";
import type { Received } from "./blobs.ts";

export type Spooled = Pick<Received, "sha256" | "size" | "head"> & { path: string };

const collectEvery = 16 * 2 ** 20;
const headBytes = 4096;
/** Chunks are written together: each write costs about as much as copying this many bytes. */
const bytesAtOnce = 2 ** 19;

/**
 * Writes a stream to a new file in the directory and calls `finish` before the file is closed. If the stream or the
 * disk fails, no file is left behind.
 */
export async function spool(
  directory: string,
  stream: AsyncIterable<Uint8Array> | Uint8Array[],
  finish: (file: FileHandle) => Promise<void> = async () => {},
): Promise<Spooled> {
  const path = join(directory, crypto.randomUUID());
  try {
    return { path, ...(await write(path, stream, finish)) };
  } catch (error) {
    await rm(path, { force: true });
    throw (error as NodeJS.ErrnoException).code === "ENOSPC" ? diskFull() : error;
  }
}

async function write(
  path: string,
  stream: AsyncIterable<Uint8Array> | Uint8Array[],
  finish: (file: FileHandle) => Promise<void>,
): Promise<Omit<Spooled, "path">> {
  const hasher = new Bun.CryptoHasher("sha256");
  const head = new Uint8Array(headBytes);
  let size = 0;
  let unwritten: Uint8Array[] = [];
  let unwrittenBytes = 0;
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    for await (const chunk of stream) {
      hasher.update(chunk);
      if (size < headBytes) head.set(chunk.subarray(0, headBytes - size), size);
      unwritten.push(chunk);
      unwrittenBytes += chunk.length;
      if (unwrittenBytes >= bytesAtOnce) await writeChunks();
      // Written chunks are garbage. Collecting them in time keeps them from piling up when the sender is fast.
      if (Math.floor((size + chunk.length) / collectEvery) > Math.floor(size / collectEvery)) Bun.gc(true);
      size += chunk.length;
    }
    await writeChunks();
    await finish(file);
  } finally {
    await file.close();
  }
  return { sha256: hasher.digest("hex"), size, head: head.subarray(0, size) };

  async function writeChunks(): Promise<void> {
    const bytes = unwritten.length === 1 ? (unwritten[0] as Uint8Array) : Buffer.concat(unwritten);
    unwritten = [];
    unwrittenBytes = 0;
    for (let written = 0; written < bytes.length;) written += (await file.write(bytes, written)).bytesWritten;
  }
}
