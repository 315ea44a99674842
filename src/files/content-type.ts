import { typeOfName } from "../platform/media.ts";

/**
 * What a file is, by its first bytes where they tell, else by its name. What the client says of it is not believed.
 * Names are only a hint: a type that a browser shows in place is given to bytes that prove it, or to plain text.
 */
export function detectContentType(head: Uint8Array, name: string): string {
  const bytes = Buffer.from(head);
  const found = signatures.find(({ at = 0, magic }) => bytes.subarray(at, at + magic.length).equals(magic));
  if (found) return typeof found.type === "string" ? found.type : found.type(bytes);
  const named = typeOfName(name);
  return isSafeInline(named) && named !== "text/plain" ? "application/octet-stream" : named;
}

type Signature = { at?: number; magic: Buffer; type: string | ((bytes: Buffer) => string) };

const latin = (text: string) => Buffer.from(text, "latin1");

const signatures: Signature[] = [
  { magic: latin("\xff\xd8\xff"), type: "image/jpeg" },
  { magic: latin("\x89PNG\r\n\x1a\n"), type: "image/png" },
  { magic: latin("GIF87a"), type: "image/gif" },
  { magic: latin("GIF89a"), type: "image/gif" },
  { magic: latin("RIFF"), type: (bytes) => riff[bytes.toString("latin1", 8, 12)] ?? "application/octet-stream" },
  { at: 4, magic: latin("ftyp"), type: (bytes) => brands[bytes.toString("latin1", 8, 12)] ?? "video/mp4" },
  { magic: latin("II*\0"), type: "image/tiff" },
  { magic: latin("MM\0*"), type: "image/tiff" },
  { magic: latin("%PDF-"), type: "application/pdf" },
  { magic: latin("\x1a\x45\xdf\xa3"), type: (bytes) => (bytes.includes("webm") ? "video/webm" : "video/x-matroska") },
  { magic: latin("OggS"), type: (bytes) => (bytes.includes("theora") ? "video/ogg" : "audio/ogg") },
  { magic: latin("fLaC"), type: "audio/flac" },
  { magic: latin("ID3"), type: "audio/mpeg" },
  { magic: latin("\xff\xfb"), type: "audio/mpeg" },
  { magic: latin("\xff\xf3"), type: "audio/mpeg" },
  { magic: latin("\xff\xf1"), type: "audio/aac" },
  { magic: latin("\xff\xf9"), type: "audio/aac" },
  { magic: latin("BM"), type: "image/bmp" },
  { magic: latin("PK\x03\x04"), type: "application/zip" },
  { magic: latin("\x1f\x8b"), type: "application/gzip" },
];

const riff: Record<string, string> = { WEBP: "image/webp", WAVE: "audio/wav", "AVI ": "video/x-msvideo" };

const brands: Record<string, string> = {
  avif: "image/avif",
  avis: "image/avif",
  heic: "image/heic",
  heix: "image/heic",
  heim: "image/heic",
  heis: "image/heic",
  hevc: "image/heic",
  hevx: "image/heic",
  hevm: "image/heic",
  hevs: "image/heic",
  mif1: "image/heif",
  msf1: "image/heif",
  miaf: "image/heif",
  "qt  ": "video/quicktime",
  "M4A ": "audio/mp4",
};

/** Types that a browser shows in place without running anything. All others are offered as a download. */
export function isSafeInline(contentType: string): boolean {
  return /^(image\/(?!svg)[\w.+-]+|audio\/[\w.+-]+|video\/[\w.+-]+|text\/plain|application\/pdf)$/.test(contentType);
}
