import { invalid } from "../errors.ts";
import type { File } from "../files/file.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import { readImageSize } from "../platform/media.ts";

/** More than any camera writes before the frame header, and no reason to load a whole video. */
const enoughBytes = 2 ** 20;

/** The size of an image in pixels, read from its header. */
export async function readDimensions(blobs: Blobs, file: File): Promise<{ width: number; height: number }> {
  const head = await blobs.open(file.sha256 ?? "", { start: 0, end: Math.min(file.size, enoughBytes) });
  const size = head && (await readImageSize(head));
  if (!size) throw invalid(`"width" and "height" are required: they cannot be read from "${file.name}".`, "width");
  return size;
}
