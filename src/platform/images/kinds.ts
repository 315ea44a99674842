import { latin, startsWith, uint } from "./bytes.ts";
import { typeOfISO } from "./iso-brands.ts";
import { isRawType, typeOfTiff } from "./raw-types.ts";

/** The number of bytes at the start of a file that identify it. */
export const headLength = 4096;

/**
 * The content type of a file, by its first bytes; null if they do not identify it. The name only helps to distinguish RAW
 * files that begin like TIFF.
 */
export function typeOfBytes(head: Uint8Array, name = ""): string | null {
  const found = signatures.find(([at, mark]) => startsWith(head, at, mark));
  if (!found) return isTransportStream(head) ? "video/mp2t" : null;
  const [, , type] = found;
  return typeof type === "string" ? type : type(head, name);
}

/** Types from which pictures can be made. */
export function isPictureType(contentType: string): boolean {
  return /^image\/(jpeg|png|gif|webp|avif|tiff|heic|heif)$/.test(contentType) || isRawType(contentType);
}

/** Images and videos, except formats without metadata, and audio in MP4. */
export function mayHoldPrivateData(contentType: string): boolean {
  return /^(image|video)\/|^audio\/mp4$|^application\/mxf$/.test(contentType) && !plainTypes.has(contentType);
}

const plainTypes = new Set(["image/bmp", "image/svg+xml", "image/x-icon", "image/vnd.microsoft.icon"]);

type Signature = [at: number, mark: string, type: string | ((head: Uint8Array, name: string) => string | null)];

const signatures: Signature[] = [
  [0, "\xff\xd8\xff", "image/jpeg"],
  [0, "\x89PNG\r\n\x1a\n", "image/png"],
  [0, "GIF87a", "image/gif"],
  [0, "GIF89a", "image/gif"],
  [0, "RIFF", (head) => riff[latin(head, 8, 12)] ?? null],
  [4, "ftyp", (head) => (isBox(head) ? typeOfISO(head) : null)],
  ...["moov", "mdat", "wide", "free", "skip", "pnot"].map((type): Signature => [
    4,
    type,
    (head) => (isBox(head) ? "video/quicktime" : null),
  ]),
  [0, "II*\0", typeOfTiff],
  [0, "MM\0*", typeOfTiff],
  [0, "II+\0\x08\0\0\0", "image/tiff"],
  [0, "MM\0+\0\x08\0\0", "image/tiff"],
  [0, "II\x1a\0\0\0HEAPCCDR", "image/x-canon-crw"],
  [0, "FUJIFILMCCD-RAW", "image/x-fuji-raf"],
  [0, "IIU\0", "image/x-panasonic-rw2"],
  [0, "IIRO\x08\0\0\0", "image/x-olympus-orf"],
  [0, "IIRS\x08\0\0\0", "image/x-olympus-orf"],
  [0, "MMOR\0\0\0\x08", "image/x-olympus-orf"],
  [0, "\0MRM", "image/x-minolta-mrw"],
  [0, "FOVb", (head) => (head[5] === 0 ? "image/x-sigma-x3f" : null)],
  [0, "8BPS\0", "image/vnd.adobe.photoshop"],
  [0, "\0\0\0\x0cjP  \r\n\x87\n", "image/jp2"],
  [0, "\xff\x4f\xff\x51", "image/jp2"],
  [0, "\0\0\0\x0cJXL \r\n\x87\n", "image/jxl"],
  [0, "\xff\x0a", "image/jxl"],
  [0, "\x1a\x45\xdf\xa3", matroskaType],
  [0, "OggS\0", (head) => (Buffer.from(head).includes("theora") ? "video/ogg" : "audio/ogg")],
  [0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11", "video/x-ms-asf"],
  [0, "FLV\x01", "video/x-flv"],
  [0, "\0\0\x01\xba", "video/mpeg"],
  [0, "\0\0\x01\xb3", "video/mpeg"],
  [0, "\x06\x0e\x2b\x34\x02\x05\x01\x01", "application/mxf"],
  [0, "%PDF-", "application/pdf"],
  [0, "fLaC", "audio/flac"],
  ...["\x02", "\x03", "\x04"].map((version): Signature => [0, `ID3${version}`, "audio/mpeg"]),
  [0, "\xff\xfb", "audio/mpeg"],
  [0, "\xff\xf3", "audio/mpeg"],
  [0, "\xff\xf1", "audio/aac"],
  [0, "\xff\xf9", "audio/aac"],
  [0, "BM", (head) => (isBitmap(head) ? "image/bmp" : null)],
  [0, "PK\x03\x04", "application/zip"],
  [0, "\x1f\x8b", "application/gzip"],
];

const riff: Record<string, string> = { WEBP: "image/webp", WAVE: "audio/wav", "AVI ": "video/x-msvideo" };

/** The length before the type of a box is binary: otherwise this is a text that contains the type. */
const isBox = (head: Uint8Array) => /[^\t\n\r\x20-\xff]/.test(latin(head, 0, 4));

const bitmapHeaders = new Set([12, 16, 40, 52, 56, 64, 108, 124]);

/** Two letters are not enough: a bitmap has a header of a known length before its pixels. */
function isBitmap(head: Uint8Array): boolean {
  const [pixels, header] = [uint(head, 10, 4, true), uint(head, 14, 4, true)];
  return uint(head, 6, 4) === 0 && bitmapHeaders.has(header) && pixels >= 14 + header;
}

/** Packets of 188 bytes with the same first byte; cameras write 4 more bytes before each. */
function isTransportStream(head: Uint8Array): boolean {
  const isAt = (at: number, step: number) => [0, 1, 2, 3, 4].every((i) => head[at + i * step] === 0x47);
  return isAt(0, 188) || isAt(4, 192);
}

/** By the element DocType of the header, whose length has 1 to 8 bytes. */
function matroskaType(head: Uint8Array): string {
  return /\x42\x82.{1,8}webm/s.test(Buffer.from(head).toString("latin1")) ? "video/webm" : "video/x-matroska";
}
