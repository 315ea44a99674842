import { readFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";
import type sharp from "sharp";

type Heif = { HeifDecoder: new () => { decode(bytes: Uint8Array): Decoded[] } };
type Canvas = { data: Uint8ClampedArray; width: number; height: number };
type Decoded = {
  get_width(): number;
  get_height(): number;
  is_primary?(): boolean;
  display(canvas: Canvas, done: (canvas: Canvas | null) => void): void;
};

/** The message is one sentence on why a picture cannot be decoded. */
export class Refusal extends Error {}

/** A package is missing; with it, the picture can be decoded. */
export class NotInstalled extends Error {}

/**
 * A picture as phones write it, which the usual library cannot decode: as an uncompressed PNG, upright, with its colour
 * profile. Loaded when the first one comes; it is an optional package.
 */
export async function decodeHEIC(path: string, toPNG: typeof sharp, profile: Buffer | undefined): Promise<Buffer> {
  const heif = await load();
  const pictures = new heif.HeifDecoder().decode(readFileSync(path));
  const picture = pictures.find((one) => one.is_primary?.()) ?? pictures[0];
  if (!picture) throw new Refusal("There is no picture in it.");
  const [width, height] = [picture.get_width(), picture.get_height()];
  const canvas = { width, height, data: new Uint8ClampedArray(width * height * 4) };
  const drawn = await new Promise<Canvas | null>((resolve) => picture.display(canvas, resolve));
  if (!drawn) throw new Refusal("It is damaged.");
  const raw = { width, height, channels: 4 as const };
  const png = await toPNG(canvas.data, { raw, limitInputPixels: false }).png({ compressionLevel: 0 }).toBuffer();
  return profile ? withProfile(png, profile) : png;
}

async function load(): Promise<Heif> {
  try {
    // @ts-expect-error The package has no types for this entry.
    const loaded = (await import("libheif-js/wasm-bundle.js")) as { default: Heif };
    return loaded.default;
  } catch {
    throw new NotInstalled("HEIC pictures cannot be decoded here: the package libheif-js is not installed.");
  }
}

const afterHeader = 33;

/** Tells what the colours mean: a chunk of its own, right behind the header. */
function withProfile(png: Buffer, profile: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from("iCCPprofile\0\0", "latin1"), deflateSync(profile, { level: 1 })]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return Buffer.concat([png.subarray(0, afterHeader), chunk, png.subarray(afterHeader)]);
}
