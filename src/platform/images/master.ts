import type sharp from "sharp";
import type { Sharp } from "sharp";
import type { Colours } from "./colours.ts";
import type { Area } from "./edits.ts";
import { withProfile } from "./jpeg-profile.ts";
import { toSRGB } from "./to-srgb.ts";

const masterWidth = 2560;
/** Pixels whose colours are converted are in memory as floating-point numbers. */
const maxConverted = 20_000_000;
const white = 65_535;
const jpeg = { quality: 92, optimiseCoding: false };

/** Colours to be converted to sRGB, or else a profile that describes them; and the part that is shown, if that is not all. */
type Description = { colours?: Colours | null; profile?: Buffer | undefined; crop?: Area | null };

/** A JPEG of an upright picture from which every offered width can be made. */
export async function makeMaster(
  library: typeof sharp,
  picture: Sharp,
  { colours = null, profile, crop = null }: Description = {},
): Promise<Buffer<ArrayBuffer>> {
  const { width: across, height: down } = crop ?? (await picture.metadata()).autoOrient;
  const widest = colours ? Math.floor(Math.sqrt((maxConverted * across) / down)) : masterWidth;
  const small = (crop ? picture.extract(crop) : picture)
    .flatten({ background: "#fff" })
    .resize({ width: Math.max(1, Math.min(masterWidth, widest)), withoutEnlargement: true });
  if (!colours) {
    const coded = await small.jpeg(jpeg).toBuffer();
    return profile ? withProfile(coded, profile) : coded;
  }
  const { data, info } = await small
    .toColourspace("rgb16")
    .raw({ depth: "ushort" })
    .toBuffer({ resolveWithObject: true });
  const samples = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
  const { width, height } = info;
  const raw = { width, height, channels: 3 as const };
  return library(toSRGB({ data: samples, white }, colours), { raw })
    .jpeg(jpeg)
    .toBuffer();
}
