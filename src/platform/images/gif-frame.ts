import type sharp from "sharp";
import type { Sharp, SharpOptions } from "sharp";
import { colourTable, endOfData } from "./gif.ts";
import { uint } from "./bytes.ts";

type Area = { left: number; top: number; width: number; height: number };

/**
 * Opens the first frame of a GIF. The library paints what that does not cover black if no colour is transparent; here it is
 * transparent, as browsers show it.
 */
export async function openGIF(
  library: typeof sharp,
  source: string,
  options: SharpOptions,
  bytes: Uint8Array,
): Promise<Sharp> {
  const picture = library(source, options);
  const frame = findFrame(bytes);
  const { width, height, hasAlpha } = await picture.metadata();
  if (!frame || hasAlpha) return picture;
  const [right, bottom] = [width - frame.left - frame.width, height - frame.top - frame.height];
  if (right < 0 || bottom < 0 || (frame.width === width && frame.height === height)) return picture;
  const { data, info } = await picture
    .extract(frame)
    .extend({ left: frame.left, top: frame.top, right, bottom, background: "#0000" })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return library(data, { raw: { width, height, channels: info.channels } });
}

/** Where the first frame is on the canvas. */
function findFrame(bytes: Uint8Array): Area | null {
  for (let at = 13 + colourTable(bytes[10] ?? 0); at < bytes.length;) {
    if (bytes[at] === 0x2c) {
      const [left = 0, top = 0, width = 0, height = 0] = [1, 3, 5, 7].map((offset) =>
        uint(bytes, at + offset, 2, true),
      );
      return width > 0 && height > 0 ? { left, top, width, height } : null;
    }
    if (bytes[at] !== 0x21) return null;
    at = endOfData(bytes, at + 2);
  }
  return null;
}
