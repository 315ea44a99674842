import { closeSync, fsync, openSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Writes a file and flushes it. The `flush` option of `writeFile` is not enough: Bun 1.4.4 calls fsync for it and ignores the
 * error, so a disk that failed to store the bytes would look as if it had.
 */
export async function writeFlushed(path: string, bytes: Uint8Array | string, flag: "w" | "wx"): Promise<void> {
  const file = await open(path, flag, 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Creates a directory, and those above it that are missing, so that a power cut does not remove them again. */
export async function makeDirectory(path: string): Promise<void> {
  const directory = resolve(path);
  const first = await mkdir(directory, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = directory; made.length >= first.length; made = dirname(made)) await syncDirectory(dirname(made));
}

/** A new name in a directory survives a power cut only after this. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open directories; NTFS journals names itself.
  if (process.platform === "win32") return;
  // Only the flush takes long enough to be worth a thread.
  const directory = openSync(path, "r");
  try {
    await flush(directory);
  } finally {
    closeSync(directory);
  }
}

function flush(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => fsync(descriptor, (error) => (error ? reject(error) : resolve())));
}
