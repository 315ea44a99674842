import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { deflateSync } from "node:zlib";
import { video, videoSecrets, secretsInVideo, webm } from "../../../tests/kit/files/videos.ts";
import { heic, heifParts } from "../../../tests/kit/files/heif-files.ts";
import { rawFiles, rawSerial } from "../../../tests/kit/files/raw-files.ts";
import { headLength, typeOfBytes } from "./kinds.ts";
import { type ImageMetadata, publicBytes, readMetadata, stripPrivate } from "./metadata.ts";
import { findMotion } from "./motion.ts";
import { findPicture } from "./picture.ts";
import { chunk, formats, makePicture, privateFields, secrets, secretsIn, segment, writeExif } from "./pictures.test.ts";
import { isLong, testLong } from "../../../tests/kit/long.ts";

const types = [
  ...["jpeg", "png", "webp", "gif", "tiff", "avif", "heic", "heif"].map((name) => `image/${name}`),
  "video/mp4",
  "video/quicktime",
  "audio/mp4",
  "video/webm",
  "video/x-matroska",
  "video/x-msvideo",
  ...Object.values(rawFiles).map(({ type }) => type),
];
const heads = [
  "\xff\xd8",
  "\x89PNG\r\n\x1a\n",
  "RIFF\xff\xff\xff\0WEBP",
  "GIF89a",
  "II*\0\x08\0\0\0",
  "MM\0*\0\0\0\x08",
  "II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0",
  "MM\0+\0\x08\0\0\0\0\0\0\0\0\0\x10",
  "\0\0\0\x08ftyp\0\0\0\0meta\0\0\0\0\0\0\0\x14hdlr\0\0\0\0\0\0\0\0pict",
  "\0\0\0\x08ftyp\0\0\0\0moov",
  "\0\0\0\x08ftyp\0\0\0\0moov\0\0\0\0trak\0\0\0\0mdia",
  "\x1a\x45\xdf\xa3\x80\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff\x16\x54\xae\x6b",
  "\0MRM\0\0\xff\xff\0TTW",
  "IIU\0\x08\0\0\0",
];

const pictures = await Promise.all(
  formats.map(async (format) => ({ format, type: `image/${format}`, bytes: await makePicture(format, true, true) })),
);
const rawPictures = await Promise.all(
  (["dng", "cr3", "mrw"] as const).map(async (format) => {
    const { type = "", make = async () => new Uint8Array() } = rawFiles[format] ?? {};
    return { format, type, bytes: await make(600) };
  }),
);
const videos = [
  { format: "video", type: "video/mp4", bytes: video() },
  { format: "video in fragments", type: "video/mp4", bytes: video({ hasFragments: true, hasGPSTrack: false }) },
  { format: "WebM", type: "video/webm", bytes: webm() },
  { format: "live WebM", type: "video/webm", bytes: webm({ isLive: true }) },
  { format: "HEIC", type: "image/heic", bytes: heic() },
];

/**
 * One byte can turn a tag into another one, and make a sample longer: the serial number of the lens becomes its name,
 * and the bytes after a sample become a part of it.
 */
const mistakable = new Set(["lens", videoSecrets.gap, videoSecrets.track, heifParts.thumbnail, "thumbnail"]);

/** Not a multiple of three, so that each of the three kinds of wrong bytes is tried. */
const sparsely = isLong ? 1 : 13;

/** All private data in any of them. */
const secretsOf = (content: Buffer) => [
  ...secretsIn(content),
  ...secretsInVideo(content),
  ...[rawSerial, heifParts.thumbnail, heifParts.unknown, heifParts.note].filter((secret) => content.includes(secret)),
];

/** Whatever the bytes are, both functions return, and their results are consistent. */
function examine(bytes: Uint8Array, type: string): Buffer {
  const metadata = readMetadata(bytes, type);
  const pieces = stripPrivate(bytes, type);
  const whole = pieces === "all" ? Buffer.from(bytes) : Buffer.concat(pieces === "none" ? [] : pieces);
  if (!isSound(metadata) || whole.length > bytes.length) throw new Error(JSON.stringify(metadata));
  typeOfBytes(bytes.subarray(0, headLength), "a.nef");
  publicBytes(bytes);
  findPicture(bytes);
  findMotion(bytes, type);
  return whole;
}

function isSound({ orientation, place, takenAt, video, ...rest }: ImageMetadata): boolean {
  const values = Object.values({ ...rest, ...video }).filter((value) => value !== null);
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

test("any bytes of any type are accepted", () => {
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
    { numRuns: isLong ? 5_000 : 100 },
  );
});

describe.each([...pictures, ...videos, ...rawPictures])("a broken $format", ({ type, bytes }) => {
  test("that is truncated anywhere reveals no private data", () => {
    for (let length = 0; length < bytes.length; length += (length < 3_000 ? 3 : 31) * sparsely) {
      expect(secretsOf(examine(bytes.subarray(0, length), type))).toEqual([]);
    }
  });

  test("with one wrong byte reveals no private data", () => {
    const broken = Buffer.from(bytes);
    for (let at = 0; at < bytes.length; at += (at < 2_000 ? 1 : 13) * sparsely) {
      broken[at] = [0xff, 0, bytes[at]! ^ 0x01][at % 3]!;
      const pieces = stripPrivate(broken, type);
      const shown = pieces === "all" ? broken : pieces === "none" ? Buffer.alloc(0) : Buffer.concat(pieces);
      const found = secretsOf(shown);
      expect([at, found.filter((secret) => !mistakable.has(secret))]).toEqual([at, []]);
      broken[at] = bytes[at]!;
    }
  });

  test("with wrong bytes is accepted", () => {
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
      { numRuns: isLong ? 500 : 15 },
    );
  });
});

testLong("one wrong byte in EXIF does not reveal the location", () => {
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

test("a harmless text that claims the whole block does not reveal the location", () => {
  const exif = Buffer.from(writeExif(true, privateFields));
  const entry = exif.indexOf(Buffer.from([0x0e, 0x01, 0x02, 0x00]));
  exif.writeUInt32LE(exif.length - 8, entry + 4);
  exif.writeUInt32LE(8, entry + 8);
  const file = [Buffer.from([0xff, 0xd8]), segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), exif]))];
  const found = secretsIn(examine(Buffer.concat(file), "image/jpeg"));
  expect(found).not.toContain("seconds");
  expect(found).not.toContain("body");
});

test("data between the segments of a JPEG is removed", () => {
  const [start, table] = [Buffer.from([0xff, 0xd8]), segment(0xdd, "\0\x01")];
  const scan = [
    segment(0xc0, "\x08\0\x01\0\x01\x01\x01\x11\0"),
    segment(0xda, "\x01\x01\0\0\x3f\0"),
    Buffer.from([1, 2, 3]),
  ];
  const hidden = Buffer.from(secrets.hidden);
  const file = Buffer.concat([start, hidden, table, hidden, table, segment(0xfe, "a comment"), ...scan]);
  expect(examine(file, "image/jpeg")).toEqual(Buffer.concat([start, table, table, ...scan]));
});

test("everything after an invalid segment of a JPEG is removed", () => {
  const [start, table] = [Buffer.from([0xff, 0xd8]), segment(0xdd, "\0\x01")];
  const scan = [
    segment(0xc0, "\x08\0\x01\0\x01\x01\x01\x11\0"),
    segment(0xda, "\x01\x01\0\0\x3f\0"),
    Buffer.from([1, 2, 3]),
  ];
  const nonsense = [
    Buffer.from([0xff, 0xc4, 0, 1]),
    segment(0xc4, "\0no table of codes"),
    segment(0xdb, "\0no table of numbers"),
    segment(0xdd, "no interval"),
    segment(0xc0, "no frame"),
    segment(0xda, "no scan"),
    Buffer.from([0xff, 0xd8]),
  ];
  for (const one of nonsense) {
    const file = Buffer.concat([start, table, ...scan, one, Buffer.from(secrets.hidden), ...scan]);
    expect(examine(file, "image/jpeg")).toEqual(Buffer.concat([start, table, ...scan, Buffer.from([0xff, 0xd9])]));
    expect(stripPrivate(Buffer.concat([start, table, one, ...scan]), "image/jpeg")).toBe("none");
  }
  expect(examine(Buffer.concat([start, segment(0xfe, "text"), ...scan]), "image/jpeg")).toEqual(
    Buffer.concat([start, ...scan]),
  );
});

const size = 2 ** 22;

/** Work that is linear in the bytes, to compare with: the same machine, as busy as it is, does both. */
function passOver(bytes: Uint8Array, times: number): number {
  let sum = 0;
  for (let step = 0; step < times * bytes.length; step++) sum = (sum + (bytes[step % bytes.length] ?? 0)) | 0;
  return sum;
}

/** In milliseconds. */
function processorTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1_000;
}

const repeated = (head: string, unit: string) =>
  Buffer.concat([Buffer.from(head, "latin1"), Buffer.alloc(size, unit, "latin1")]);
const number = (value: number) =>
  String.fromCharCode(value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24);

/** Each inflates to a megabyte. */
function manyTexts(count: number): Buffer {
  const body = Buffer.concat([Buffer.from("Raw profile type exif\0\0"), deflateSync(Buffer.alloc(2 ** 20))]);
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...Array<Buffer>(count).fill(chunk("zTXt", body))]);
}

testLong.each([
  ["a directory that is its own next", "image/tiff", Buffer.from("II*\0\x08\0\0\0\0\0\x08\0\0\0", "latin1")],
  ["overlapping directories", "image/tiff", repeated("II*\0\x08\0\0\0", "\xff\x20\x25\x88")],
  [
    "sub-directories everywhere",
    "image/tiff",
    repeated("II*\0\x08\0\0\0\xff\xff", `\x4a\x01\x04\0${number(2 ** 20)}${number(16)}`),
  ],
  [
    "overlapping private values",
    "image/tiff",
    repeated("II*\0\x08\0\0\0\xff\xff", `\x7c\x92\x07\0${number(2 ** 23)}${number(8)}`),
  ],
  [
    "long directories at every offset",
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
    "overlapping private values, all zeros",
    "image/tiff",
    Buffer.concat([
      Buffer.from("II*\0\x08\0\0\0\xff\xff", "latin1"),
      Buffer.alloc(12 * 65_535, `\x7c\x92\x07\0${number(2 ** 22)}${number(2 ** 20)}`, "latin1"),
      Buffer.alloc(size),
    ]),
  ],
  [
    "EXIF with overlapping values",
    "image/webp",
    repeated(
      `RIFF\xff\xff\xff\x0fWEBPEXIF${number(2 ** 21)}II*\0\x08\0\0\0\xff\xff`,
      `\x0e\x01\x07\0${number(2 ** 20)}${number(8)}`,
    ),
  ],
  ["too much EXIF", "image/webp", repeated(`RIFF\xff\xff\xff\x0fWEBPEXIF${number(2 ** 23)}II*\0\x08\0\0\0`, "\xff")],
  ["empty chunks", "image/png", repeated("\x89PNG\r\n\x1a\n", "\0\0\0\0abCd\0\0\0\0\0\0\0\0IDAT\0\0\0\0")],
  ["many EXIF chunks", "image/png", repeated("\x89PNG\r\n\x1a\n", "\0\0\0\0eXIf\0\0\0\0")],
  ["empty segments", "image/jpeg", repeated("\xff\xd8", "\xff\xe5\0\x02\xff\xfe\0\x02")],
  ["fill bytes", "image/jpeg", repeated("\xff\xd8", "\xff")],
  ["a scan of stuffed bytes", "image/jpeg", repeated("\xff\xd8\xff\xda\0\x02", "\xff\0")],
  [
    "Photoshop's resources",
    "image/jpeg",
    repeated("\xff\xd8", `\xff\xed\xff\xffPhotoshop 3.0\0${"8BIM\0\0\0\0\0\0\0\0".repeat(5_460)}`),
  ],
  ["empty extensions", "image/gif", repeated("GIF89a\x01\0\x01\0\0\0\0", "\x21\xff\0")],
  ["blocks of one byte", "image/gif", repeated("GIF89a\x01\0\x01\0\0\0\0\x21\xff\x0bXMP DataXMP", "\x01x")],
  ["empty boxes", "image/avif", repeated("\0\0\0\x08ftyp", "\0\0\0\x08abcd\0\0\0\x08free")],
  [
    "items with many extents",
    "image/heic",
    repeated(
      "\0\0\0\x08ftyp\0\0\0\0meta\0\0\0\0\0\0\0\x23iinf\0\0\0\0\0\x01\0\0\0\x15infe\x02\0\0\0\0\x01\0\0Exif\0\0\0\0\0iloc\x01\0\0\0\0\0\xff\xff",
      "\0\x01\0\0\0\0\xff\xff",
    ),
  ],
  ["pages of pages", "image/tiff", repeated("II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0", "\x02\0\0\0\0\0\0\0")],
  [
    "overlapping strips",
    "image/tiff",
    repeated(
      "II*\0\x08\0\0\0\x03\0\x03\x01\x03\0\x01\0\0\0\x07\0\0\0" +
        `\x11\x01\x04\0${number(2 ** 19)}${number(64)}\x17\x01\x04\0${number(2 ** 19)}${number(64)}`,
      number(200),
    ),
  ],
  ["nested JPEGs", "image/x-fuji-raf", repeated("FUJIFILMCCD-RAW ", "\xff\xd8\xff\xe0\0\x04")],
  [
    "long segments at every offset",
    "image/x-fuji-raf",
    repeated("FUJIFILMCCD-RAW ", "\xff\xd8\xff\xe1\xff\xff\xff\xff\xff\xe1"),
  ],
  ["empty tracks", "video/mp4", repeated("\0\0\0\x08ftyp\0\x40\0\x08moov", "\0\0\0\x08trak")],
  [
    "nested boxes",
    "video/mp4",
    repeated("\0\0\0\x08ftyp", "\0\0\0\0moov\0\0\0\0trak\0\0\0\0mdia\0\0\0\0minf\0\0\0\0stbl"),
  ],
  ["empty videos", "video/mp4", repeated("\0\0\0\x08ftyp\0\0\0\x08moov", "\0\0\0\x08mdat\0\0\0\x08moof")],
  [
    "empty clusters",
    "video/webm",
    repeated("\x1a\x45\xdf\xa3\x80\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff", "\x1f\x43\xb6\x75\xff"),
  ],
  [
    "empty elements",
    "video/webm",
    repeated("\x1a\x45\xdf\xa3\x80\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff", "\xec\x80"),
  ],
  ["many raw profiles", "image/png", manyTexts(3_000)],
  [
    "XMP with many unfinished city tags",
    "image/webp",
    repeated(`RIFF\xff\xff\xff\x0fWEBPXMP ${number(2 ** 22)}`, "photoshop:City "),
  ],
])("%s: takes little time", (_name, type, bytes) => {
  const spent = processorTime(() => examine(bytes, type));
  expect(spent).toBeLessThan(spent < 500 ? 500 : 15 * processorTime(() => passOver(Buffer.alloc(size), 20)));
});
