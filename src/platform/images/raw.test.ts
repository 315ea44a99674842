import { describe, expect, test } from "bun:test";
import sharp from "sharp";
import { bytesOf, plain, quadrants, withExif, writeOrientation } from "../../../tests/kit/files/pictures.ts";
import { rawFiles } from "../../../tests/kit/files/raw-files.ts";
import { page, writeTiff } from "../../../tests/kit/files/tiff-files.ts";
import { headLength, typeOfBytes } from "./kinds.ts";
import { publicBytes, readMetadata } from "./metadata.ts";
import { findPicture } from "./picture.ts";

/** The upright picture of a file. */
async function sizeOf(bytes: Uint8Array) {
  const found = findPicture(bytes);
  if (!found || found === "whole" || !("jpeg" in found)) return found;
  const { width, height } = (await sharp(found.jpeg).metadata()).autoOrient;
  return { width, height };
}

describe.each(Object.entries(rawFiles))("a RAW file: %s", (_, { make, isTurned }) => {
  test("shows its largest preview, upright", async () => {
    expect(await sizeOf(await make(900))).toEqual(isTurned ? { width: 600, height: 900 } : { width: 900, height: 600 });
  });

  test("shows nothing if it contains only thumbnails", async () => {
    expect(await sizeOf(await make(180))).toBeNull();
  });

  test("is visible only to its owner", async () => {
    expect(publicBytes(await make(900))).toBe("none");
  });
});

test.each(["dng", "nef", "arw", "cr3"])("the EXIF of a %s file is read", async (kind) => {
  const bytes = (await rawFiles[kind]?.make(900)) ?? new Uint8Array();
  expect(readMetadata(bytes, typeOfBytes(bytes.subarray(0, headLength)) ?? "")).toMatchObject({
    takenAt: Date.UTC(2026, 5, 12, 20, 41, 7),
    place: { latitude: 51.5, longitude: -12.25 },
  });
});

test("a preview with its own orientation is not rotated again", async () => {
  const jpeg = withExif(await bytesOf(quadrants(900, 600).jpeg()), writeOrientation(3));
  const bytes = writeTiff([
    { 0x0112: [3, 6], 0xc612: [1, 1, 4, 0, 0], 0x0111: { at: jpeg }, 0x0117: [4, jpeg.length] },
  ]);
  expect(await sizeOf(bytes)).toEqual({ width: 900, height: 600 });
});

test("a tile of the sensor image is not a preview", async () => {
  const [tile, preview] = await Promise.all([
    bytesOf(plain(512, 512, "red").jpeg()),
    bytesOf(quadrants(450, 300).jpeg()),
  ]);
  const sensor = {
    0x0106: [3, 34_892] as [number, number],
    0x0144: { at: tile },
    0x0145: [4, tile.length] as [number, number],
  };
  const shown = { 0x0201: { at: preview }, 0x0202: [4, preview.length] as [number, number] };
  expect(await sizeOf(writeTiff([{ 0xc612: [1, 1, 4, 0, 0], 0x014a: { below: [sensor, shown] } }]))).toEqual({
    width: 450,
    height: 300,
  });
});

test("a TIFF file shows its first full-size page", () => {
  const reduced = page(2, 2, Buffer.alloc(12), { 0x00fe: [4, 1] });
  const full = page(4, 4, Buffer.alloc(48), { 0x00fe: [4, 0] });
  expect(findPicture(writeTiff([reduced, reduced, full]))).toMatchObject({ page: 2 });
  expect(findPicture(writeTiff([full, reduced]))).toMatchObject({ page: 0 });
  expect(findPicture(writeTiff([reduced]))).toMatchObject({ page: 0 });
});
