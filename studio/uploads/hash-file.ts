import { createSHA256 } from "./sha256.ts";

/** Larger files are read in slices, so that none is in memory as a whole. */
const maxWhole = 2 ** 27;
/** Takes a few milliseconds, so that the page stays smooth. */
const slice = 2 ** 19;

/** The SHA-256 of a file in hexadecimal. */
export async function hashFile(file: Blob): Promise<string> {
  if (file.size <= maxWhole && crypto.subtle) {
    const hash = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
    return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }
  const hash = createSHA256();
  for (let at = 0; at < file.size; at += slice) {
    hash.update(new Uint8Array(await file.slice(at, at + slice).arrayBuffer()));
  }
  return hash.digest();
}
