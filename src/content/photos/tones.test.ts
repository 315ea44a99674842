// Runs on the embedded engines only: how pictures are decoded does not depend on the engines.
import { describe, expect, test } from "bun:test";
import sharp from "sharp";
import { type Bytes, readBytes, showPicture } from "../../../tests/kit/files/pictures.ts";
import { page, type TiffTags, writeTiff } from "../../../tests/kit/files/tiff-files.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const server = useServer();
const { guest } = server;
const owner = server.person("owner");

const look = async (photo: any) => (await readBytes(guest, photo.variants[0].url, { Accept: "image/jpeg" })).bytes;

describe("the tones of a TIFF file", () => {
  /** From black to white in 16 steps, each a column of four pixels. */
  function ramp(bits: number, tags: TiffTags, write: (part: number) => number): Bytes {
    const columns = Array.from({ length: 16 }, (_, x) => x / 15);
    const row = Buffer.alloc((16 * 4 * bits) / 8);
    for (const [x, part] of columns.flatMap((part) => [part, part, part, part]).entries()) {
      if (bits === 32) row.writeUInt32LE(write(part), 4 * x);
      else row[(x * bits) >> 3] = (row[(x * bits) >> 3] ?? 0) | (write(part) << (8 - bits - ((x * bits) & 7)));
    }
    const pixels = Buffer.concat(Array<Buffer>(16).fill(row));
    return writeTiff([
      {
        ...page(64, 16, Buffer.alloc(64 * 16)),
        0x0102: [3, bits],
        0x0111: { at: pixels },
        0x0117: [4, pixels.length],
        ...tags,
      },
    ]);
  }
  const float = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeFloatLE(value);
    return bytes.readUInt32LE();
  };
  const white: TiffTags = { 0x0106: [3, 0] };
  /** Floating-point values are linear light; this is the sRGB transfer function. */
  const toSRGB = (part: number) => (part <= 0.003_130_8 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055);

  test.each([
    [
      "2 bits, 0 is white",
      ramp(2, white, (part) => 3 - Math.round(3 * part)),
      (part: number) => Math.round(3 * part) / 3,
    ],
    ["4 bits, 0 is white", ramp(4, white, (part) => 15 - Math.round(15 * part)), (part: number) => part],
    ["32 bits", ramp(32, {}, (part) => Math.round((2 ** 32 - 1) * part)), (part: number) => part],
    ["32 bits, 0 is white", ramp(32, white, (part) => Math.round((2 ** 32 - 1) * (1 - part))), (part: number) => part],
    ["32-bit floating point", ramp(32, { 0x0153: [3, 3] }, float), toSRGB],
  ])("are correct: %s", async (_, bytes, tone) => {
    const picture = await look(await showPicture(owner, bytes));
    const { data, info } = await sharp(picture).toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
    for (let step = 0; step < 16; step++) {
      const value = data[(8 * info.width + 4 * step + 2) * info.channels] ?? 0;
      expect([step, Math.abs(value - 255 * tone(step / 15)) < 14]).toEqual([step, true]);
    }
  });
});
