import { closeSync, fsync, openSync } from "node:fs";
import { promisify } from "node:util";
import { Problem } from "../errors.ts";

const sync = promisify(fsync);

/** A new name in a directory survives a power cut only after this. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open directories; NTFS journals names itself.
  if (process.platform === "win32") return;
  // Only the flush takes long enough to be worth a thread.
  const directory = openSync(path, "r");
  try {
    await sync(directory);
  } finally {
    closeSync(directory);
  }
}

export function diskFull(): Problem {
  return new Problem("unavailable", "The server's disk is full; nothing was stored.");
}
