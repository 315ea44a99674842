import type sharp from "sharp";
import type { Sharp, SharpOptions } from "sharp";
import { viewFile } from "./file-view.ts";
import { Refusal } from "./heic.ts";
import { findPicture } from "./picture.ts";

/** Opens the picture of a file: the preview of a RAW file, the first full-size page of a TIFF. */
export async function openPicture(
  library: typeof sharp,
  source: string | Uint8Array,
  options: SharpOptions,
): Promise<Sharp> {
  const found = typeof source === "string" ? findPicture(viewFile(source)) : { page: 0 };
  if (!found) throw new Refusal("It is a RAW file without a preview that could be shown.");
  if ("jpeg" in found) return library(found.jpeg, options);
  return correctTones(library(source, { ...options, page: found.page }));
}

/**
 * The library clips 32-bit integers at 255, and treats only colours as linear light when samples are floats. Here integers
 * are scaled to the full range, and grey floats are linear light too, with 1 as white.
 */
async function correctTones(picture: Sharp): Promise<Sharp> {
  const { format, depth, space } = await picture.metadata();
  if (format !== "tiff") return picture;
  if (depth === "uint") return picture.linear(255 / (2 ** 32 - 1));
  const isGrey = space === "b-w" || space === "grey16";
  return depth === "float" && isGrey ? picture.gamma(1, 2.2).linear(space === "b-w" ? 255 : 65_535) : picture;
}
