import { readFileSync } from "node:fs";
import type { Sharp } from "sharp";
import type { Bytes } from "./pictures.ts";

/** A coded picture, and what a decoder needs to know of it. */
export type CodedPicture = {
  codec: "hvc1" | "av01";
  configuration: Buffer;
  coded: Buffer;
  width: number;
  height: number;
};
type Colours = { primaries: number; transfer: number; matrix?: number; isLimited?: boolean };
type FileOptions = {
  brand?: string;
  compatible?: string;
  colours?: Colours;
  profile?: Uint8Array;
  /** The grid is also called the thumbnail of its first tile, as some files say by mistake. */
  isThumbnail?: boolean;
};

/**
 * A large picture in the layout that phones write: a grid of equal tiles. All tiles refer to the same picture of the
 * fixtures, which is stored once but decoded for each of them.
 */
export const gridHEIC = (columns: number, rows: number, options: FileOptions = {}): Bytes =>
  writeGrid(codedHEIC(), columns, rows, options);

/** The same of any coded picture. The primary picture, the grid, is the last one of the file. */
export function writeGrid(tile: CodedPicture, columns: number, rows: number, options: FileOptions = {}): Bytes {
  const { codec, configuration, coded } = tile;
  const {
    brand = codec === "av01" ? "avif" : "heic",
    compatible = `mif1${brand}`,
    colours,
    profile,
    isThumbnail,
  } = options;
  const [width, height] = [columns * tile.width, rows * tile.height];
  const grid = Buffer.concat([bytes(0, 1, rows - 1, columns - 1), u32(width), u32(height)]);
  const tiles = Array.from({ length: columns * rows }, (_, index) => index + 1);
  const gridID = tiles.length + 1;

  const head = box("ftyp", text(brand), u32(0), text(compatible));
  const described = [
    ...(colours ? [colourBox(colours)] : []),
    ...(profile ? [box("colr", text("prof"), Buffer.from(profile))] : []),
  ];
  const thumbnail = isThumbnail ? [box("thmb", u16(gridID), u16(1), u16(1))] : [];
  const meta = (offset: number) =>
    full(
      "meta",
      full("hdlr", u32(0), text("pict"), Buffer.alloc(13)),
      full("pitm", u16(gridID)),
      full("iinf", u16(gridID), ...tiles.map((id) => item(id, codec)), item(gridID, "grid")),
      full("iref", box("dimg", u16(gridID), u16(tiles.length), ...tiles.map(u16)), ...thumbnail),
      box(
        "iprp",
        box("ipco", configuration, extent(tile.width, tile.height), extent(width, height), ...described),
        full(
          "ipma",
          u32(gridID),
          ...tiles.map((id) => associate(id, 0x81, 2, ...described.map((_, i) => 4 + i))),
          associate(gridID, 3, ...described.map((_, i) => 4 + i)),
        ),
      ),
      full(
        "iloc",
        bytes(0x44, 0),
        u16(gridID),
        ...tiles.map((id) => location(id, offset, coded)),
        location(gridID, offset + coded.length, grid),
      ),
    );
  const start = head.length + meta(0).length + 8;
  return new Uint8Array(Buffer.concat([head, meta(start), box("mdat", coded, grid)]));
}

/** A file with one picture, to which a decoder must apply these boxes in their order. */
export function writeOne(picture: CodedPicture, colours: Colours, transforms: Buffer[]): Bytes {
  const { codec, configuration, coded, width, height } = picture;
  const brand = codec === "av01" ? "avif" : "heic";
  const head = box("ftyp", text(brand), u32(0), text(`mif1${brand}`));
  const meta = (offset: number) =>
    full(
      "meta",
      full("hdlr", u32(0), text("pict"), Buffer.alloc(13)),
      full("pitm", u16(1)),
      full("iinf", u16(1), item(1, codec)),
      box(
        "iprp",
        box("ipco", configuration, extent(width, height), colourBox(colours), ...transforms),
        full("ipma", u32(1), associate(1, 0x81, 2, 3, ...transforms.map((_, i) => 0x84 + i))),
      ),
      full("iloc", bytes(0x44, 0), u16(1), location(1, offset, coded)),
    );
  const start = head.length + meta(0).length + 8;
  return new Uint8Array(Buffer.concat([head, meta(start), box("mdat", coded)]));
}

/** A sequence of one picture, without a picture besides its track. */
export function writeSequence({ codec, configuration, coded, width, height }: CodedPicture): Bytes {
  const head = box("ftyp", text(codec === "av01" ? "avis" : "hevc"), u32(0), text("msf1iso8"));
  const entry = box(
    codec,
    Buffer.concat([Buffer.alloc(6), u16(1), Buffer.alloc(16), u16(width), u16(height), Buffer.alloc(50)]),
    configuration,
  );
  const moov = (offset: number) =>
    box(
      "moov",
      full("mvhd", Buffer.alloc(8), u32(1000), u32(1000), Buffer.alloc(80)),
      box(
        "trak",
        full("tkhd", Buffer.alloc(8), u32(1), Buffer.alloc(60), u16(width), u16(0), u16(height), u16(0)),
        box(
          "mdia",
          full("mdhd", Buffer.alloc(8), u32(1000), u32(1000), u32(0)),
          full("hdlr", u32(0), text("pict"), Buffer.alloc(13)),
          box(
            "minf",
            box(
              "stbl",
              full("stsd", u32(1), entry),
              full("stts", u32(1), u32(1), u32(1000)),
              full("stsc", u32(1), u32(1), u32(1), u32(1)),
              full("stsz", u32(0), u32(1), u32(coded.length)),
              full("stco", u32(1), u32(offset)),
            ),
          ),
        ),
      ),
    );
  const start = head.length + moov(0).length + 8;
  return new Uint8Array(Buffer.concat([head, moov(start), box("mdat", coded)]));
}

/** The picture as AV1. The library writes it as the only item of a file, with its coded bytes last. */
export async function codedAVIF(picture: Sharp): Promise<CodedPicture> {
  const { data, info } = await picture
    .avif({ quality: 95, chromaSubsampling: "4:4:4" })
    .toBuffer({ resolveWithObject: true });
  const at = data.indexOf("av1C") - 4;
  const configuration = Buffer.from(data.subarray(at, at + data.readUInt32BE(at)));
  const coded = Buffer.from(data.subarray(data.indexOf("mdat") + 4));
  return { codec: "av01", configuration, coded, width: info.width, height: info.height };
}

/** The same picture, whose coded bytes name other colours. The library has written those of sRGB with the matrix of BT.601. */
export function renameColours(picture: CodedPicture, { primaries, transfer }: Colours): CodedPicture {
  const bits = [...picture.coded.subarray(0, 32)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const toBits = (...numbers: number[]) => numbers.map((number) => number.toString(2).padStart(8, "0")).join("");
  const renamed = bits.replace(toBits(1, 13, 6), toBits(primaries, transfer, 6));
  if (renamed === bits) throw new Error("The coded bytes name no colours.");
  const head = Buffer.from(renamed.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
  return { ...picture, coded: Buffer.concat([head, picture.coded.subarray(32)]) };
}

export function codedHEIC(): CodedPicture {
  const fixture = readFileSync(new URL("../../fixtures/quadrants.heic", import.meta.url));
  return { codec: "hvc1", ...readFixture(fixture), width: 320, height: 200 };
}

/** By the numbers of ITU-T H.273, in the full range unless it is limited. */
const colourBox = ({ primaries, transfer, matrix = 6, isLimited = false }: Colours) =>
  box("colr", text("nclx"), u16(primaries), u16(transfer), u16(matrix), bytes(isLimited ? 0 : 0x80));

/** What is shown: its size, and how far its centre is from that of the picture, in halves of a pixel. */
export const cropBox = (width: number, height: number, across: number, down: number) =>
  box("clap", u32(width), u32(1), u32(height), u32(1), u32(across), u32(2), u32(down), u32(2));
/** Turned to the left by so many quarters. */
export const turnBox = (quarters: number) => box("irot", bytes(quarters));
/** Mirrored left to right, or else top to bottom. */
export const mirrorBox = (isAcross: boolean) => box("imir", bytes(isAcross ? 1 : 0));

/** The decoder configuration and the coded picture, which is the first of the two in the media data. */
function readFixture(fixture: Buffer): { configuration: Buffer; coded: Buffer } {
  const at = fixture.indexOf("hvcC") - 4;
  const configuration = fixture.subarray(at, at + fixture.readUInt32BE(at));
  const [offset, length] = [fixture.readUInt32BE(0x6b), fixture.readUInt32BE(0x75)];
  return { configuration, coded: fixture.subarray(offset, offset + length) };
}

const text = (value: string) => Buffer.from(value, "latin1");
const bytes = (...values: number[]) => Buffer.from(values);
const u16 = (value: number) => bytes(value >> 8, value & 255);
const u32 = (value: number) => bytes((value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);

function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), text(type), body]);
}

const full = (type: string, ...parts: Buffer[]) => box(type, u32(0), ...parts);
const extent = (width: number, height: number) => full("ispe", u32(width), u32(height));
const item = (id: number, type: string) => box("infe", u32(0x02_00_00_00), u16(id), u16(0), text(`${type}\0`));
const associate = (id: number, ...properties: number[]) =>
  Buffer.concat([u16(id), bytes(properties.length, ...properties)]);
const location = (id: number, offset: number, { length }: Buffer) =>
  Buffer.concat([u16(id), u16(0), u16(1), u32(offset), u32(length)]);
