// Runs on the embedded engines only: it starts no server.
import { describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { png } from "../../../tests/kit/files/png.ts";
import { bytesOf, plain, withChunk, withExif, withSegment } from "../../../tests/kit/files/pictures.ts";
import { type TiffTags, type TiffValue, writeTiff } from "../../../tests/kit/files/tiff-files.ts";
import { readMetadata } from "./metadata.ts";

const text = (value: string) => Buffer.from(value, "latin1");
const north: TiffTags = { 0x01: "N", 0x02: [5, 38, 1, 42, 1, 3039, 100], 0x03: "W", 0x04: [5, 9, 1, 8, 1, 78, 10] };
const exif = (tags: TiffTags) => writeTiff([{ 0x8769: { below: [tags] } }]);
const taken = exif({ 0x9003: "2024:05:06 07:08:09" });
const moment = Date.UTC(2024, 4, 6, 7, 8, 9);

describe("a place", () => {
  const read = (gps: TiffTags) => readMetadata(writeTiff([{ 0x8825: { below: [gps] } }]), "image/tiff").place;
  const expectLisbon = (place: ReturnType<typeof read>) => {
    expect(place?.latitude).toBeCloseTo(38.70844, 4);
    expect(place?.longitude).toBeCloseTo(-9.1355, 4);
  };

  test.each([
    ["fractions", [5, 38, 1, 42, 1, 3039, 100], [5, 9, 1, 8, 1, 78, 10]],
    ["signed fractions", [10, 38, 1, 42, 1, 3039, 100], [10, 9, 1, 8, 1, 78, 10]],
    ["negative fractions", [10, 38, 1, 42, 1, 3039, 100], [10, -9, 1, 8, 1, 78, 10]],
    ["floats", [11, 38.70844], [11, 9.1355]],
    ["doubles", [12, 38, 42, 30.39], [12, 9, 8, 7.8]],
    ["seconds that are unknown", [5, 3_870_844, 100_000, 0, 0, 0, 0], [5, 91_355, 10_000, 0, 0, 0, 0]],
    ["texts of three numbers", "38 42 30.39", "9 8 7.8"],
    ["texts of fractions", "38/1 42/1 3039/100", "9/1, 8/1, 78/10"],
    ["texts of degrees", "38.70844", "9.1355"],
  ] as [string, TiffValue, TiffValue][])("in %s", (_, latitude, longitude) => {
    expectLisbon(read({ 0x01: "N", 0x02: latitude, 0x03: "West", 0x04: longitude }));
  });

  test("in whole numbers of any type", () => {
    for (const type of [1, 3, 4, 6, 8, 9]) {
      const gps: TiffTags = { 0x01: "S", 0x02: [type, 38, 42, 30], 0x03: "E", 0x04: [type, 9, 8, 7], 0x06: [type, 12] };
      expect(read(gps)).toEqual({
        latitude: -(38 + 42 / 60 + 30 / 3600),
        longitude: 9 + 8 / 60 + 7 / 3600,
        altitude: 12,
      });
    }
  });

  test.each([4, 9, 13, 3, 8])("behind a pointer of type %p", (type) => {
    const bytes = Buffer.from(writeTiff([{ 0x8825: { below: [north] } }]));
    bytes.writeUInt16LE(type, bytes.indexOf(text("\x25\x88")) + 2);
    expectLisbon(readMetadata(bytes, "image/tiff").place);
  });

  test.each([
    ['exif:GPSLatitude="38,42.5065N" exif:GPSLongitude="9,8.13W"', null],
    ['exif:GPSLatitude="38,42,30.39N" exif:GPSLongitude="9,8,7.8W" exif:GPSAltitude="25/2"', 12.5],
    ['exif:GPSLatitude="38,42,30.39N" exif:GPSLongitude="9,8,7.8W" exif:GPSAltitude="7" exif:GPSAltitudeRef="1"', -7],
    ["><exif:GPSLatitude>38.70844N</exif:GPSLatitude><exif:GPSLongitude>9.1355W</exif:GPSLongitude", null],
  ])("in XMP: %p", (attributes, altitude) => {
    const packet = text(`<rdf:Description ${attributes}>`);
    const { place } = readMetadata(writeTiff([{ 0x02bc: [1, ...packet] }]), "image/tiff");
    expectLisbon(place);
    expect(place?.altitude).toBe(altitude);
  });

  test.each([
    { 0x02: "north", 0x04: "west" },
    { 0x02: [12, NaN], 0x04: [12, 9] },
    { 0x02: [11, Infinity], 0x04: [11, 9] },
    { 0x02: "91", 0x04: "9" },
    { 0x02: [9, 10], 0x04: [9, -181] },
  ] as TiffTags[])("that is invalid is null: %p", (gps) => {
    expect(read(gps)).toBeNull();
  });
});

describe("a date", () => {
  const inXmp = (xml: string) => readMetadata(writeTiff([{ 0x02bc: [1, ...text(xml)] }]), "image/tiff").takenAt;

  test.each([
    ['<x exif:DateTimeOriginal="2024-05-06T07:08:09"/>', moment],
    ['<x exif:DateTimeOriginal="2024-05-06T09:08:09+02:00"/>', moment],
    ["<exif:DateTimeOriginal>2024-05-06T07:08:09.250Z</exif:DateTimeOriginal>", moment + 250],
    ['<x photoshop:DateCreated="2024-05-06"/>', Date.UTC(2024, 4, 6)],
    ['<x xmp:CreateDate="2024-05-06T07:08Z"/>', moment - 9_000],
    ['<x xmp:CreateDate="2020-01-01T00:00:00Z" exif:DateTimeOriginal="2024-05-06T07:08:09Z"/>', moment],
    ['<x xmp:CreateDate="2024-05"/>', null],
    ['<x xmp:CreateDate="2024-13-01T00:00:00Z"/>', null],
    ['<x xmp:ModifyDate="2024-05-06T07:08:09Z"/>', null],
  ])("that is only in XMP: %p", (xml, expected) => {
    expect(inXmp(xml)).toBe(expected);
  });

  const record = (part: number, value: string) => text(`\x1c\x02${String.fromCharCode(part, 0, value.length)}${value}`);

  test.each([
    [[record(55, "20240506"), record(60, "070809+0000")], moment],
    [[record(55, "20240506"), record(60, "090809+0200")], moment],
    [[record(55, "20240506"), record(60, "070809")], moment],
    [[record(55, "20240506")], Date.UTC(2024, 4, 6)],
    [[record(60, "070809")], null],
    [[record(55, "00000000")], null],
  ])("that is only in IPTC: %#", (records, expected) => {
    const bytes = writeTiff([{ 0x83bb: [7, ...Buffer.concat(records)] }]);
    expect(readMetadata(bytes, "image/tiff").takenAt).toBe(expected);
  });

  const inPNG = (type: string, data: string | Uint8Array) =>
    readMetadata(withChunk(png(1, 1), type, typeof data === "string" ? text(data) : data), "image/png").takenAt;

  test.each([
    ["tEXt", "Creation Time\0Mon, 6 May 2024 09:08:09 +0200", moment],
    ["tEXt", "Creation Time\x002024-05-06T07:08:09Z", moment],
    ["tEXt", "Creation Time\x002024:05:06 07:08:09", moment],
    ["iTXt", "Creation Time\0\0\0\0\x006 May 2024 07:08:09 GMT", moment],
    ["tEXt", "create-date\x002024-05-06T09:08:09+02:00", moment],
    ["tEXt", "Creation Time\0yesterday", null],
    ["tIME", "\x07\xe8\x05\x06\x07\x08\x09", moment],
    ["tIME", "\x07\xe8\x0d\x06\x07\x08\x09", null],
  ])("that is only in a PNG's %s chunk: %p", (type, data, expected) => {
    expect(inPNG(type, data)).toBe(expected);
  });

  test("is taken from EXIF before any text", async () => {
    const jpeg = await bytesOf(plain(2, 2, "red").jpeg());
    const xmp = text('http://ns.adobe.com/xap/1.0/\0<x photoshop:DateCreated="2001-01-01"/>');
    expect(readMetadata(withExif(withSegment(jpeg, 0xe1, xmp), taken), "image/jpeg").takenAt).toBe(moment);
    const changed = writeTiff([{ 0x0132: "2020:01:01 00:00:00" }]);
    const both = withExif(withSegment(jpeg, 0xe1, xmp), changed);
    expect(readMetadata(both, "image/jpeg").takenAt).toBe(Date.UTC(2001, 0, 1));
  });

  test("is in the image directory in TIFF/EP", () => {
    expect(readMetadata(writeTiff([{ 0x9003: "2024:05:06 07:08:09" }]), "image/tiff").takenAt).toBe(moment);
  });
});

describe("a PNG's raw profile", () => {
  const profile = (name: string, data: Uint8Array) =>
    `\n${name}\n${String(data.length).padStart(8)}\n${(
      Buffer.from(data)
        .toString("hex")
        .match(/.{1,72}/g) ?? []
    ).join("\n")}\n`;
  const read = (type: string, keyword: string, content: string) => {
    const body = type === "tEXt" ? text(content) : Buffer.concat([Buffer.alloc(1), deflateSync(text(content))]);
    return readMetadata(withChunk(png(1, 1), type, Buffer.concat([text(`${keyword}\0`), body])), "image/png");
  };
  const both = writeTiff([
    { 0x010f: "Leica", 0x8769: { below: [{ 0x9003: "2024:05:06 07:08:09" }] }, 0x8825: { below: [north] } },
  ]);

  test.each(["tEXt", "zTXt"])("of EXIF is read from %s", (type) => {
    for (const [name, data] of [
      ["exif", both],
      ["exif", Buffer.concat([text("Exif\0\0"), both])],
      ["APP1", Buffer.concat([text("Exif\0\0"), both])],
    ] as const) {
      const found = read(type, `Raw profile type ${name}`, profile(name, data));
      expect(found).toMatchObject({ make: "Leica", takenAt: moment });
      expect(found.place?.latitude).toBeCloseTo(38.70844, 4);
    }
  });

  test("of IPTC and XMP is read", () => {
    const records = text("\x1c\x02\x5a\0\x06Lisboa");
    const photoshop = Buffer.concat([text("8BIM\x04\x04\0\0\0\0\0\x0b"), records]);
    for (const data of [records, photoshop]) {
      expect(read("zTXt", "Raw profile type iptc", profile("iptc", data)).placeName).toBe("Lisboa");
    }
    const xmp = text('<x photoshop:City="Porto"/>');
    expect(read("zTXt", "Raw profile type xmp", profile("xmp", xmp)).placeName).toBe("Porto");
    expect(read("tEXt", "Raw profile type APP1", profile("generic", xmp)).placeName).toBe("Porto");
  });

  test("that is damaged is ignored", () => {
    for (const content of ["", "exif", "\nexif\n 4\nzz", "\nexif\n 99999999\n4949"]) {
      expect(read("tEXt", "Raw profile type exif", content)).toMatchObject({ make: null, place: null });
    }
    const zeros = Buffer.concat([text("Raw profile type exif\0\0"), deflateSync(Buffer.alloc(2 ** 26))]);
    expect(readMetadata(withChunk(png(1, 1), "zTXt", zeros), "image/png").make).toBeNull();
  });

  test("of compressed XMP is read", () => {
    const xmp = Buffer.concat([text("XML:com.adobe.xmp\0\x01\0\0\0"), deflateSync(text('<x photoshop:City="Faro"/>'))]);
    expect(readMetadata(withChunk(png(1, 1), "iTXt", xmp), "image/png").placeName).toBe("Faro");
  });
});
