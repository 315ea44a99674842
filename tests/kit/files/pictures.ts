import { readdirSync, readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import type { Client } from "../client.ts";

export type Colour = [number, number, number];
export type Bytes = Uint8Array<ArrayBuffer>;

/** Top left, top right, bottom left, bottom right of the upright picture. */
export const corners: Colour[] = [
  [215, 45, 40],
  [40, 170, 65],
  [50, 65, 205],
  [225, 195, 55],
];

/**
 * The sides of the picture on which the first row and the first column of the stored pixels belong, by EXIF
 * orientation.
 */
const firsts = "top-left top-right bottom-right bottom-left left-top right-top right-bottom left-bottom".split(" ");

/** A picture of four coloured corners, upright and of this size after its orientation has been applied. */
export function quadrants(width: number, height: number, orientation = 1): Sharp {
  const [row = "", column = ""] = (firsts[orientation - 1] ?? "").split("-");
  const isTurned = row === "left" || row === "right";
  const stored = [0, 1, 2, 3].flatMap((place) => {
    const [down, across] = [place >> 1, place % 2];
    const [vertical, horizontal] = isTurned ? [across, down] : [down, across];
    const isFlipped = (side: string) => row === side || column === side;
    const [y, x] = [isFlipped("bottom") ? 1 - vertical : vertical, isFlipped("right") ? 1 - horizontal : horizontal];
    return corners[2 * y + x] as Colour;
  });
  const tiny = sharp(Uint8Array.from(stored.flat()), { raw: { width: 2, height: 2, channels: 3 } });
  const [storedWidth, storedHeight] = isTurned ? [height, width] : [width, height];
  const picture = tiny.resize(storedWidth, storedHeight, { kernel: "nearest", fit: "fill" });
  return orientation === 1 ? picture : picture.withMetadata({ orientation });
}

export const plain = (width: number, height: number, background: string, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background } });

/** Expensive to decode and to encode. */
export const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: "#888", noise: { type: "gaussian", mean: 128, sigma: 40 } },
  });

export async function bytesOf(picture: Sharp): Promise<Bytes> {
  return new Uint8Array(await picture.toBuffer());
}

/** The mean colour in the middle of each quarter. */
export async function meanCorners(bytes: Uint8Array): Promise<Colour[]> {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return [0, 1, 2, 3].map((place) => {
    const sums = [0, 0, 0];
    let count = 0;
    const [left, top] = [((place % 2) * width) / 2, ((place >> 1) * height) / 2];
    for (let y = Math.floor(top + height / 8); y < top + (3 * height) / 8; y++) {
      for (let x = Math.floor(left + width / 8); x < left + (3 * width) / 8; x++, count++) {
        for (let c = 0; c < 3; c++)
          sums[c] = (sums[c] ?? 0) + (data[(y * width + x) * channels + (channels < 3 ? 0 : c)] ?? 0);
      }
    }
    return sums.map((sum) => Math.round(sum / count)) as Colour;
  });
}

/** The maximum distance between two lists of colours. */
export const distance = (some: Colour[], others: Colour[]) =>
  Math.max(...some.flatMap((colour, i) => colour.map((value, c) => Math.abs(value - (others[i]?.[c] ?? -255)))));

/** Private data, as it appears in the bytes. */
export const secrets = ["SERIAL-4711", "DATUM-0815", "PREVIEW-2342"];

export const secretPlace = { latitude: 51.5, longitude: -12.25, altitude: 71, name: null };

type Value = string | [type: 1 | 3 | 4 | 5, ...numbers: number[]] | { at: Uint8Array };
export type Tags = Record<number, Value>;

const serial: Tags = { 0x9003: "2026:06:12 20:41:07", 0xa431: secrets[0] as string, 0xa434: "XF35mmF1.4 R" };
const gps: Tags = {
  0x01: "N",
  0x02: [5, 51, 1, 30, 1, 0, 1],
  0x03: "W",
  0x04: [5, 12, 1, 15, 1, 0, 1],
  0x06: [5, 71, 1],
  0x12: secrets[1] as string,
};
const preview = Buffer.from(`\xff\xd8\xff${secrets[2]}\xff\xd9`, "latin1");
const previewTags: Tags = { 0x0103: [3, 6], 0x0201: { at: preview }, 0x0202: [4, preview.length] };
const camera: Tags = { 0x010f: "FUJIFILM", 0x0110: "X-T5" };

/** EXIF with a location, a serial number and a preview. */
export const secretExif = () => tiff({ image: camera, exif: serial, gps, next: previewTags });

/** A TIFF of these pixels, three bytes each, with the same private data. */
export const secretTiff = (width: number, height: number, pixels: Uint8Array) =>
  tiff({
    image: {
      0x0100: [4, width],
      0x0101: [4, height],
      0x0102: [3, 8, 8, 8],
      0x0103: [3, 1],
      0x0106: [3, 2],
      ...camera,
      0x0111: { at: pixels },
      0x0115: [3, 3],
      0x0116: [4, height],
      0x0117: [4, pixels.length],
    },
    exif: serial,
    gps,
  });

/** Tags as TIFF and EXIF have them, one fixed-size block per directory; longer values follow the last block. */
export function tiff(directories: { image: Tags; exif?: Tags; gps?: Tags; next?: Tags }): Bytes {
  const blockBytes = 512;
  const parts = [Buffer.alloc(4 * blockBytes)];
  const head = parts[0] as Buffer;
  let end = head.length;
  const append = (bytes: Uint8Array) => {
    parts.push(Buffer.from(bytes));
    return (end += bytes.length) - bytes.length;
  };
  head.write("II*\0\x08", "latin1");
  const image = { ...directories.image, 0x8769: [4, blockBytes] as Value, 0x8825: [4, 2 * blockBytes] as Value };
  for (const [i, tags] of [image, directories.exif ?? {}, directories.gps ?? {}, directories.next ?? {}].entries()) {
    let at = head.writeUInt16LE(Object.keys(tags).length, i === 0 ? 8 : i * blockBytes);
    for (const [tag, value] of Object.entries(tags)) {
      const { type, count, bytes } = encode(value, append);
      head.writeUInt16LE(Number(tag), at);
      head.writeUInt16LE(type, at + 2);
      head.writeUInt32LE(count, at + 4);
      if (bytes.length > 4) head.writeUInt32LE(append(bytes), at + 8);
      else bytes.copy(head, at + 8);
      at += 12;
    }
    if (i === 0 && directories.next) head.writeUInt32LE(3 * blockBytes, at);
  }
  return new Uint8Array(Buffer.concat(parts));
}

function encode(value: Value, append: (bytes: Uint8Array) => number): { type: number; count: number; bytes: Buffer } {
  if (typeof value === "string")
    return { type: 2, count: value.length + 1, bytes: Buffer.from(`${value}\0`, "latin1") };
  const [type, ...numbers] = Array.isArray(value) ? value : ([4, append(value.at)] as const);
  const size = type === 1 ? 1 : type === 3 ? 2 : 4;
  const bytes = Buffer.alloc(size * numbers.length);
  for (const [i, number] of numbers.entries()) bytes.writeUIntLE(number, size * i, size);
  return { type, count: type === 5 ? numbers.length / 2 : numbers.length, bytes };
}

/** The JPEG with a segment after its start. */
export function withSegment(jpeg: Uint8Array, marker: number, data: Uint8Array): Bytes {
  const head = Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff]);
  return new Uint8Array(Buffer.concat([jpeg.subarray(0, 2), head, data, jpeg.subarray(2)]));
}

export const withExif = (jpeg: Uint8Array, block: Uint8Array) =>
  withSegment(jpeg, 0xe1, Buffer.concat([Buffer.from("Exif\0\0"), block]));

/** EXIF with only an orientation. */
export const writeOrientation = (orientation: number) => tiff({ image: { 0x0112: [3, orientation] } });

/** The PNG with a chunk after its header. */
export function withChunk(png: Uint8Array, type: string, data: Uint8Array): Bytes {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  const chunk = Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  return new Uint8Array(Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]));
}

/** Uploads a picture and creates a photo from it, whose size the server must read itself. */
export async function showPicture(who: Client, picture: Sharp | Bytes): Promise<any> {
  const bytes = picture instanceof Uint8Array ? picture : await bytesOf(picture);
  const file = (await who.upload("picture", bytes)).body;
  const { status, body } = await who.post("/api/v1/photos", { title: "Picture", fileID: file.id });
  return { ...body, status };
}

/** The bytes at a URL, as this user gets them. */
export async function readBytes(who: Client, path: string, headers: Record<string, string> = {}, method = "GET") {
  const authorization: Record<string, string> = who.token ? { Authorization: `Bearer ${who.token}` } : {};
  const response = await fetch(who.url(path), { method, headers: { ...authorization, ...headers } });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** The ids of the decoder processes below another process. */
export function findDecoders(parent = process.pid): number[] {
  if (process.platform !== "linux") return [];
  const isDecoder = (id: string) =>
    readProcess(id, "status").includes(`\nPPid:\t${parent}\n`) &&
    readProcess(id, "cmdline").includes("decoder-process");
  return readdirSync("/proc").filter(isDecoder).map(Number);
}

/** Sends a signal to all decoder processes. */
export function signalDecoders(signal: NodeJS.Signals): void {
  for (const id of findDecoders()) {
    try {
      process.kill(id, signal);
    } catch {
      // It has just exited.
    }
  }
}

/** While the work runs, no decoder process lives for longer than a few milliseconds. */
export async function whileKilling<Result>(work: () => Promise<Result>): Promise<Result> {
  signalDecoders("SIGSTOP");
  const killer = setInterval(() => signalDecoders("SIGKILL"), 5);
  return work().finally(() => clearInterval(killer));
}

/** Memory of a process that is not backed by a file, in MiB. */
export function memoryOf(id: number): number {
  return Number(/RssAnon:\s+(\d+)/.exec(readProcess(id, "status"))?.[1] ?? 0) / 1024;
}

/** Empty if there is no such process any more. */
function readProcess(id: number | string, file: "status" | "cmdline"): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, "latin1");
  } catch {
    return "";
  }
}

/** A small JPEG that a camera took at this time (`2026:06:12 20:41:07`). `hue` makes its bytes differ from others. */
export async function takenPicture(time: string, model: string, hue = 0): Promise<Bytes> {
  const block = tiff({ image: { 0x010f: "MAKER", 0x0110: model }, exif: { 0x9003: time } });
  return withExif(await bytesOf(plain(8, 8, `hsl(${hue % 360}, 50%, 50%)`).jpeg()), block);
}
