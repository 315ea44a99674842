import { viewFile } from "./file-view.ts";
import { headLength, typeOfBytes } from "./kinds.ts";
import { isRawType } from "./raw-types.ts";

/** What people call the formats that are recognized. */
const names = new Map([
  ["image/jpeg", "JPEG"],
  ["image/png", "PNG"],
  ["image/gif", "GIF"],
  ["image/webp", "WebP"],
  ["image/avif", "AVIF"],
  ["image/tiff", "TIFF"],
  ["image/heic", "HEIC"],
  ["image/heif", "HEIF"],
  ["image/jxl", "JPEG XL"],
  ["image/jp2", "JPEG 2000"],
  ["image/bmp", "BMP"],
  ["image/vnd.adobe.photoshop", "Photoshop"],
  ["video/x-msvideo", "AVI"],
  ["video/x-ms-asf", "Windows Media"],
  ["video/x-flv", "Flash Video"],
  ["video/mpeg", "MPEG"],
  ["video/mp2t", "MPEG-TS"],
  ["video/ogg", "Ogg"],
  ["application/mxf", "MXF"],
]);

/** Why no picture is made of a file of a known format; null if the format is not known. */
export function explainFormat(type: string): string | null {
  const name = names.get(type);
  return name ? `${name} is not supported yet.` : null;
}

/** Why the library could not decode a picture. Its own messages contain paths of ours and mean little to a user. */
export function explainFailure(message: string, source: string | Uint8Array): string {
  const head = (typeof source === "string" ? viewFile(source) : source).subarray(0, headLength);
  const type = typeOfBytes(head) ?? "";
  const name = isRawType(type) ? "preview in this RAW file" : `${names.get(type) ?? "picture"} file`;
  if (/premature end|unexpected end|truncated|end of (file|stream)|out of data|fragment too short/i.test(message))
    return `The ${name} is cut off: its end is missing.`;
  // Of TIFF, the library calls what it does not support damaged.
  if (type === "image/tiff" || /not supported|unsupported|not implemented|unimplemented/i.test(message))
    return `The ${name} is damaged, or of a kind that is not supported.`;
  return `The ${name} is damaged.`;
}

/** Both numbers are of pixels. */
export function explainSize(pixels: number, maxPixels: number): string {
  const megapixels = Math.max(Math.round(pixels / 1e6), Math.ceil(maxPixels / 1e6) + 1);
  return `The picture has ${megapixels.toLocaleString("en")} megapixels; the limit is ${maxPixels / 1e6}.`;
}
