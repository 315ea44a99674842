import { describe, expect, test } from "bun:test";
import sharp from "sharp";
import { quadrants, withExif } from "../../../tests/kit/files/pictures.ts";
import { page, type TiffTags, writeTiff } from "../../../tests/kit/files/tiff-files.ts";
import { readMetadata, stripPrivate } from "./metadata.ts";

const secrets = ["PLACE-on-a-map", "SERIAL-0815", "HIDDEN-in-the-file", "THUMBNAIL-0815", "NOTE-0815", "LAYER-0815"];
const secretsIn = (bytes: Uint8Array) => secrets.filter((secret) => Buffer.from(bytes).includes(secret));
const text = (value: string) => Buffer.from(value, "latin1");
const pixels = quadrants(24, 16).raw().toBuffer();
const show = (bytes: Uint8Array, options = {}) => sharp(bytes, options).raw().toBuffer();

function cleaned(bytes: Uint8Array): Buffer {
  const pieces = stripPrivate(bytes, "image/tiff");
  if (typeof pieces === "string") throw new Error(`The public part is "${pieces}".`);
  return Buffer.concat(pieces);
}

/** The location, as maps and cameras write it, and other tags of cameras and editors. */
const privateTags: TiffTags = {
  0x830e: [12, 1.5, 1.5, 0],
  0x8482: [12, 0, 0, 0, -9.1355, 38.7071, 0],
  0x85d8: [12, ...Array<number>(16).fill(38.7071)],
  0x87af: [3, 1, 1, 0, 1, 1024, 0, 1, 2],
  0x87b0: [12, 6_378_137, 298.257],
  0x87b1: "PLACE-on-a-map",
  0x8825: { below: [{ 0x01: "N", 0x02: [5, 38, 1, 42, 1, 2556, 100], 0x03: "W", 0x04: [5, 9, 1, 8, 1, 780, 100] }] },
  0xa480: "PLACE-on-a-map",
  0xc62f: "SERIAL-0815",
  0xfe00: "NOTE-0815",
  0x935c: [7, ...text("LAYER-0815")],
};

const kinds = [
  { big: false, little: true },
  { big: false, little: false },
  { big: true, little: true },
  { big: true, little: false },
];

describe.each(kinds)("a TIFF file, %p", (kind) => {
  test("loses its location and all tags that no decoder needs", async () => {
    const camera: TiffTags = { 0x010f: "Leica", 0x0131: "Editor", 0x8769: { below: [{ 0x829d: [5, 28, 10] }] } };
    const bytes = writeTiff([page(24, 16, await pixels, { ...camera, ...privateTags })], kind);
    expect(readMetadata(bytes, "image/tiff")).toMatchObject({ make: "Leica", place: { altitude: null } });
    const clean = cleaned(bytes);
    expect([clean.length, secretsIn(clean)]).toEqual([bytes.length, []]);
    const degrees = Buffer.alloc(8);
    if (kind.little) degrees.writeDoubleLE(38.7071);
    else degrees.writeDoubleBE(38.7071);
    expect([Buffer.from(bytes).includes(degrees), clean.includes(degrees)]).toEqual([true, false]);
    expect(readMetadata(clean, "image/tiff")).toMatchObject({ make: "Leica", aperture: 2.8, place: null });
    expect(await show(clean)).toEqual(await show(bytes));
    expect(stripPrivate(clean, "image/tiff")).toBe("all");
  });

  test("loses reduced versions of its pages, and keeps all pages", async () => {
    const other = await quadrants(24, 16).negate().raw().toBuffer();
    const tiny = Buffer.concat([text("THUMBNAIL-0815"), Buffer.alloc(48 - 14)]);
    const reduced = page(4, 4, tiny, { 0x00fe: [4, 1] });
    const oldReduced = page(4, 4, tiny, { 0x00ff: [3, 2] });
    const likeExif: TiffTags = { 0x0103: [3, 6], 0x0201: { at: text("THUMBNAIL-0815") }, 0x0202: [4, 14] };
    const first = page(24, 16, await pixels, { 0x00fe: [4, 0], 0x014a: { below: [reduced, page(4, 4, tiny)] } });
    const pages = [reduced, first, oldReduced, page(24, 16, other, { 0x00fe: [4, 2] }), likeExif];
    const bytes = writeTiff(pages, kind);
    const clean = cleaned(bytes);
    expect(secretsIn(clean)).toEqual([]);
    expect((await sharp(clean).metadata()).pages).toBe(2);
    expect(await show(clean)).toEqual(await pixels);
    expect(await show(clean, { page: 1 })).toEqual(other);
  });
});

test("bytes of a TIFF file that no tag points to are removed", async () => {
  const bytes = Buffer.concat([writeTiff([page(24, 16, await pixels)]), text("HIDDEN-in-the-file")]);
  const clean = cleaned(bytes);
  expect(secretsIn(clean)).toEqual([]);
  expect(await show(clean)).toEqual(await pixels);
});

test("private values are removed even if a harmless tag claims the same bytes", async () => {
  const bytes = Buffer.from(writeTiff([page(24, 16, await pixels, { 0x010e: "0123456789", 0xc62f: "SERIAL-0815" })]));
  const [entry, offset] = [bytes.indexOf(text("\x0e\x01\x02\0")), bytes.indexOf("SERIAL-0815")];
  bytes.writeUInt32LE(offset, entry + 8);
  expect(secretsIn(cleaned(bytes))).toEqual([]);
});

test("private data in the JPEG strips of a TIFF file is overwritten", async () => {
  const jpeg = await quadrants(24, 16).jpeg().toBuffer();
  const strip = withExif(jpeg, Buffer.concat([text("II*\0\x08\0\0\0"), text("SERIAL-0815 THUMBNAIL-0815")]));
  const tags = {
    ...page(24, 16, await pixels),
    0x0103: [3, 7] as [number, number],
    0x0106: [3, 6] as [number, number],
  };
  const bytes = writeTiff([{ ...tags, 0x0111: { at: strip }, 0x0117: [4, strip.length] }]);
  const clean = cleaned(bytes);
  expect([secretsIn(bytes).length, secretsIn(clean)]).toEqual([2, []]);
  expect(await show(clean)).toEqual(await show(bytes));
});

test.each([
  ["without a page", [{}]],
  ["that does not say how long its strips are", [{ ...page(2, 2, Buffer.alloc(12)), 0x0117: [4] as [number] }]],
  ["of a sensor", [page(2, 2, Buffer.alloc(12), { 0x0106: [3, 32_803] })]],
  ["with a sensor's image below", [page(2, 2, Buffer.alloc(12), { 0x014a: { below: [{ 0x0106: [3, 34_892] }] } })]],
  ["that is a DNG", [page(2, 2, Buffer.alloc(12), { 0xc612: [1, 1, 4, 0, 0] })]],
] as [string, TiffTags[]][])("only its owner can read a TIFF file %s", (_, pages) => {
  expect(stripPrivate(writeTiff(pages), "image/tiff")).toBe("none");
});
