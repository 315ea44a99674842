// Runs on the embedded engines only: pictures are read without a database.
import { expect, test } from "bun:test";
import { deflateSync, inflateSync } from "node:zlib";
import sharp from "sharp";
import { heic, heifParts } from "../../../tests/kit/files/heif-files.ts";
import { chunk } from "../../../tests/kit/files/png.ts";
import { tiff, withChunk, withExif, withSegment } from "../../../tests/kit/files/pictures.ts";
import { page, writeTiff } from "../../../tests/kit/files/tiff-files.ts";
import { typeOfBytes } from "./kinds.ts";
import { publicBytes, readMetadata } from "./metadata.ts";
import { parsePlace } from "./place.ts";
import { formats, makePicture } from "./pictures.test.ts";
import { haveSameParts } from "./pixel-parts.ts";

function cleaned(bytes: Uint8Array): Buffer {
  const pieces = publicBytes(bytes);
  if (typeof pieces === "string") throw new Error(`The public part is "${pieces}".`);
  return Buffer.concat(pieces);
}

const text = (value: string) => Buffer.from(value, "latin1");
const picture = sharp({ create: { width: 24, height: 16, channels: 3, background: "#c83" } });
const grey = Uint8Array.from({ length: 64 * 48 }, (_, i) => 200 + (i % 50));

test("EXIF of a phone that writes the header of a JPEG segment before it is read and cleaned", () => {
  const bytes = heic({ beforeExif: "\xff\xe1\x38\x26Exif\0\0" });
  expect(readMetadata(bytes, "image/heic")).toMatchObject({ model: "X-T5", place: { altitude: 71 } });
  expect(readMetadata(cleaned(bytes), "image/heic")).toMatchObject({ model: "X-T5", place: null });
});

test("no reference in a HEIC names a picture that is gone", () => {
  const [bytes, clean] = [Buffer.from(heic()), cleaned(heic())];
  expect(clean.includes(heifParts.other)).toBe(false);
  const [at, last] = [bytes.indexOf("cdsc"), bytes.lastIndexOf("cdsc")];
  expect([...bytes.subarray(at, at + 12)]).toEqual([...text("cdsc"), 0, 6, 0, 2, 0, 9, 0, 1]);
  expect([...clean.subarray(at, at + 12)]).toEqual([...text("cdsc"), 0, 6, 0, 2, 0, 1, 0, 1]);
  expect(clean.toString("latin1", last, last + 4)).toBe("free");
});

test.each(formats)(
  "what is published of a picture as %s surely has the same pixels, profile and orientation",
  async (format) => {
    const bytes = await makePicture(format, true, true);
    const clean = cleaned(bytes);
    expect(haveSameParts(bytes, clean)).toBe(true);
    const [ours, theirs] = await Promise.all([bytes, clean].map((one) => sharp(one).raw().toBuffer()));
    expect(ours).toEqual(theirs);
  },
);

test("one other byte of the pixels, a missing profile and another orientation are differences", async () => {
  const jpeg = withExif(await picture.withIccProfile("p3").jpeg().toBuffer(), tiff({ image: { 0x0112: [3, 6] } }));
  expect(haveSameParts(jpeg, jpeg)).toBe(true);
  const other = Uint8Array.from(jpeg);
  other[jpeg.length - 10]! ^= 0x15;
  expect(haveSameParts(jpeg, other)).toBe(false);
  const bare = await sharp(jpeg).jpeg().toBuffer();
  expect(haveSameParts(jpeg, bare)).toBe(false);
  const upright = Uint8Array.from(jpeg);
  upright[Buffer.from(jpeg).indexOf(text("\x12\x01\x03\0\x01\0\0\0\x06")) + 8] = 1;
  expect(haveSameParts(jpeg, upright)).toBe(false);
  const gif = await picture.gif().toBuffer();
  const frame = gif.subarray(gif.indexOf(0x2c, 13), -1);
  expect(haveSameParts(gif, Buffer.concat([gif.subarray(0, -1), frame, gif.subarray(-1)]))).toBe(false);
});

test("a wrong offset into the pixels of a TIFF does not damage them", () => {
  const file = Buffer.from(writeTiff([page(64, 48, grey, { 0x8769: [4, 0], 0x010e: "CAPTION" })]));
  const entry = file.indexOf(text("\x69\x87\x04\0\x01\0\0\0"));
  file.writeUInt32LE(file.length - grey.length + 100, entry + 8);
  const clean = cleaned(file);
  expect([clean.includes("CAPTION"), clean.includes(grey)]).toEqual([false, true]);
});

test("a TIFF that does not say how long its strips are is visible only to its owner", () => {
  expect(publicBytes(writeTiff([page(64, 48, grey, { 0x0117: [4, 0], 0x010e: "CAPTION" })]))).toBe("none");
});

/** A profile of one known and one private tag, as Apple writes it for a monitor. */
function profileOf(serial: string): Buffer {
  const profile = Buffer.alloc(128 + 4 + 2 * 12 + 20 + 40);
  profile.writeUInt32BE(profile.length, 0);
  profile.writeUInt32BE(2, 128);
  for (const [i, [name, at, length]] of (
    [
      ["wtpt", 156, 20],
      ["mmod", 176, 40],
    ] as const
  ).entries()) {
    profile.write(name, 132 + 12 * i);
    profile.writeUInt32BE(at, 136 + 12 * i);
    profile.writeUInt32BE(length, 140 + 12 * i);
  }
  profile.write("XYZ \0\0\0\0white", 156);
  profile.write(`mmod\0\0\0\0${serial}`, 176);
  return profile;
}

test("the serial number of a monitor is removed from a colour profile", async () => {
  const profile = profileOf("MONITOR-4711");
  const name = text("ICC_PROFILE\0");
  const [first, second] = [profile.subarray(0, 190), profile.subarray(190)];
  const jpeg = [
    [2, second],
    [1, first],
  ].reduce(
    (bytes, [number, part]) =>
      withSegment(bytes, 0xe2, Buffer.concat([name, Buffer.from([number as number, 2]), part as Buffer])),
    new Uint8Array(await picture.jpeg().toBuffer()),
  );
  const png = withChunk(await picture.png().toBuffer(), "iCCP", Buffer.concat([text("icc\0\0"), deflateSync(profile)]));
  const file = writeTiff([page(64, 48, grey, { 0x8773: [7, ...profile] })]);
  expect(cleaned(jpeg).includes("OR-4711")).toBe(false);
  expect(cleaned(jpeg).includes("white")).toBe(true);
  expect(cleaned(file).includes("MONITOR")).toBe(false);
  const clean = cleaned(png);
  const at = clean.indexOf("iCCP");
  const kept = inflateSync(clean.subarray(at + 9, at + 4 + clean.readUInt32BE(at - 4)));
  expect([kept.includes("white"), kept.includes("MONITOR")]).toEqual([true, false]);
  const tagged = picture.withIccProfile("p3");
  const [webp, avif] = await Promise.all([tagged.webp().toBuffer(), tagged.avif().toBuffer()]);
  profile.copy(webp, webp.indexOf("ICCP") + 8);
  profile.copy(avif, avif.indexOf("rICC") + 4);
  for (const bytes of [webp, avif]) {
    expect([bytes.includes("MONITOR"), cleaned(bytes).includes("MONITOR")]).toEqual([true, false]);
  }
  for (const bytes of [jpeg, png, file, webp, avif]) expect(haveSameParts(bytes, cleaned(bytes))).toBe(true);
});

test("a colour profile that says where it ends is kept, whatever follows it", async () => {
  const jpeg = await picture.jpeg().toBuffer();
  const data = Buffer.concat([text("ICC_PROFILE\0\x01\x01"), profileOf("")]);
  const whole = withSegment(jpeg, 0xe2, data);
  const odd = Buffer.concat([whole.subarray(0, 6 + data.length), Buffer.alloc(14), whole.subarray(6 + data.length)]);
  expect(cleaned(odd)).toEqual(Buffer.from(whole));
});

test("credit lines stay without contact data; descriptions, software and comments go", async () => {
  const credit = "Ann Lee <ann@example.org>, +49 (30) 1234-5678, 2019-2024";
  const block = tiff({
    image: { 0x010e: "At C:\\Users\\ann", 0x0131: "Editor 5", 0x013b: credit, 0x8298: "(c) Ann, CC BY 4.0" },
  });
  const jpeg = withSegment(withExif(await picture.jpeg().toBuffer(), block), 0xfe, text("a comment"));
  const credited = withChunk(await picture.png().toBuffer(), "iTXt", text("Author\0\0\0\0\0Bob <bob@example.org>"));
  const png = [
    `Author\0${credit}`,
    "Copyright\0(c) Ann, CC BY 4.0",
    "Software\0Editor 5",
    "Description\0At home",
  ].reduce((bytes, one) => withChunk(bytes, "tEXt", text(one)), credited);
  const file = writeTiff([page(64, 48, grey, { 0x010e: "At home", 0x0131: "Editor 5", 0x013b: credit })]);
  for (const clean of [cleaned(jpeg), cleaned(png), cleaned(file)]) {
    expect([clean.includes("Ann Lee <"), clean.includes("2019-2024")]).toEqual([true, true]);
    for (const gone of ["example.org", "1234", "Editor", "At ", "a comment"])
      expect([gone, clean.includes(gone)]).toEqual([gone, false]);
  }
  for (const clean of [cleaned(jpeg), cleaned(png)]) expect(clean.includes("(c) Ann, CC BY 4.0")).toBe(true);
});

test("EXIF that follows the pixels of a PNG is read and cleaned", async () => {
  const png = await picture.png().toBuffer();
  const exif = tiff({ image: { 0x010f: "Leica", 0x0131: "Editor 5", 0x0112: [3, 6] } });
  const [end, whole] = [png.subarray(-12), png.subarray(0, -12)];
  const bytes = Buffer.concat([whole, chunk("eXIf", exif), end]);
  expect(readMetadata(bytes, "image/png")).toMatchObject({ make: "Leica", orientation: 6 });
  const clean = cleaned(bytes);
  expect([clean.includes("Editor"), clean.includes("Leica"), clean.length < bytes.length]).toEqual([false, true, true]);
  expect(haveSameParts(bytes, clean)).toBe(true);
});

test("places of videos may have one digit, and a date with a time counts more than one without", () => {
  expect(parsePlace("+48.8125+2.4862+055.000/")).toEqual({ latitude: 48.8125, longitude: 2.4862, altitude: 55 });
  const packet = (inner: string) => text(`<x:xmpmeta><rdf:Description ${inner}/></x:xmpmeta>`);
  const read = (inner: string) =>
    readMetadata(writeTiff([page(64, 48, grey, { 0x02bc: [1, ...packet(inner)] })]), "image/tiff");
  expect(read('photoshop:DateCreated="2021-02-03" xmp:CreateDate="2021-02-03T04:05:06Z"').takenAt).toBe(
    Date.UTC(2021, 1, 3, 4, 5, 6),
  );
  const caption = text("\x1c\x02\x37\0\x0820210203\x1c\x02\x3c\0\x06040506");
  const day = packet('photoshop:DateCreated="2021-02-03"');
  const both = writeTiff([page(64, 48, grey, { 0x02bc: [1, ...day], 0x83bb: [7, ...caption] })]);
  expect(readMetadata(both, "image/tiff").takenAt).toBe(Date.UTC(2021, 1, 3, 4, 5, 6));
  expect(read('exifEX:LensModel="XF35mmF1.4 R"').lens).toBe("XF35mmF1.4 R");
  expect(read('tiff:Make="Canon" tiff:Model="EOS R6" aux:Lens="RF24-70mm F2.8 L IS USM"')).toMatchObject({
    make: "Canon",
    model: "EOS R6",
    lens: "RF24-70mm F2.8 L IS USM",
  });
});

test("the lens is found in the notes of the camera's maker", () => {
  const nikon = Buffer.concat([
    text("Nikon\0\x02\x10\0\0"),
    writeTiff([{ 0x0084: [5, 18, 1, 55, 1, 35, 10, 56, 10] }]),
  ]);
  const read = (exif: Parameters<typeof writeTiff>[0][number]) =>
    readMetadata(writeTiff([page(64, 48, grey, { 0x8769: { below: [exif] } })]), "image/tiff").lens;
  expect(read({ 0x927c: [7, ...nikon] })).toBe("18-55mm f/3.5-5.6");
  const canon = Buffer.from(
    writeTiff([page(64, 48, grey, { 0x8769: { below: [{ 0x927c: [7, ...Buffer.alloc(60, "x")] }] } })]),
  );
  // Offsets in Canon's notes count from the start of EXIF.
  const note = canon.indexOf(Buffer.alloc(60, "x"));
  canon.write("\x01\0\x95\0\x02\0\x10\0\0\0", note, "latin1");
  canon.writeUInt32LE(note + 20, note + 10);
  canon.write("EF50mm f/1.8 II\0", note + 20, "latin1");
  expect(readMetadata(canon, "image/tiff").lens).toBe("EF50mm f/1.8 II");
  // A directory of one entry, whose value is elsewhere.
  const directory = (tag: number, type: number, offset: number) => {
    const bytes = Buffer.alloc(18);
    for (const [at, value] of [1, tag, type].entries()) bytes.writeUInt16LE(value, 2 * at);
    bytes.writeUInt32LE(type === 2 ? lens.length : 1, 6);
    bytes.writeUInt32LE(offset, 10);
    return bytes;
  };
  const lens = "LUMIX G 20/F1.7\0";
  canon.set(
    Buffer.concat([text("Panasonic\0\0\0"), directory(0x0051, 2, note + 40), Buffer.alloc(10), text(lens)]),
    note,
  );
  expect(readMetadata(canon, "image/tiff").lens).toBe("LUMIX G 20/F1.7");
  for (const name of ["OLYMPUS\0II\x03\0", "OM SYSTEM\0\0\0II\x04\0"]) {
    const [below, value] = [name.length + 18, name.length + 36];
    const parts = [text(name), directory(0x2010, 13, below), directory(0x0203, 2, value), text(lens)];
    expect(read({ 0x927c: [7, ...Buffer.concat(parts)] })).toBe("LUMIX G 20/F1.7");
  }
});

test("a bare codestream of JPEG XL is visible only to its owner", () => {
  const codestream = text("\xff\x0a\xfa\x1f\x41 a picture");
  expect([typeOfBytes(codestream), publicBytes(codestream)]).toEqual(["image/jxl", "none"]);
});
