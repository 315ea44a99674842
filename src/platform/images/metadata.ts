import { applyEdits, type Block, nothing } from "./bytes.ts";
import { type Exif, readExif } from "./exif.ts";
import { gifBlocks } from "./gif.ts";
import { heifBlocks } from "./heif.ts";
import { jpegBlocks } from "./jpeg.ts";
import { placeInIptc, placeInXmp } from "./place-name.ts";
import { pngBlocks } from "./png.ts";
import { tiffBlocks } from "./tiff-file.ts";
import { webpBlocks } from "./webp.ts";

export type ImageMetadata = Exif & {
  /** What people call the place, from the smallest part to the largest. */
  placeName: string | null;
};

const formats = new Map<string, (bytes: Uint8Array) => Generator<Block>>([
  ["image/jpeg", jpegBlocks],
  ["image/png", pngBlocks],
  ["image/webp", webpBlocks],
  ["image/gif", gifBlocks],
  ["image/tiff", tiffBlocks],
  ["image/avif", heifBlocks],
  ["image/heic", heifBlocks],
  ["image/heif", heifBlocks],
]);
const mostBlocks = 20_000;

/** What a picture tells of itself. It takes any bytes and never fails: what cannot be read is null. */
export function readMetadata(bytes: Uint8Array, contentType: string): ImageMetadata {
  const found = new Map<Block["kind"], Uint8Array>();
  for (const { kind, data } of blocksOf(bytes, contentType)) if (!found.has(kind)) found.set(kind, data);
  const exif = readExif(found.get("exif") ?? nothing);
  return {
    ...exif,
    // These have their own way to say it, which their decoders follow; EXIF only repeats it.
    orientation: formats.get(contentType) === heifBlocks ? 1 : exif.orientation,
    placeName: placeInIptc(found.get("iptc") ?? nothing) ?? placeInXmp(found.get("xmp") ?? nothing),
  };
}

/**
 * The same picture without what only its owner should see: places, serial numbers, names of owners, thumbnails, edit
 * histories. Pixels are not touched. These pieces, most of them views of `bytes`, make the file one after the other; null
 * when there is nothing to hide. It takes any bytes and never fails: where a file is broken, the rest of it stays as it is.
 */
export function stripPrivate(bytes: Uint8Array, contentType: string): Uint8Array[] | null {
  return applyEdits(
    bytes,
    blocksOf(bytes, contentType)
      .flatMap(({ edits }) => edits)
      .toArray(),
  );
}

function blocksOf(bytes: Uint8Array, contentType: string): IteratorObject<Block> {
  const blocks = formats.get(contentType) ?? (() => Iterator.from<Block>([]));
  return blocks(bytes).take(mostBlocks);
}
