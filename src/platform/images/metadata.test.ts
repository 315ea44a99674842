import { describe, expect, test } from "bun:test";
import exifr from "exifr";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { readMetadata, stripPrivate } from "./metadata.ts";
import { type Field, formats, makePicture, secrets, secretsIn, writeExif, xmp } from "./pictures.test.ts";

/** The public version of the file. */
function cleaned(bytes: Uint8Array, contentType: string): Buffer {
  const pieces = stripPrivate(bytes, contentType);
  if (typeof pieces === "string") throw new Error(`The public part is "${pieces}".`);
  return Buffer.concat(pieces);
}

const pixels = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer();

/**
 * What an independent library reads. It does not support WebP, and AVIF only partly, so it gets the TIFF block of
 * those.
 */
async function look(bytes: Uint8Array, contentType: string) {
  const exif = /webp|avif/.test(contentType) ? (await sharp(bytes).metadata()).exif : undefined;
  const all = { tiff: true, ifd1: true, exif: true, gps: true, interop: true, makerNote: true, userComment: true };
  const options = { ...all, xmp: true, iptc: true, icc: true, mergeOutput: false, reviveValues: false };
  const source = exif?.subarray(exif.indexOf("Exif\0\0") === 0 ? 6 : 0) ?? bytes;
  return ((await exifr.parse(source, options)) ?? {}) as Record<string, Record<string, unknown> | undefined>;
}

const told = {
  takenAt: Date.UTC(2024, 4, 6, 5, 8, 9, 123),
  make: "Leica Camera AG",
  model: "M11",
  lens: "Summilux-M 1:1.4/50",
  exposureTime: 1 / 250,
  aperture: 2.8,
  iso: 400,
  focalLength: 50,
};

const cases = formats.flatMap((format) => [
  { format, order: "little-endian" },
  { format, order: "big-endian" },
]);

describe.each(cases)("a picture as $format, $order", ({ format, order }) => {
  const contentType = `image/${format}`;
  const make = (withSecrets: boolean) => makePicture(format, order === "little-endian", withSecrets);

  test("has the same metadata as another library reads from it", async () => {
    const bytes = await make(true);
    const found = readMetadata(bytes, contentType);
    expect(found).toMatchObject({ ...told, orientation: format === "avif" ? 1 : 6 });
    const hasIPTC = format === "jpeg" || format === "tiff";
    expect(found.placeName).toBe(hasIPTC ? "Dom, Köln, Germany" : "Sydney & Suburbs, Australia");
    expect(found.place?.altitude).toBe(-3.5);
    const theirs = await look(bytes, contentType);
    expect(found.place?.latitude).toBeCloseTo(theirs["gps"]?.["latitude"] as number, 10);
    expect(found.place?.longitude).toBeCloseTo(theirs["gps"]?.["longitude"] as number, 10);
    expect(theirs["ifd0"]).toMatchObject({ Make: found.make!, Model: found.model!, HostComputer: secrets.host });
    expect(theirs["exif"]).toMatchObject({
      ExposureTime: found.exposureTime!,
      FNumber: found.aperture!,
      ISO: found.iso!,
      FocalLength: found.focalLength!,
      LensModel: found.lens!,
      SerialNumber: secrets.body,
    });
  });

  test("is public without private data, with the same pixels, profile and orientation", async () => {
    const bytes = await make(true);
    const before = await look(bytes, contentType);
    for (const there of ["gps", "makerNote", "userComment", ...(format === "tiff" ? [] : ["ifd1"])]) {
      expect(before).toHaveProperty(there);
    }
    if (format === "jpeg") expect(Buffer.from((await exifr.thumbnail(bytes))!).includes(secrets.thumbnail)).toBe(true);
    const untouched = Uint8Array.from(bytes);
    const clean = cleaned(bytes, contentType);
    expect(bytes).toEqual(untouched);
    expect(secretsIn(clean)).toEqual([]);
    const after = await look(clean, contentType);
    for (const gone of ["gps", "ifd1", "makerNote", "userComment", "xmp", "iptc", "photoshop"]) {
      expect(after[gone]).toBeUndefined();
    }
    expect(await exifr.gps(clean).catch(() => undefined)).toBeUndefined();
    expect(await exifr.thumbnail(clean).catch(() => undefined)).toBeUndefined();
    expect(after["ifd0"]).toMatchObject({ Make: told.make, Artist: "Jörg", Copyright: "(c) J.", XResolution: 72 });
    expect(after["exif"]).toMatchObject({ ExposureTime: 1 / 250, LensModel: told.lens, OffsetTimeOriginal: "+02:00" });
    expect(after["interop"]).toEqual(before["interop"]);
    for (const gone of ["SerialNumber", "LensSerialNumber", "CameraOwnerName", "ImageUniqueID", "MakerNote"]) {
      expect(after["exif"]).not.toHaveProperty(gone);
    }
    expect(await pixels(clean)).toEqual(await pixels(bytes));
    const [old, now] = [await sharp(bytes).metadata(), await sharp(clean).metadata()];
    expect(now.icc).toEqual(old.icc);
    expect(now.icc).toBeDefined();
    expect(now.orientation).toBe(old.orientation);
    expect(now.xmpAsString?.trim() ?? "").toBe("");
    expect(readMetadata(clean, contentType)).toMatchObject({ ...told, place: null, placeName: null });
    expect(stripPrivate(clean, contentType)).toBe("all");
  });

  test("is not changed if all of its metadata is harmless", async () => {
    const bytes = await make(false);
    expect(readMetadata(bytes, contentType)).toMatchObject({ ...told, place: null });
    expect(stripPrivate(bytes, contentType)).toBe("all");
  });
});

test("EXIF written by sharp is read like another library reads it, and the location is removed", async () => {
  const exif = {
    IFD0: { Make: "Canon", Copyright: "Ann" },
    IFD2: { DateTimeOriginal: "2021:12:31 23:59:59", FNumber: "4/1", BodySerialNumber: secrets.body },
    IFD3: { GPSLatitudeRef: "N", GPSLatitude: "48/1 12/1 30/1", GPSLongitudeRef: "W", GPSLongitude: "16/1 22/1 15/1" },
  };
  const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
    .withExif(exif)
    .jpeg()
    .toBuffer();
  const { latitude, longitude } = await exifr.gps(bytes);
  expect(readMetadata(bytes, "image/jpeg")).toMatchObject({
    make: "Canon",
    aperture: 4,
    takenAt: Date.UTC(2021, 11, 31, 23, 59, 59),
    place: { latitude, longitude, altitude: null },
  });
  const clean = cleaned(bytes, "image/jpeg");
  expect(await exifr.gps(clean)).toBeUndefined();
  expect(clean.includes(secrets.body)).toBe(false);
  expect(await exifr.parse(clean)).toMatchObject({ Make: "Canon", Copyright: "Ann", FNumber: 4 });
});

test("the cleaned file is valid in its format", async () => {
  const [jpeg, png, webp] = await Promise.all(
    ["jpeg", "png", "webp"].map(async (format) => {
      const bytes = await makePicture(format, true, true);
      return cleaned(bytes, `image/${format}`);
    }),
  );
  expect(jpeg!.indexOf("Exif\0\0")).toBe(jpeg!.lastIndexOf("Exif\0\0"));
  expect(jpeg!.toString("latin1", 2, 20)).toBe("\xff\xe0\0\x10JFIF\0\x01\x02\0\0\x01\0\x01\0\0");
  const exif = png!.indexOf("eXIf");
  const end = exif + 4 + png!.readUInt32BE(exif - 4);
  expect(png!.readUInt32BE(end)).toBe(crc32(png!.subarray(exif, end)));
  expect(png!.includes("Author\0stays")).toBe(true);
  expect(webp!.readUInt32LE(4)).toBe(webp!.length - 8);
  expect(webp![20]! & 0x0c).toBe(0x08);
});

test("every page of a TIFF file is cleaned and kept", async () => {
  const raw = { width: 8, height: 16, channels: 3, pageHeight: 8 } as const;
  const bytes = await sharp(Buffer.alloc(8 * 16 * 3, 99), { raw })
    .withXmp(xmp)
    .tiff()
    .toBuffer();
  const both = { pages: 2 } as const;
  expect((await sharp(bytes, both).metadata()).pages).toBe(2);
  expect(bytes.indexOf(secrets.xmp)).not.toBe(bytes.lastIndexOf(secrets.xmp));
  const clean = cleaned(bytes, "image/tiff");
  expect(secretsIn(clean)).toEqual([]);
  expect(await sharp(clean, both).raw().toBuffer()).toEqual(await sharp(bytes, both).raw().toBuffer());
});

test("a GIF loses its XMP and everything after the end, and its comment, and keeps its loop", async () => {
  const frames = Buffer.alloc(8 * 16 * 3, 200).fill(20, 8 * 8 * 3);
  const raw = { width: 8, height: 16, channels: 3, pageHeight: 8 } as const;
  const plain = await sharp(frames, { raw })
    .gif({ loop: 3, delay: [100, 100] })
    .toBuffer();
  expect(plain.includes("NETSCAPE2.0")).toBe(true);
  expect(stripPrivate(plain, "image/gif")).toBe("all");
  const at = 13 + (plain[10]! & 0x80 ? 3 * 2 ** ((plain[10]! & 7) + 1) : 0);
  const ramp = Buffer.from(Array.from({ length: 257 }, (_, i) => (i === 0 ? 1 : 256 - i)));
  const packet = Buffer.concat([Buffer.from(`\x21\xff\x0bXMP DataXMP${xmp}`, "latin1"), ramp, Buffer.alloc(1)]);
  const comment = Buffer.from("\x21\xfe\x04gone\0", "latin1");
  const rest = plain.subarray(at);
  const bytes = Buffer.concat([plain.subarray(0, at), comment, packet, rest, Buffer.from(secrets.second)]);
  expect(readMetadata(bytes, "image/gif").placeName).toBe("Sydney & Suburbs, Australia");
  const clean = cleaned(bytes, "image/gif");
  expect(clean).toEqual(Buffer.concat([plain.subarray(0, at), rest]));
});

const read = (image: Field[], exif: Field[] = [], gps: Field[] = []) =>
  readMetadata(writeExif(true, { image, exif, gps }), "image/tiff");

test.each([
  [["2024:02:29 23:59:59", "5", "-03:30"], Date.UTC(2024, 2, 1, 3, 29, 59, 500)],
  [["2024:02:29 23:59:59", "x", "Z"], Date.UTC(2024, 1, 29, 23, 59, 59)],
  [["2024-02-29T23:59:59", "0", "+99:00"], Date.UTC(2024, 1, 29, 23, 59, 59)],
  [["2023:02:29 00:00:00", "0", ""], null],
  [["0000:00:00 00:00:00", "0", ""], null],
  [["    :  :     :  :  ", "0", ""], null],
  [["yesterday", "0", ""], null],
])("the date in %p", ([moment = "", fraction = "", offset = ""], expected) => {
  expect(
    read(
      [],
      [
        [0x9003, 2, moment],
        [0x9291, 2, fraction],
        [0x9011, 2, offset],
      ],
    ).takenAt,
  ).toBe(expected);
});

test("the date is when the picture was taken, otherwise scanned, otherwise when the file was changed", () => {
  const moments: Field[] = [
    [0x9003, 2, "2001:01:01 00:00:00"],
    [0x9004, 2, "2002:01:01 00:00:00"],
  ];
  const changed: Field[] = [[0x0132, 2, "2003:01:01 00:00:00"]];
  const years = [moments, moments.slice(1), []].map((exif) => new Date(read(changed, exif).takenAt!).getUTCFullYear());
  expect(years).toEqual([2001, 2002, 2003]);
});

test("texts become one line of at most 200 characters", () => {
  const texts: [string, string | null][] = [
    ["  Canon \0 EOS", "Canon"],
    ["a\tb\r\nc", "a b c"],
    ["Müller", "Müller"],
    [" ", null],
    ["x".repeat(999), "x".repeat(200)],
    ["😀".repeat(300), "😀".repeat(100)],
    [`x${"😀".repeat(300)}`, `x${"😀".repeat(99)}`],
  ];
  for (const [written, expected] of texts) expect(read([[0x010f, 2, written]]).make).toBe(expected);
  expect(read([[0x010f, 7, "Caf\xe9"]]).make).toBe("Café");
});

test("invalid numbers are null", () => {
  const half: Field[] = [
    [1, 2, "N"],
    [2, 5, [91, 1, 0, 1, 0, 1]],
    [3, 2, "E"],
    [4, 5, [10, 1, 0, 1, 0, 1]],
  ];
  expect(
    read(
      [[0x0112, 3, [9]]],
      [
        [0x829a, 5, [1, 0]],
        [0x829d, 5, [0, 0]],
        [0x8827, 3, [0]],
      ],
      half,
    ),
  ).toMatchObject({
    orientation: 1,
    exposureTime: null,
    aperture: null,
    iso: null,
    place: null,
  });
});

test("a location in signed fractions, as some phones write it", () => {
  const gps: Field[] = [
    [1, 2, "N"],
    [2, 10, [60, 1, 8, 1, 4814, 100]],
    [3, 2, "W"],
    [4, 10, [24, 1, 54, 1, 0, 1]],
  ];
  expect(read([], [], gps).place).toEqual({ latitude: 60 + 8 / 60 + 48.14 / 3600, longitude: -24.9, altitude: null });
});

test.each([
  [`<a photoshop:City='Oslo' Iptc4xmpCore:Location = "Vigeland"/>`, "Vigeland, Oslo"],
  ["<photoshop:State>Ohio</photoshop:State><photoshop:Country>USA</photoshop:Country>", "Ohio, USA"],
  ["<photoshop:CityName>no</photoshop:CityName>", null],
])("the name of a place in %p", (packet, expected) => {
  expect(read([[0x02bc, 1, packet]]).placeName).toBe(expected);
});
