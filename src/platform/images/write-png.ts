import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";

const compress = promisify(deflate);

/** A PNG of these pixels, with three bytes each: red, green and blue. */
export async function writePNG(pixels: Uint8Array, width: number, height: number): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const rowLength = width * 3;
  const rows = Buffer.alloc((rowLength + 1) * height);
  // The byte before each row says that it is not filtered.
  for (let y = 0; y < height; y++) {
    rows.set(pixels.subarray(y * rowLength, (y + 1) * rowLength), y * (rowLength + 1) + 1);
  }
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", await compress(rows, { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A part of a PNG: its length, its type, its data and a checksum. */
export function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
