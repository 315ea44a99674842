import { constants } from "node:fs";
import { type FileHandle, open, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ByteStream } from "../byte-stream.ts";
import type { Disk } from "../disk.ts";
import { writeFlushed } from "../durable.ts";
import type { Received } from "./blobs.ts";

/** With `isFlushed`, the file is also flushed to the disk. */
type Options = { isFlushed: boolean; disk: Disk };
export type Spooled = Pick<Received, "sha256" | "size" | "head"> & { path: string };

const headBytes = 4096;
/** Chunks are written together: each write costs about as much as copying this many bytes. */
const bytesAtOnce = 2 ** 19;
/** One call writes at most 1,024 chunks. */
const chunksAtOnce = 1000;

/**
 * Writes a stream to a new file in the directory. If the stream or the disk fails, or the disk has no space for it, no file
 * is left behind.
 */
export async function spool(
  directory: string,
  stream: ByteStream | Uint8Array[],
  { isFlushed, disk }: Options,
): Promise<Spooled> {
  const path = join(directory, crypto.randomUUID());
  try {
    return { path, ...(await write(path, stream, { isFlushed, disk })) };
  } catch (error) {
    await rm(path, { force: true }).catch(() => {});
    throw disk.explain(error);
  }
}

/** A small file is written in one piece. */
async function write(
  path: string,
  stream: ByteStream | Uint8Array[],
  { isFlushed, disk }: Options,
): Promise<Omit<Spooled, "path">> {
  const hasher = new Bun.CryptoHasher("sha256");
  const head = new Uint8Array(headBytes);
  let size = 0;
  const unwritten: Uint8Array[] = [];
  let unwrittenBytes = 0;
  let file: FileHandle | null = null;
  try {
    for await (const chunk of stream) {
      if (size < headBytes) head.set(chunk.subarray(0, headBytes - size), size);
      unwritten.push(chunk);
      unwrittenBytes += chunk.length;
      if (unwrittenBytes >= bytesAtOnce || unwritten.length >= chunksAtOnce) {
        disk.claim(unwrittenBytes);
        file ??= await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
        await writeAndRelease(file);
        unwrittenBytes = 0;
      }
      size += chunk.length;
    }
    disk.claim(unwrittenBytes);
    if (!file) {
      const bytes = joined(unwritten);
      const writing = isFlushed ? writeFlushed(path, bytes, "wx") : writeFile(path, bytes, { flag: "wx", mode: 0o600 });
      const [sha256] = await Promise.all([digestOf(bytes), writing]);
      release(unwritten);
      return { sha256, size, head: head.subarray(0, size) };
    }
    if (unwrittenBytes > 0) await writeAndRelease(file);
    if (isFlushed) await file.sync();
  } finally {
    await file?.close();
  }
  return { sha256: hasher.digest("hex"), size, head: head.subarray(0, size) };

  async function writeAndRelease(opened: FileHandle): Promise<void> {
    const chunks = unwritten.splice(0);
    for (const chunk of chunks) hasher.update(chunk);
    await writeTo(opened, chunks);
    release(chunks);
  }

  function release(chunks: Uint8Array[]): void {
    if ("release" in stream) for (const chunk of chunks) stream.release?.(chunk);
  }
}

/** Of fewer bytes, the hash is sooner there than a thread. */
const fewBytes = 2 ** 16;

/** In a thread of its own while the bytes are written, if there are many. */
async function digestOf(bytes: Uint8Array): Promise<string> {
  if (bytes.length < fewBytes) return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  return Buffer.from(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>)).toString("hex");
}

async function writeTo(file: FileHandle, chunks: Uint8Array[]): Promise<void> {
  const { bytesWritten } = await file.writev(chunks);
  const left = chunks.reduce((sum, chunk) => sum + chunk.length, -bytesWritten);
  // The disk is almost full: the next write reports it.
  if (left > 0) await writeTo(file, [joined(chunks).subarray(bytesWritten)]);
}

const joined = (chunks: Uint8Array[]) => (chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks));
