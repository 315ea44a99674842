import type { Colours } from "./colours.ts";
import { chunks } from "./png.ts";

/** The colours of a PNG by their numbers (`cICP`), which take precedence over a profile; null if it does not name them. */
export function readPNGColours(bytes: Uint8Array): Colours | null {
  for (const { type, from, isSound } of chunks(bytes)) {
    if (type === "IDAT") return null;
    const [primaries = 0, transfer = 0, matrix, isFullRange] = bytes.subarray(from, from + 4);
    if (type === "cICP" && isSound) return matrix === 0 && isFullRange === 1 ? { primaries, transfer } : null;
  }
  return null;
}
