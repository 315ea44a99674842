import { readFileSync, statSync } from "node:fs";

/** The bytes of a file without memory of their own, so that gigabytes do no harm; Windows has no such thing. */
export function viewFile(path: string): Uint8Array {
  if (process.platform === "win32" || statSync(path).size === 0) return readFileSync(path);
  return Bun.mmap(path, { shared: false });
}
