import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type ImageMetadata, readMetadata, stripPrivate } from "./metadata.ts";
import { formats, makePicture, privateFields, secrets, secretsIn, segment, writeExif } from "./pictures.test.ts";

const types = ["jpeg", "png", "webp", "gif", "tiff", "avif", "heic", "heif"].map((name) => `image/${name}`);
const heads = [
  "\xff\xd8",
  "\x89PNG\r\n\x1a\n",
  "RIFF\xff\xff\xff\0WEBP",
  "GIF89a",
  "II*\0\x08\0\0\0",
  "MM\0*\0\0\0\x08",
  "\0\0\0\x08ftyp\0\0\0\0meta",
];

const pictures = await Promise.all(
  formats.map(async (format) => ({ format, type: `image/${format}`, bytes: await makePicture(format, true, true) })),
);

/** Whatever the bytes are, both answer, and what they answer keeps its promises. */
function examine(bytes: Uint8Array, type: string): Buffer {
  const metadata = readMetadata(bytes, type);
  const pieces = stripPrivate(bytes, type);
  const whole = pieces ? Buffer.concat(pieces) : Buffer.from(bytes);
  if (!isSound(metadata) || whole.length > bytes.length) throw new Error(JSON.stringify(metadata));
  return whole;
}

function isSound({ orientation, place, takenAt, ...rest }: ImageMetadata): boolean {
  const values = Object.values(rest).filter((value) => value !== null);
  return (
    [1, 2, 3, 4, 5, 6, 7, 8].includes(orientation) &&
    (takenAt === null || Number.isInteger(takenAt)) &&
    (place === null || (Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180)) &&
    values.every((value) =>
      typeof value === "number"
        ? Number.isFinite(value) && value > 0
        : value.isWellFormed() && value.length <= 200 && /^\P{Cc}+$/u.test(value),
    )
  );
}

test("any bytes of any type are taken", () => {
  const random = fc.tuple(
    fc.constantFrom("", ...heads),
    fc.uint8Array({ maxLength: 400 }),
    fc.constantFrom(...types, "text/html", "constructor"),
  );
  fc.assert(
    fc.property(
      random,
      ([head, bytes, type]) => void examine(Buffer.concat([Buffer.from(head, "latin1"), bytes]), type),
    ),
    { numRuns: 5_000 },
  );
});

describe.each(pictures)("a broken $format", ({ format, type, bytes }) => {
  test("cut off anywhere gives no secret away", () => {
    for (let length = 0; length < bytes.length; length += length < 3_000 ? 3 : 31) {
      const clean = examine(bytes.subarray(0, length), type);
      // The directory of a TIFF file may stand behind all it speaks of: without it there is nothing to go by.
      if (format !== "tiff") expect(secretsIn(clean)).toEqual([]);
    }
  });

  test("with wrong bytes in it is taken", () => {
    const place = fc.oneof(
      fc.nat(bytes.length - 1),
      fc.nat(2_000),
      fc.integer({ min: bytes.length - 3_000, max: bytes.length }),
    );
    const changes = fc.array(fc.tuple(place, fc.oneof(fc.nat(255), fc.constantFrom(0, 0xff, 0x80))), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(changes, (list) => {
        const broken = Uint8Array.from(bytes);
        for (const [at, value] of list) broken[at] = value;
        examine(broken, type);
      }),
      { numRuns: 500 },
    );
  });
});

test("one wrong byte in EXIF does not let the place through", () => {
  for (const little of [true, false]) {
    const exif = Buffer.from(writeExif(little, privateFields));
    for (let at = 0; at < exif.length; at++) {
      const broken = Buffer.from(exif);
      broken[at] = at % 2 ? 0xff : exif[at]! ^ 1;
      const file = [Buffer.from([0xff, 0xd8]), segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), broken]))];
      expect(secretsIn(examine(Buffer.concat(file), "image/jpeg"))).not.toContain("seconds");
    }
  }
});

test("a harmless text that claims the whole block does not let the place through", () => {
  const exif = Buffer.from(writeExif(true, privateFields));
  const entry = exif.indexOf(Buffer.from([0x0e, 0x01, 0x02, 0x00]));
  exif.writeUInt32LE(exif.length - 8, entry + 4);
  exif.writeUInt32LE(8, entry + 8);
  const file = [Buffer.from([0xff, 0xd8]), segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), exif]))];
  const found = secretsIn(examine(Buffer.concat(file), "image/jpeg"));
  expect(found).not.toContain("seconds");
  expect(found).not.toContain("body");
});

test("what hides between the segments of a JPEG goes", () => {
  const [start, comment] = [Buffer.from([0xff, 0xd8]), segment(0xfe, "stays")];
  const file = Buffer.concat([start, Buffer.from(secrets.hidden), comment, Buffer.from(secrets.hidden), comment]);
  expect(examine(file, "image/jpeg")).toEqual(Buffer.concat([start, comment, comment]));
});

const size = 2 ** 22;
const repeated = (head: string, unit: string) =>
  Buffer.concat([Buffer.from(head, "latin1"), Buffer.alloc(size, unit, "latin1")]);
const number = (value: number) =>
  String.fromCharCode(value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24);

test.each([
  ["a directory that is its own next", "image/tiff", Buffer.from("II*\0\x08\0\0\0\0\0\x08\0\0\0", "latin1")],
  ["directories upon directories", "image/tiff", repeated("II*\0\x08\0\0\0", "\xff\x20\x25\x88")],
  [
    "sub-directories everywhere",
    "image/tiff",
    repeated("II*\0\x08\0\0\0\xff\xff", `\x4a\x01\x04\0${number(2 ** 20)}${number(16)}`),
  ],
  [
    "private values upon each other",
    "image/tiff",
    repeated("II*\0\x08\0\0\0\xff\xff", `\x7c\x92\x07\0${number(2 ** 23)}${number(8)}`),
  ],
  [
    "long directories from any place on",
    "image/tiff",
    Buffer.concat([
      Buffer.from("II*\0\x08\0\0\0\x64\0", "latin1"),
      ...Array.from({ length: 100 }, (_, i) =>
        Buffer.from(`\x4a\x01\x04\0${number(100)}${number(1_300 + 400 * i)}`, "latin1"),
      ),
      Buffer.alloc(90),
      ...Array.from({ length: 10_000 }, (_, i) => Buffer.from(number(50_000 + i), "latin1")),
      Buffer.alloc(size, 0xff),
    ]),
  ],
  [
    "private values upon each other, all zeros",
    "image/tiff",
    Buffer.concat([
      Buffer.from("II*\0\x08\0\0\0\xff\xff", "latin1"),
      Buffer.alloc(12 * 65_535, `\x7c\x92\x07\0${number(2 ** 22)}${number(2 ** 20)}`, "latin1"),
      Buffer.alloc(size),
    ]),
  ],
  [
    "EXIF of values upon each other",
    "image/webp",
    repeated(
      `RIFF\xff\xff\xff\x0fWEBPEXIF${number(2 ** 21)}II*\0\x08\0\0\0\xff\xff`,
      `\x0e\x01\x07\0${number(2 ** 20)}${number(8)}`,
    ),
  ],
  ["too much EXIF", "image/webp", repeated(`RIFF\xff\xff\xff\x0fWEBPEXIF${number(2 ** 23)}II*\0\x08\0\0\0`, "\xff")],
  ["chunks of nothing", "image/png", repeated("\x89PNG\r\n\x1a\n", "\0\0\0\0abCd\0\0\0\0\0\0\0\0IDAT\0\0\0\0")],
  ["many EXIF chunks", "image/png", repeated("\x89PNG\r\n\x1a\n", "\0\0\0\0eXIf\0\0\0\0")],
  ["segments of nothing", "image/jpeg", repeated("\xff\xd8", "\xff\xe5\0\x02\xff\xfe\0\x02")],
  ["fill bytes", "image/jpeg", repeated("\xff\xd8", "\xff")],
  ["a scan of stuffed bytes", "image/jpeg", repeated("\xff\xd8\xff\xda\0\x02", "\xff\0")],
  [
    "Photoshop's resources",
    "image/jpeg",
    repeated("\xff\xd8", `\xff\xed\xff\xffPhotoshop 3.0\0${"8BIM\0\0\0\0\0\0\0\0".repeat(5_460)}`),
  ],
  ["extensions of nothing", "image/gif", repeated("GIF89a\x01\0\x01\0\0\0\0", "\x21\xff\0")],
  ["blocks of one byte", "image/gif", repeated("GIF89a\x01\0\x01\0\0\0\0\x21\xff\x0bXMP DataXMP", "\x01x")],
  ["boxes of nothing", "image/avif", repeated("\0\0\0\x08ftyp", "\0\0\0\x08abcd\0\0\0\x08free")],
  [
    "items of many extents",
    "image/heic",
    repeated(
      "\0\0\0\x08ftyp\0\0\0\0meta\0\0\0\0\0\0\0\x23iinf\0\0\0\0\0\x01\0\0\0\x15infe\x02\0\0\0\0\x01\0\0Exif\0\0\0\0\0iloc\x01\0\0\0\0\0\xff\xff",
      "\0\x01\0\0\0\0\xff\xff",
    ),
  ],
  [
    "XMP of a city's beginnings",
    "image/webp",
    repeated(`RIFF\xff\xff\xff\x0fWEBPXMP ${number(2 ** 22)}`, "photoshop:City "),
  ],
])("%s takes little time", (_name, type, bytes) => {
  const before = process.cpuUsage();
  examine(bytes, type);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
});
