import { describe, expect, test } from "bun:test";
import { box, videoNames, motionPhoto, placeInVideo, readVideoFile, uint32 } from "../../../tests/kit/files/videos.ts";
import { bytesOf, quadrants } from "../../../tests/kit/files/pictures.ts";
import { typeOfBytes } from "./kinds.ts";
import { readMetadata, stripPrivate } from "./metadata.ts";
import { findMotion } from "./motion.ts";
import { parsePlace } from "./place.ts";
import { readVideo } from "./read-video.ts";
import { isLong, testLong } from "../../../tests/kit/long.ts";

const takenAt = Date.UTC(2026, 5, 12, 19, 41, 7);
const place = { latitude: expect.closeTo(38.7071, 4), longitude: expect.closeTo(-9.1355, 4) };
const [camera, noCamera] = [
  { make: "Vitrine", model: "Test" },
  { make: null, model: null },
];
const facts = {
  "plain.mp4": { width: 96, height: 64, duration: 1200, takenAt: null, ...noCamera, place: null },
  "place.mp4": { width: 96, height: 64, duration: 1200, takenAt, ...noCamera, place: { ...place, altitude: 12 } },
  "fragmented.mp4": { width: 96, height: 64, duration: 1200, takenAt: null, ...noCamera, place: null },
  "place.mov": { width: 96, height: 64, duration: 1200, takenAt, ...camera, place: { ...place, altitude: 12 } },
  "turned.mov": {
    width: 64,
    height: 96,
    duration: 1200,
    takenAt,
    make: "Vitrine",
    model: "Phone 1",
    place: { ...place, altitude: 12 },
  },
  "place.webm": { width: 96, height: 64, duration: 1200, takenAt, ...camera, place: { ...place, altitude: null } },
  "live.webm": { width: 96, height: 64, duration: 1100, takenAt: null, ...noCamera, place: null },
  "place.mkv": { width: 96, height: 64, duration: 1200, takenAt, ...noCamera, place: { ...place, altitude: null } },
};
const typeOf = (bytes: Uint8Array) => typeOfBytes(bytes) ?? "";

describe.each([...videoNames])("the video %s", (name) => {
  const bytes = readVideoFile(name);
  const type = typeOf(bytes);

  test("says its size, duration, time, camera and place", () => {
    expect(readVideo(bytes, type)).toEqual(facts[name] as never);
    const { width, height, duration, ...metadata } = facts[name];
    expect(readMetadata(bytes, type)).toMatchObject({ ...metadata, video: { width, height, duration } });
  });

  test("has no place for the public, and still plays: the rest is at the same offsets", () => {
    expect(Buffer.from(bytes).includes(placeInVideo)).toBe(facts[name].place !== null && name !== "place.mp4");
    const pieces = stripPrivate(bytes, type);
    const clean = pieces === "all" ? Buffer.from(bytes) : Buffer.concat(pieces as Uint8Array[]);
    expect(clean.includes(placeInVideo)).toBe(false);
    const { make: _, model: __, takenAt: ___, ...rest } = facts[name];
    expect(readVideo(clean, type)).toMatchObject({ ...rest, place: null });
  });

  test("that is cut anywhere is read or refused", () => {
    for (let length = 0; length < bytes.length; length += 3) {
      const video = readVideo(bytes.slice(0, length), type);
      if (video) expect([length, isPlausible(video)]).toEqual([length, true]);
    }
  });

  testLong("with any byte changed is read or refused, and shows the public no place", () => {
    for (let at = 0; at < bytes.length; at++) {
      const values = [0, 0xff, (bytes[at] ?? 0) ^ 1];
      for (const value of isLong ? values : values.slice(at % 3, (at % 3) + 1)) {
        const copy = bytes.slice();
        copy[at] = value;
        const video = readVideo(copy, type);
        if (video) expect([at, value, isPlausible(video)]).toEqual([at, value, true]);
        const pieces = stripPrivate(copy, type);
        const shown = pieces === "all" ? [copy] : pieces === "none" ? [] : pieces;
        if (facts[name].place)
          expect([at, value, Buffer.concat(shown).includes(placeInVideo)]).toEqual([at, value, false]);
      }
    }
  });
});

function isPlausible({ width, height, duration, takenAt, place }: NonNullable<ReturnType<typeof readVideo>>): boolean {
  const isSide = (side: number) => Number.isInteger(side) && side > 0 && side <= 65_535;
  return (
    isSide(width) &&
    isSide(height) &&
    (duration === null || (Number.isInteger(duration) && duration > 0)) &&
    (takenAt === null || !Number.isNaN(new Date(takenAt).getTime())) &&
    (place === null || (Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180))
  );
}

describe("a video", () => {
  /** With another value at an offset inside a box. */
  const withField = (type: string, at: number, value: Buffer) => {
    const bytes = Buffer.from(readVideoFile("place.mp4"));
    value.copy(bytes, bytes.indexOf(type) + 4 + at);
    return bytes;
  };

  test("whose clock counts from 1970, or was never set, has the right time or none", () => {
    expect(readVideo(withField("mvhd", 4, uint32(takenAt / 1000)), "video/mp4")?.takenAt).toBe(takenAt);
    expect(readVideo(withField("mvhd", 4, uint32(0)), "video/mp4")?.takenAt).toBeNull();
    expect(readVideo(withField("mvhd", 4, uint32(0xffffffff)), "video/mp4")?.takenAt).toBe(
      (0xffffffff - 2082844800) * 1000,
    );
  });

  test("that does not know its duration, or its size, is read without it", () => {
    expect(readVideo(withField("mvhd", 16, uint32(0xffffffff)), "video/mp4")).toMatchObject({
      duration: null,
      width: 96,
    });
    expect(readVideo(withField("mvhd", 12, uint32(0)), "video/mp4")).toMatchObject({ duration: null, width: 96 });
    // The size of the coded pictures takes the place of the size to show.
    expect(readVideo(withField("tkhd", 76, uint32(0, 0)), "video/mp4")).toMatchObject({ width: 96, height: 64 });
  });

  test("with boxes of 64-bit length is read, and one that claims to be endless is not followed", () => {
    const plain = Buffer.from(readVideoFile("plain.mp4"));
    const mdat = plain.indexOf("mdat") - 4;
    const length = plain.readUInt32BE(mdat);
    const long = Buffer.concat([
      plain.subarray(0, mdat),
      uint32(1),
      Buffer.from("mdat"),
      uint32(0, length + 8),
      plain.subarray(mdat + 8),
    ]);
    expect(readVideo(long, "video/mp4")).toMatchObject({ width: 96, duration: 1200 });
    const lying = Buffer.concat([uint32(1), Buffer.from("free"), uint32(0xffffffff, 0xffffffff), plain]);
    expect(readVideo(lying, "video/mp4")).toBeNull();
  });

  test("with very many boxes, one inside the other or side by side, takes linear time", () => {
    let nested = box("moov");
    for (let depth = 0; depth < 2000; depth++) nested = box("moov", nested);
    expect(readVideo(nested, "video/mp4")).toBeNull();
    const many = box("moov", ...Array.from({ length: 90_000 }, () => box("trak")));
    expect(readVideo(many, "video/mp4")).toBeNull();
  });
});

test.each([
  ["+38.7071-009.1355+012.000/", { latitude: 38.7071, longitude: -9.1355, altitude: 12 }],
  ["+38.7071-009.1355/", { latitude: 38.7071, longitude: -9.1355, altitude: null }],
  ["-3842.426+00908.13/", { latitude: -38.7071, longitude: expect.closeTo(9.1355, 6), altitude: null }],
  [
    "+384225.56-0090807.8CRSWGS_84/",
    { latitude: expect.closeTo(38.7071, 5), longitude: expect.closeTo(-9.1355, 5), altitude: null },
  ],
  ["+91-009/", null],
  ["+38.7-181.0/", null],
  ["somewhere", null],
  ["", null],
])("the place %p of ISO 6709 is %p", (text, expected) => {
  expect(parsePlace(text)).toEqual(expected as never);
});

const jpeg = await bytesOf(quadrants(96, 64).jpeg());

describe("a motion photo", () => {
  const video = readVideoFile("place.mp4");

  test.each(["google", "samsung"] as const)("of %s contains its video", (phone) => {
    const photo = motionPhoto(jpeg, video, phone);
    expect(Buffer.from(findMotion(photo, "image/jpeg") ?? []).equals(video)).toBe(true);
    const pieces = stripPrivate(photo, "image/jpeg") as Uint8Array[];
    expect(Buffer.concat(pieces).includes("moov")).toBe(false);
  });

  test("in HEIC has its video in a box, and nothing else of the file belongs to it", () => {
    const picture = [box("ftyp", "heic", uint32(0), "mif1heic"), box("meta", uint32(0)), box("mdat", "tiles")];
    const photo = Buffer.concat([...picture, box("mpvd", video), box("mdat", "more tiles")]);
    expect(Buffer.from(findMotion(photo, "image/heic") ?? []).equals(video)).toBe(true);
  });

  test("has no video if there is none, or if it is cut", () => {
    expect(findMotion(jpeg, "image/jpeg")).toBeNull();
    expect(findMotion(motionPhoto(jpeg, video.subarray(0, 200), "google"), "image/jpeg")).toBeNull();
    expect(findMotion(motionPhoto(jpeg, Buffer.from("ftyp".repeat(50_000)), "google"), "image/jpeg")).toBeNull();
    expect(findMotion(video, "video/mp4")).toBeNull();
  });

  test("with any byte changed is read or refused", () => {
    const photo = motionPhoto(jpeg, video, "samsung");
    for (let at = jpeg.length - 4; at < photo.length; at++) {
      const copy = photo.slice();
      copy[at] = (copy[at] ?? 0) ^ 0x41;
      const found = findMotion(copy, "image/jpeg");
      const pieces = found ? stripPrivate(found, "video/mp4") : [];
      expect(Buffer.concat(typeof pieces === "string" ? [] : pieces).includes("loci")).toBe(false);
    }
  });
});
