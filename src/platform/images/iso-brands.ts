import { latin, uint } from "./bytes.ts";

const brands: Record<string, string> = {
  "crx ": "image/x-canon-cr3",
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
  mif2: "image/heif",
  mif3: "image/heif",
  miaf: "image/heif",
  "qt  ": "video/quicktime",
  "M4A ": "audio/mp4",
  "M4B ": "audio/mp4",
};
const pictures = new Set(["image/avif", "image/heic", "image/heif"]);

/** The major brand decides, unless it is unknown or general: then the compatible brands do. */
export function typeOfISO(head: Uint8Array): string {
  const end = Math.min(uint(head, 0, 4), head.length);
  const named = [8, ...Array.from({ length: Math.max(0, (end - 16) >> 2) }, (_, i) => 16 + 4 * i)];
  const types = named.map((at) => brands[latin(head, at, at + 4)]);
  const [first] = types;
  if (first && first !== "image/heif") return first;
  // Prefer pictures to videos, and brands that name the codec.
  const precise = types.find((type) => type && pictures.has(type) && type !== "image/heif");
  return precise ?? (types.includes("image/heif") ? "image/heif" : "video/mp4");
}
