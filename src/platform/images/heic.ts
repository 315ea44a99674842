/** The used part of libheif. Images and contexts stay in its memory until they are released. */
type Heif = {
  HeifDecoder: new () => { decoder: unknown; decode(bytes: Uint8Array): Handle[] };
  HeifImage: new (handle: unknown) => Handle;
  heif_js_context_get_primary_image_handle(context: unknown): { code?: unknown };
  heif_colorspace: { heif_colorspace_RGB: unknown };
  heif_chroma: Record<`heif_chroma_interleaved_${"RGB" | "RGBA" | "RRGGBB_LE" | "RRGGBBAA_LE"}`, unknown>;
  heif_js_decode_image2(handle: unknown, colours: unknown, layout: unknown): Promise<Decoded>;
  heif_image_release(image: unknown): void;
  heif_context_free(context: unknown): void;
};
type Handle = { handle: unknown; has_alpha_channel(): boolean; free(): void };
type Channel = { data: Uint8Array; width: number; height: number; stride: number; bits_per_pixel: number };
type Decoded = { image?: unknown; channels?: Channel[] };

/** Pixels row by row without gaps, with 8 or 16 bits for each colour. */
type RawImage = { data: Uint8Array | Uint16Array; width: number; height: number; channels: 3 | 4 };

/** The message is one sentence that says why a picture cannot be decoded. */
export class Refusal extends Error {}

/** A package is missing that is needed to decode the picture. */
export class NotInstalled extends Error {}

/**
 * Decodes an HEVC-coded picture, which the usual library cannot do, and calls `use` with its upright pixels. They are
 * in the memory of libheif, which is released when `use` has finished. The package is optional and loaded on the first
 * call. If `isDeep`, colours have 16 bits.
 */
export async function decodeHEIC<Result>(
  bytes: Uint8Array,
  isDeep: boolean,
  use: (image: RawImage) => Promise<Result>,
): Promise<Result> {
  const heif = await load();
  const decoder = new heif.HeifDecoder();
  const images = decoder.decode(bytes);
  let decoded: Decoded = {};
  try {
    // The list lacks a primary picture that is also said to be the thumbnail of another one.
    const found = images.length > 0 ? heif.heif_js_context_get_primary_image_handle(decoder.decoder) : null;
    if (!found || found.code) throw new Refusal("It contains no picture.");
    const primary = new heif.HeifImage(found);
    images.push(primary);
    const hasAlpha = primary.has_alpha_channel();
    const layout = isDeep ? (["RRGGBB_LE", "RRGGBBAA_LE"] as const) : (["RGB", "RGBA"] as const);
    const chroma = heif.heif_chroma[`heif_chroma_interleaved_${layout[hasAlpha ? 1 : 0]}`];
    decoded = await heif.heif_js_decode_image2(primary.handle, heif.heif_colorspace.heif_colorspace_RGB, chroma);
    const pixels = decoded.channels?.[0];
    if (!pixels) throw new Refusal("It is damaged.");
    return await use(toRaw(pixels, hasAlpha ? 4 : 3, isDeep));
  } finally {
    if (decoded.image) heif.heif_image_release(decoded.image);
    for (const image of images) image.free();
    if (decoder.decoder) heif.heif_context_free(decoder.decoder);
  }
}

function toRaw(pixels: Channel, channels: 3 | 4, isDeep: boolean): RawImage {
  const { width, height, bits_per_pixel: bits } = pixels;
  const data = withoutGaps(pixels, width * channels * (isDeep ? 2 : 1));
  if (!isDeep) return { data, width, height, channels };
  const deep = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
  for (let i = 0; i < deep.length; i++) deep[i] = (deep[i] ?? 0) << (16 - bits);
  return { data: deep, width, height, channels };
}

/** Rows in libheif's memory may be longer than the width of the picture. */
function withoutGaps({ data, height, stride }: Channel, row: number): Uint8Array {
  if (stride === row) return data.subarray(0, row * height);
  const packed = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) packed.set(data.subarray(y * stride, y * stride + row), y * row);
  return packed;
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
