import { type TreeFile, UnusableEntry } from "../../src/platform/archives/tree.ts";

/** A small file as text, without the mark of its encoding. Throws if it is larger. */
export async function readText(file: TreeFile, maxBytes: number): Promise<string> {
  if (file.size > maxBytes) throw new UnusableEntry(`It is larger than ${Math.round(maxBytes / 2 ** 20)} MiB.`);
  return Buffer.concat(await Array.fromAsync(file.open()))
    .toString()
    .replace(/^\ufeff/, "");
}

/** The first bytes of a file. */
export async function readHead(file: TreeFile, bytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of file.open()) {
    chunks.push(chunk);
    if ((size += chunk.length) >= bytes) break;
  }
  return Buffer.concat(chunks).subarray(0, bytes);
}
