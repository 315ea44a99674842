import { closeSync, fsync, openSync } from "node:fs";

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
