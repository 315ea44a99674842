import type { Client, KnownFile } from "../../client/src/index.ts";

/** A file of one's own on the server with the same content, and the photo of it. */
export type Known = KnownFile;

/** The files that the server already has, by the hashes of their content. */
export async function findKnown(api: Client, hashes: Iterable<string>): Promise<Map<string, Known[]>> {
  const sha256 = [...new Set(hashes)];
  if (sha256.length === 0) return new Map();
  return Map.groupBy(await api.findKnownFiles({ sha256 }), (known) => known.sha256);
}
