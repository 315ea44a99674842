import { openAsBlob } from "node:fs";
import { chunksOf } from "../../platform/blobs/blobs.ts";
import type { ExportedSite, FileEntry } from "./entry.ts";

/** Null if they are missing from the site. */
export async function openBytes(
  site: ExportedSite,
  { sha256, bytes }: FileEntry,
): Promise<ReadableStream<Uint8Array> | null> {
  if ("text" in bytes) return new Blob([bytes.text]).stream();
  if ("file" in bytes) return (await openAsBlob(bytes.file)).stream();
  const found = await site.openBlob(sha256);
  return found && chunksOf(found);
}
