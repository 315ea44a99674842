import type { Size } from "./decoder.ts";
import { findPrimary } from "./iso-picture.ts";

/** About two seconds of processor time. */
const maxFastPixels = 16_000_000;
/** Larger ones are refused at once. */
const maxPixels = 100_000_000;
const types = new Set(["image/heic", "image/heif", "image/avif"]);

/** The size of a picture that takes too long to decode while a request waits; null for others. */
export function findSlow(bytes: Uint8Array, type: string): Size | null {
  const size = types.has(type) ? findPrimary(bytes)?.size : null;
  const pixels = size ? size.width * size.height : 0;
  return size && pixels > maxFastPixels && pixels <= maxPixels ? size : null;
}
