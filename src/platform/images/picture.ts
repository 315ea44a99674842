import { directories, type Directory, openTiffFile, type Tiff } from "./tiff.ts";
import { headLength, typeOfBytes } from "./kinds.ts";
import { readMetadata } from "./metadata.ts";
import { isRawType } from "./raw-types.ts";
import { findPreview } from "./raw.ts";
import { isRaw, pagesOf } from "./tiff-file.ts";

/**
 * Where the picture of a file is: on one of the pages of a TIFF, in a JPEG inside it, or where the decoder finds it. Null for RAW
 * files without a preview.
 */
type Picture = { tiff: Tiff; directory: Directory | undefined; page: number } | { jpeg: Uint8Array } | "whole" | null;

export function findPicture(bytes: Uint8Array): Picture {
  const type = typeOfBytes(bytes.subarray(0, headLength)) ?? "";
  const tiff = openTiffFile(bytes);
  const found = tiff ? directories(tiff).toArray() : [];
  if (!isRawType(type) && !(tiff && isRaw(tiff, found))) {
    const chain = found.filter(({ kind }) => kind === "image" || kind === "next");
    const [first] = tiff ? pagesOf(tiff, found) : [];
    return tiff ? { tiff, directory: first ?? chain[0], page: first ? chain.indexOf(first) : 0 } : "whole";
  }
  const preview = findPreview(bytes);
  if (!preview) return null;
  const jpeg = bytes.subarray(preview.start, preview.end);
  const { orientation } = readMetadata(bytes, isRawType(type) ? type : "image/tiff");
  return { jpeg: hasExif(jpeg) || orientation === 1 ? jpeg : withOrientation(jpeg, orientation) };
}

const hasExif = (jpeg: Uint8Array) => Buffer.from(jpeg.subarray(0, 2 ** 16)).includes("Exif\0\0");

/** Previews are stored unrotated, and the RAW file has the orientation. */
function withOrientation(jpeg: Uint8Array, orientation: number): Uint8Array {
  const exif = `Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(orientation)}\0\0\0\0\0\0`;
  const segment = Buffer.from(`\xff\xe1\0${String.fromCharCode(exif.length + 2)}${exif}`, "latin1");
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
}
