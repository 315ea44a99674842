import type sharp from "sharp";
import type { Sharp, SharpOptions } from "sharp";
import { viewFile } from "./file-view.ts";
import { openGIF } from "./gif-frame.ts";
import { Refusal } from "./heic.ts";
import type { Colours } from "./colours.ts";
import { findISOPicture, type ISOPicture } from "./iso-picture.ts";
import { headLength, typeOfBytes } from "./kinds.ts";
import { findPicture } from "./picture.ts";
import { readPNGColours } from "./png-colours.ts";
import { explainSize } from "./refusal.ts";
import { openPage } from "./tiff-page.ts";
import { needsConversion } from "./to-srgb.ts";

const isoTypes = new Set<string | null>(["image/avif", "image/heic", "image/heif"]);

/** `iso` describes a HEIF or AVIF picture, and `colours` those that only numbers describe. */
type OpenedFile = { picture: Sharp; iso: ISOPicture | null; colours: Colours | null };

/** Opens the picture of a file: the preview of a RAW file, the first full-size page of a TIFF, the primary picture of a HEIF file. */
export async function openPicture(
  library: typeof sharp,
  source: string | Uint8Array,
  options: SharpOptions,
): Promise<OpenedFile> {
  if (typeof source !== "string") return plain(library(source, options));
  const bytes = viewFile(source);
  const type = typeOfBytes(bytes.subarray(0, headLength));
  if (type === "image/gif") return plain(await openGIF(library, source, options, bytes));
  const iso = isoTypes.has(type) ? findISOPicture(bytes) : null;
  if (iso) return openISO(library, options, iso);
  const named = type === "image/png" ? readPNGColours(bytes) : null;
  if (named && needsConversion(named))
    return { ...plain(library(source, { ...options, ignoreIcc: true })), colours: named };
  const found = findPicture(bytes);
  if (!found) throw new Refusal("It is a RAW file without a preview that could be shown.");
  if (found === "whole") return plain(library(source, options));
  if ("jpeg" in found) return plain(library(found.jpeg, options));
  return plain(await openPage(library, source, options, found));
}

const plain = (picture: Sharp): OpenedFile => ({ picture, iso: null, colours: null });

/** The library calls pictures above its own limits damaged. */
function openISO(library: typeof sharp, options: SharpOptions, iso: ISOPicture): OpenedFile {
  const pixels = iso.size ? iso.size.width * iso.size.height : 0;
  const limit = Number(options.limitInputPixels);
  if (pixels > limit) throw new Refusal(explainSize(pixels, limit));
  const colours = iso.colours && needsConversion(iso.colours) ? iso.colours : null;
  return { picture: library(iso.bytes, options), iso, colours };
}
