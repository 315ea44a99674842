import type sharp from "sharp";
import type { Sharp, SharpOptions } from "sharp";
import type { Size } from "./decoder.ts";
import { viewFile } from "./file-view.ts";
import { uint } from "./bytes.ts";
import { segments } from "./jpeg.ts";
import { headLength, typeOfBytes } from "./kinds.ts";
import { inSRGB } from "./deep-profile.ts";
import { makeMaster } from "./master.ts";
import { mendPNG } from "./png-rest.ts";

const endOfImage = 0xffd9;
const types = new Set<string | null>(["image/jpeg", "image/png", "image/gif"]);
/** A picture with less than this share of its rows is not shown. */
const minShare = 0.5;
/** How much of a picture is compared. */
const [probeWidth, maxProbeHeight] = [32, 1000];

/** `size` is that of the whole upright picture. */
type Remainder = { master: Buffer<ArrayBuffer>; size: Size };

/** What is there of a picture that ends early or is damaged; null if that is too little, or the format does not allow it. */
export async function openCutOff(
  library: typeof sharp,
  source: string | Uint8Array,
  strict: SharpOptions,
): Promise<Remainder | null> {
  const bytes = typeof source === "string" ? viewFile(source) : source;
  if (!types.has(typeOfBytes(bytes.subarray(0, headLength)))) return null;
  const mended = mendPNG(bytes, minShare);
  const open = () => library(mended ?? source, { ...strict, failOn: "none" });
  const isEnough =
    mended !== null || (await isTopSound(library(source, strict))) || (await shareOfRows(open())) >= minShare;
  if (!isEnough) return null;
  const picture = open();
  const metadata = await picture.metadata();
  const { autoOrient: size } = metadata;
  const master = await makeMaster(library, inSRGB(picture, metadata).autoOrient());
  return { master, size: { width: size.width, height: size.height } };
}

/** Whether this is a JPEG whose last marker is missing. Decoders may not notice if the picture is scaled. */
export function lacksEnd(path: string): boolean {
  const bytes = viewFile(path);
  if (typeOfBytes(bytes.subarray(0, headLength)) !== "image/jpeg") return false;
  for (const { marker, start, isSound } of segments(bytes, { start: 0, end: bytes.length }))
    if (!isSound || (marker === null && uint(bytes, start - 2, 2) === endOfImage)) return false;
  return true;
}

/** Whether the first rows can be decoded without an error. Not known of pictures that are stored in several passes. */
async function isTopSound(picture: Sharp): Promise<boolean> {
  try {
    const { width, height } = await picture.metadata();
    const top = { left: 0, top: 0, width, height: Math.ceil(height * minShare) };
    await picture.extract(top).resize({ width: probeWidth }).raw().toBuffer();
    return true;
  } catch {
    return false;
  }
}

/** Decoders fill missing rows with one colour. */
async function shareOfRows(picture: Sharp): Promise<number> {
  const { height: whole } = await picture.metadata();
  const probe = { width: probeWidth, height: Math.min(whole, maxProbeHeight), fit: "fill", kernel: "nearest" } as const;
  const { data, info } = await picture.resize(probe).toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const row = width * channels;
  const fill = data.subarray(data.length - channels);
  const isFill = (y: number) => data.subarray(y * row, (y + 1) * row).every((value, i) => value === fill[i % channels]);
  let rows = height;
  while (rows > 0 && isFill(rows - 1)) rows--;
  return rows / height;
}
