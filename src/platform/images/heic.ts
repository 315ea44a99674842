import { readFileSync } from "node:fs";

/** The used part of libheif. Images and contexts stay in its memory until they are released. */
type Heif = {
  HeifDecoder: new () => { decoder: unknown; decode(bytes: Uint8Array): Handle[] };
  heif_colorspace: { heif_colorspace_RGB: unknown };
  heif_chroma: { heif_chroma_interleaved_RGB: unknown; heif_chroma_interleaved_RGBA: unknown };
  heif_js_decode_image2(handle: unknown, colours: unknown, layout: unknown): Promise<Decoded>;
  heif_image_release(image: unknown): void;
  heif_context_free(context: unknown): void;
};
type Handle = { handle: unknown; is_primary(): boolean; has_alpha_channel(): boolean; free(): void };
type Decoded = { image?: unknown; channels?: { data: Uint8Array; width: number; height: number; stride: number }[] };

/** Pixels row by row without gaps. */
export type RawImage = { data: Uint8Array; width: number; height: number; channels: 3 | 4 };

/** The message is one sentence that says why a picture cannot be decoded. */
export class Refusal extends Error {}

/** A package is missing that is needed to decode the picture. */
export class NotInstalled extends Error {}

/**
 * Decodes an HEVC-coded picture, which the usual library cannot do, and calls `use` with its upright pixels. They are
 * in the memory of libheif, which is released when `use` has finished. The package is optional and loaded on the first
 * call.
 */
export async function decodeHEIC<Result>(path: string, use: (image: RawImage) => Promise<Result>): Promise<Result> {
  const heif = await load();
  const decoder = new heif.HeifDecoder();
  const images = decoder.decode(readFileSync(path));
  let decoded: Decoded = {};
  try {
    const primary = images.find((image) => image.is_primary()) ?? images[0];
    if (!primary) throw new Refusal("It contains no picture.");
    const { heif_chroma_interleaved_RGB: rgb, heif_chroma_interleaved_RGBA: rgba } = heif.heif_chroma;
    const hasAlpha = primary.has_alpha_channel();
    const { heif_colorspace_RGB: colours } = heif.heif_colorspace;
    decoded = await heif.heif_js_decode_image2(primary.handle, colours, hasAlpha ? rgba : rgb);
    const pixels = decoded.channels?.[0];
    if (!pixels) throw new Refusal("It is damaged.");
    return await use(withoutGaps(pixels, hasAlpha ? 4 : 3));
  } finally {
    if (decoded.image) heif.heif_image_release(decoded.image);
    for (const image of images) image.free();
    if (decoder.decoder) heif.heif_context_free(decoder.decoder);
  }
}

/** Rows in libheif's memory may be longer than the width of the picture. */
function withoutGaps(
  { data, width, height, stride }: NonNullable<Decoded["channels"]>[number],
  channels: 3 | 4,
): RawImage {
  const row = width * channels;
  if (stride === row) return { data: data.subarray(0, row * height), width, height, channels };
  const packed = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) packed.set(data.subarray(y * stride, y * stride + row), y * row);
  return { data: packed, width, height, channels };
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
