import type sharp from "sharp";
import type { Sharp, SharpOptions } from "sharp";
import { Refusal } from "./heic.ts";
import { fromLab } from "./lab.ts";
import { type Directory, numbersOf, type Tiff } from "./tiff.ts";

const [bitsTag, compressionTag, photometricTag, samplesTag] = [0x0102, 0x0103, 0x0106, 0x0115];
const [formatTag, subsamplingTag] = [0x0153, 0x0212];
const [shortType, unsigned] = [3, 1];
const [oldJPEG, jpeg] = [6, 7];
const [rgb, ycbcr, lab] = [2, 6, 8];

/** From luminance and the differences of blue and red (ITU-R BT.601), which are stored with an offset of 128. */
const toRGB: [[number, number, number], [number, number, number], [number, number, number]] = [
  [1, 0, 1.402],
  [1, -0.344136, -0.714136],
  [1, 1.772, 0],
];
const offsets = toRGB.map(([, blue, red]) => -128 * (blue + red));

type Page = { tiff: Tiff; directory: Directory | undefined; page: number };

/** Opens a page of a TIFF with the colours that the library reads wrongly corrected. */
export async function openPage(
  library: typeof sharp,
  source: string | Uint8Array,
  options: SharpOptions,
  { tiff, directory, page }: Page,
): Promise<Sharp> {
  const numbers = (tag: number) => {
    const entry = directory?.entries.find((one) => one.tag === tag);
    return entry ? numbersOf(tiff, entry, 2) : [];
  };
  const [compression] = numbers(compressionTag);
  // Tiles of this kind would be blank.
  if (compression === oldJPEG)
    throw new Refusal("It is a TIFF with the first kind of JPEG compression, which is not supported.");
  const [photometric] = numbers(photometricTag);
  if (photometric === lab && numbers(samplesTag)[0] === 3 && numbers(bitsTag).every((bits) => bits === 8))
    return openLab(library, options, { tiff, directory, page });
  const open = (more: SharpOptions = {}) => library(source, { ...options, ...more, page });
  const picture = open();
  const { depth, space, hasAlpha, icc } = await picture.metadata();
  const [across = 2, down = 2] = numbers(subsamplingTag);
  if (photometric === ycbcr && compression !== jpeg && across === 1 && down === 1 && space === "srgb")
    // As RGB, samples are also read if they are in planes.
    return library(relabelled({ tiff, directory }, photometricTag, rgb), { ...options, page })
      .recomb(toRGB)
      .linear([1, 1, 1], offsets);
  // Most samples of 8 bits that are said to be signed are not.
  if (depth === "char") return library(relabelled({ tiff, directory }, formatTag, unsigned), { ...options, page });
  // The library takes colours for 0 to 255 when it applies a profile to floats, which are linear light.
  if (depth === "float" && space === "scrgb") return icc ? open({ ignoreIcc: true }) : picture;
  const isWhole = depth === "uint" || depth === "int";
  const corrected = isWhole ? picture.linear(255 / (2 ** (depth === "uint" ? 32 : 31) - 1)) : withGreyLight(picture);
  return hasAlpha && (isWhole || space === "lab" || space === "labs") ? withoutAlpha(library, corrected) : corrected;

  /** The library treats only colours as linear light when samples are floats. Here grey floats are, too, with 1 as white. */
  function withGreyLight(found: Sharp): Sharp {
    const isGrey = space === "b-w" || space === "grey16";
    return depth === "float" && isGrey ? found.gamma(1, 2.2).linear(space === "b-w" ? 255 : 65_535) : found;
  }
}

/** The library reads the alpha of these pictures as 0, and would multiply the colours by it when it scales them. */
async function withoutAlpha(library: typeof sharp, picture: Sharp): Promise<Sharp> {
  const { data, info } = await picture
    .autoOrient()
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return library(data, { raw: { width, height, channels: 3 }, limitInputPixels: false });
}

/** The library refuses Lab with 8 bits, but not if it is called RGB. */
async function openLab(library: typeof sharp, options: SharpOptions, { page, ...file }: Page): Promise<Sharp> {
  const { data, info } = await library(relabelled(file, photometricTag, rgb), { ...options, page, ignoreIcc: true })
    .autoOrient()
    .raw()
    .toBuffer({ resolveWithObject: true });
  fromLab(data);
  const { width, height } = info;
  return library(data, { raw: { width, height, channels: 3 }, limitInputPixels: false });
}

/** The file, in a private view of its bytes, with this number as each value of a tag. */
function relabelled({ tiff, directory }: Pick<Page, "tiff" | "directory">, tag: number, value: number): Uint8Array {
  const entry = directory?.entries.find((one) => one.tag === tag && one.type === shortType);
  for (let at = entry?.from ?? 0; at < (entry?.to ?? 0); at += 2)
    tiff.bytes.set(tiff.little ? [value, 0] : [0, value], at);
  return tiff.bytes;
}
