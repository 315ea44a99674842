import { readFileSync, statSync } from "node:fs";

/** The bytes of a file, mapped so that large files take no memory. On Windows the file is read. */
export function viewFile(path: string): Uint8Array {
  if (process.platform === "win32" || statSync(path).size === 0) return readFileSync(path);
  return Bun.mmap(path, { shared: false });
}

/** Whether a file has more bytes than one view can have. */
export const isTooLong = (path: string) => statSync(path).size >= 2 ** 32;
