import type { Bytes } from "./pictures.ts";

/** Text; numbers of a TIFF type; bytes elsewhere in the file, by their offset; or directories below this one. */
export type TiffValue = string | [type: number, ...numbers: number[]] | { at: Uint8Array } | { below: TiffTags[] };
export type TiffTags = Record<number, TiffValue>;

const sizes: Record<number, number> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 4,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 4,
  11: 4,
  12: 8,
  16: 8,
};

type Options = { big?: boolean; little?: boolean; mark?: string };

/** A TIFF file of these pages: its directories first, pixels last. */
export function writeTiff(pages: TiffTags[], options: Options = {}): Bytes {
  const { length } = writeParts(pages, options, 0).directories;
  const { directories, pixels } = writeParts(pages, options, length);
  return new Uint8Array(Buffer.concat([directories, pixels]));
}

function writeParts(pages: TiffTags[], { big = false, little = true, mark = "" }: Options, pixelsAt: number) {
  const appendTo = (parts: Buffer[], start: number) => {
    let end = start;
    return (bytes: Uint8Array) => {
      parts.push(Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)]));
      return (end += bytes.length + (bytes.length % 2)) - bytes.length - (bytes.length % 2);
    };
  };
  const [parts, pixels]: [Buffer[], Buffer[]] = [[], []];
  const [append, appendPixels] = [appendTo(parts, 0), appendTo(pixels, pixelsAt)];
  const whole = (value: number, size: number) => {
    const bytes = Buffer.alloc(size);
    for (let i = 0; i < size; i++) bytes[little ? i : size - 1 - i] = Math.floor(value / 256 ** i) % 256;
    return bytes;
  };
  const number = (type: number, value: number) => {
    const size = sizes[type] ?? 1;
    if (type !== 11 && type !== 12) return whole(value < 0 ? value + 256 ** size : value, size);
    const bytes = Buffer.alloc(size);
    if (type === 11) bytes.writeFloatBE(value);
    else bytes.writeDoubleBE(value);
    return little ? Buffer.from(bytes.toReversed()) : bytes;
  };
  const offsetSize = big ? 8 : 4;
  const encode = (value: TiffValue): { type: number; count: number; bytes: Buffer } => {
    if (typeof value === "string") {
      const bytes = Buffer.from(`${value}\0`, "latin1");
      return { type: 2, count: bytes.length, bytes };
    }
    const pointer = big ? 16 : 4;
    const list = Array.isArray(value)
      ? value
      : "at" in value
        ? [pointer, appendPixels(value.at)]
        : [pointer, ...value.below.map((tags) => directory(tags, 0))];
    const [type = 0, ...numbers] = list;
    const bytes = Buffer.concat(numbers.map((one) => number(type, one)));
    return { type, count: numbers.length / (type === 5 || type === 10 ? 2 : 1), bytes };
  };
  const directory = (tags: TiffTags, next: number): number => {
    const entries = Object.entries(tags).map(([tag, value]) => {
      const { type, count, bytes } = encode(value);
      const place = Buffer.alloc(offsetSize);
      (bytes.length > offsetSize ? whole(append(bytes), offsetSize) : bytes).copy(place);
      return Buffer.concat([whole(Number(tag), 2), whole(type, 2), whole(count, offsetSize), place]);
    });
    return append(Buffer.concat([whole(entries.length, big ? 8 : 2), ...entries, whole(next, offsetSize)]));
  };

  append(Buffer.alloc(big ? 16 : 8));
  const first = pages.reduceRight((next, tags) => directory(tags, next), 0);
  const order = mark || (little ? "II" : "MM");
  const version = mark ? Buffer.alloc(0) : whole(big ? 43 : 42, 2);
  const header = [
    Buffer.from(order, "latin1"),
    version,
    ...(big ? [whole(8, 2), whole(0, 2)] : []),
    whole(first, offsetSize),
  ];
  const file = Buffer.concat(parts);
  Buffer.concat(header).copy(file);
  return { directories: file, pixels: Buffer.concat(pixels) };
}

/** The tags of a page of uncompressed pixels with three bytes each, or one. */
export function page(width: number, height: number, pixels: Uint8Array, more: TiffTags = {}): TiffTags {
  const channels = pixels.length / (width * height);
  return {
    0x0100: [4, width],
    0x0101: [4, height],
    0x0102: [3, ...Array<number>(channels).fill(8)],
    0x0103: [3, 1],
    0x0106: [3, channels === 3 ? 2 : 1],
    0x0111: { at: pixels },
    0x0115: [3, channels],
    0x0116: [4, height],
    0x0117: [4, pixels.length],
    ...more,
  };
}
