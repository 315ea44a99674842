import { crc32, deflateSync } from "node:zlib";

/** A real PNG of this size, all black. */
export function png(width: number, height: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return new Uint8Array(
    Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", new Uint8Array())]),
  );
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
