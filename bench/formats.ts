import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { widths } from "../src/core/images/image.ts";
import { encode } from "../src/platform/images/encode.ts";
import { detailedPicture, softPicture } from "./own-pictures.ts";
import { progress } from "./rounds.ts";
import { similarityOf, toDecibels } from "./similarity.ts";
import { layOut } from "./table.ts";

const efforts = [0, 1, 2];
/** Two points on the curve of an effort; values in between are interpolated. */
const qualities = [58, 70] as const;

type Result = { bytes: number; decibels: number; milliseconds: number };
type Encode = (picture: Sharp) => Sharp;

const withEffort =
  (effort: number, quality: number): Encode =>
  (picture) =>
    picture.avif({ quality, effort, chromaSubsampling: "4:2:0", tune: "ssim" });

/**
 * How much smaller AVIF is than WebP in each width, with the settings in use and at the same similarity, and its cost.
 */
export async function formats(folder: string | undefined): Promise<void> {
  sharp.cache(false);
  sharp.concurrency(1);
  const pictures = [await softPicture(), await detailedPicture(4000, 3000), ...readFolder(folder)];
  const rows = [];
  for (const width of widths) {
    progress(`${width} px: ${pictures.length} pictures`);
    const measured = [];
    for (const picture of pictures) measured.push(await measurePicture(picture, width));
    rows.push([`${width} px`, ...summarize(measured)]);
  }
  const head = ["", "WebP", "SSIM", "time", "AVIF", "SSIM", "time", ...efforts.map((effort) => `at effort ${effort}`)];
  console.log(`\n${layOut([head, ...rows])}\n`);
  console.log(
    "Bytes and times of AVIF are factors relative to WebP: the mean over all pictures, and the worst. Times are for",
  );
  console.log(
    "decoding, scaling and encoding. SSIM is in dB; for AVIF, the difference from WebP. The last columns are at the SSIM of WebP.",
  );
}

function readFolder(folder: string | undefined): Buffer[] {
  if (!folder) return [];
  const names = readdirSync(folder).filter((name) => /\.(jpe?g|png|tiff?|webp)$/i.test(name));
  if (names.length === 0) throw new Error(`there are no pictures in ${folder}`);
  return names.map((name) => readFileSync(join(folder, name)));
}

/** `atEqualSSIM`: the bytes at each effort. */
type Measured = { webp: Result; avif: Result; atEqualSSIM: number[] };

async function measurePicture(picture: Buffer, width: number): Promise<Measured> {
  const scaled = () => sharp(picture).autoOrient().resize({ width, withoutEnlargement: true }).flatten();
  const { data, info } = await scaled().toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
  const size = { width: info.width, height: info.height };

  const measure = async (toFormat: Encode): Promise<Result> => {
    const before = process.cpuUsage();
    const encoded = await toFormat(scaled()).toBuffer();
    const { user, system } = process.cpuUsage(before);
    const back = await sharp(encoded).removeAlpha().toColourspace("srgb").raw().toBuffer();
    const decibels = toDecibels(similarityOf({ data, ...size }, { data: back, ...size }));
    return { bytes: encoded.length, decibels, milliseconds: (user + system) / 1000 };
  };

  const webp = await measure((scaledPicture) => encode(scaledPicture, "webp"));
  const avif = await measure((scaledPicture) => encode(scaledPicture, "avif"));
  const atEqualSSIM = [];
  for (const effort of efforts) {
    const [low, high] = [
      await measure(withEffort(effort, qualities[0])),
      await measure(withEffort(effort, qualities[1])),
    ];
    const share = (webp.decibels - low.decibels) / (high.decibels - low.decibels);
    atEqualSSIM.push(low.bytes * (high.bytes / low.bytes) ** share);
  }
  return { webp, avif, atEqualSSIM };
}

function summarize(measured: Measured[]): string[] {
  const kilobytes = mean(measured.map(({ webp }) => webp.bytes)) / 1024;
  const factors = (of: (one: Measured) => number) => {
    const all = measured.map(of);
    return `${mean(all).toFixed(2)} (${Math.max(...all).toFixed(2)})`;
  };
  const differences = measured.map(({ avif, webp }) => avif.decibels - webp.decibels);
  return [
    `${kilobytes.toFixed(0)} KB`,
    mean(measured.map(({ webp }) => webp.decibels)).toFixed(1),
    `${mean(measured.map(({ webp }) => webp.milliseconds)).toFixed(0)} ms`,
    factors(({ avif, webp }) => avif.bytes / webp.bytes),
    `${signed(mean(differences))} (${signed(Math.min(...differences))})`,
    factors(({ avif, webp }) => avif.milliseconds / webp.milliseconds),
    ...efforts.map((_, index) => factors(({ atEqualSSIM, webp }) => (atEqualSSIM[index] ?? 0) / webp.bytes)),
  ];
}

const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const signed = (number: number) => `${number < 0 ? "−" : "+"}${Math.abs(number).toFixed(1)}`;
