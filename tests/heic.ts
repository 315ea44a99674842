import { readFileSync } from "node:fs";
import type { Bytes } from "./pictures.ts";

const tile = { width: 320, height: 200 };

/**
 * A large picture in the layout that phones write: a grid of equal tiles. All tiles refer to the same picture of the
 * fixtures, which is stored once but decoded for each of them.
 */
export function gridHEIC(columns: number, rows: number): Bytes {
  const fixture = readFileSync(new URL("fixtures/quadrants.heic", import.meta.url));
  const { configuration, coded } = readFixture(fixture);
  const [width, height] = [columns * tile.width, rows * tile.height];
  const grid = Buffer.concat([bytes(0, 1, rows - 1, columns - 1), u32(width), u32(height)]);
  const tiles = Array.from({ length: columns * rows }, (_, index) => index + 1);
  const gridID = tiles.length + 1;

  const head = box("ftyp", text("heic"), u32(0), text("mif1heic"));
  const meta = (offset: number) =>
    full(
      "meta",
      full("hdlr", u32(0), text("pict"), Buffer.alloc(13)),
      full("pitm", u16(gridID)),
      full("iinf", u16(gridID), ...tiles.map((id) => item(id, "hvc1")), item(gridID, "grid")),
      full("iref", box("dimg", u16(gridID), u16(tiles.length), ...tiles.map(u16))),
      box(
        "iprp",
        box("ipco", configuration, extent(tile.width, tile.height), extent(width, height)),
        full("ipma", u32(gridID), ...tiles.map((id) => associate(id, 0x81, 2)), associate(gridID, 3)),
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
