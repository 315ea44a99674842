import type { Size } from "./decoder.ts";
import { findPrimary } from "./iso-picture.ts";

/** About two seconds of processor time. */
const maxFastPixels = 16_000_000;
const types = new Set(["image/heic", "image/heif", "image/avif"]);

/** The size of a picture that takes too long to decode while a request waits; null for others. */
export function findSlow(bytes: Uint8Array, type: string): Size | null {
  const size = types.has(type) ? findPrimary(bytes)?.size : null;
  return size && size.width * size.height > maxFastPixels ? size : null;
}
