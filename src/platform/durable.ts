import { open } from "node:fs/promises";
import { Problem } from "../errors.ts";

/** A new name in a directory survives a power cut only after this. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open directories; NTFS journals names itself.
  if (process.platform === "win32") return;
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

export function diskFull(): Problem {
  return new Problem("unavailable", "The server's disk is full; nothing was stored.");
}
