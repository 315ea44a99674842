import type sharp from "sharp";
import type { Sharp, SharpOptions } from "sharp";
import { viewFile } from "./file-view.ts";
import { Refusal } from "./heic.ts";
import { findPicture } from "./picture.ts";

/** The picture of a file or of bytes, as the library has to read it: of RAW files the preview, of TIFF the right page. */
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
 * Whole numbers of 32 bits reach from black to white, which the library cuts off at 255. Numbers with a fraction are light,
 * of which 1 is white; the library knows that of colours only.
 */
async function correctTones(picture: Sharp): Promise<Sharp> {
  const { format, depth, space } = await picture.metadata();
  if (format !== "tiff") return picture;
  const white = space === "grey16" ? 65_535 : 255;
  if (depth === "uint") return picture.linear(white / (2 ** 32 - 1));
  return depth === "float" && space !== "scrgb" ? picture.gamma(1, 2.2).linear(white) : picture;
}
