import { describe, expect, test } from "bun:test";
import { box, video, videoSecrets, samples, secretsInVideo, uint32 } from "../../../tests/kit/files/videos.ts";
import { heic, heifParts } from "../../../tests/kit/files/heif-files.ts";
import { secrets } from "../../../tests/kit/files/pictures.ts";
import { readMetadata, stripPrivate } from "./metadata.ts";

function cleaned(bytes: Uint8Array, contentType: string): Buffer {
  const pieces = stripPrivate(bytes, contentType);
  if (typeof pieces === "string") throw new Error(`The public part is "${pieces}".`);
  return Buffer.concat(pieces);
}

describe("a HEIC picture", () => {
  const { tiles, alpha, thumbnail, xmp, unknown, gap, note, video } = heifParts;

  test.each([true, false])("keeps only its pixels, at the same offsets; with XMP: %p", (xmpInside) => {
    const bytes = heic({ xmpInside });
    expect(readMetadata(bytes, "image/heic")).toMatchObject({ model: "X-T5", orientation: 1, place: { altitude: 71 } });
    const clean = cleaned(bytes, "image/heic");
    for (const kept of [...tiles, alpha]) expect(clean.indexOf(kept)).toBe(Buffer.from(bytes).indexOf(kept));
    for (const gone of [thumbnail, xmp, unknown, gap, note, video, ...secrets]) {
      expect([gone, Buffer.from(bytes).includes(gone), clean.includes(gone)]).toEqual([gone, true, false]);
    }
    expect(readMetadata(clean, "image/heic")).toMatchObject({ model: "X-T5", place: null });
    expect(stripPrivate(clean, "image/heic")).toBe("all");
  });

  test("no longer refers to its thumbnail", () => {
    const clean = cleaned(heic(), "image/heic");
    expect([clean.includes("thmb"), clean.includes("auxl"), clean.includes("dimg")]).toEqual([false, true, true]);
  });

  test.each(["pitm", "iloc", "iinf", "iprp"])("without its %s box is visible only to its owner", (type) => {
    const bytes = Buffer.from(heic());
    bytes.write("zzzz", bytes.indexOf(type));
    expect(stripPrivate(bytes, "image/heic")).toBe("none");
  });
});

describe.each([false, true])("a video, with its header at the end: %p", (isHeaderLast) => {
  test("keeps only pictures and sound, at the same offsets", () => {
    for (const brand of ["isom", "qt  ", "zzzz"]) {
      const bytes = video({ brand, isHeaderLast });
      expect(secretsInVideo(bytes)).toEqual(Object.values(videoSecrets));
      const clean = cleaned(bytes, "video/mp4");
      expect(secretsInVideo(clean)).toEqual([]);
      for (const sample of [...samples.video, ...samples.sound]) {
        expect(clean.indexOf(sample)).toBe(Buffer.from(bytes).indexOf(sample));
      }
      for (const gone of ["\xa9xyz", "loci", "keys", "uuid", "udta"])
        expect(clean.includes(gone, 0, "latin1")).toBe(false);
      expect([clean.includes("vide"), clean.includes("soun"), clean.includes("avc1")]).toEqual([true, true, true]);
      expect(stripPrivate(clean, "video/mp4")).toBe("all");
    }
  });

  test("that is truncated anywhere reveals no private data", () => {
    const bytes = video({ isHeaderLast });
    for (let length = 0; length < bytes.length; length++) {
      const pieces = stripPrivate(bytes.subarray(0, length), "video/mp4");
      expect([length, typeof pieces === "string" ? pieces : secretsInVideo(Buffer.concat(pieces))]).toEqual([
        length,
        typeof pieces === "string" ? "none" : [],
      ]);
    }
  });
});

describe("a video is visible only to its owner", () => {
  const patched = (from: string, to: string, bytes = video()) => {
    const copy = Buffer.from(bytes);
    copy.write(to, copy.indexOf(from, 0, "latin1"), "latin1");
    return copy;
  };

  test.each([
    ["when its header is compressed", box("moov", box("cmov", box("dcom", "zlib")))],
    ["when it has no header", Buffer.concat([box("ftyp", "isom", uint32(0)), box("mdat", videoSecrets.place)])],
    ["when it has neither pictures nor sound", patched("soun", "text", patched("vide", "text"))],
    ["when a table is missing", patched("stsz", "zzzz")],
    ["when a table is damaged", patched("stsc", "stsc\xff\xff\xff\xff\xff\xff\xff\xff")],
    ["when a box is longer than the one around it", patched("stbl", "stbl\0\xff")],
  ])("%s", (_, bytes) => {
    expect(stripPrivate(bytes, "video/mp4")).toBe("none");
  });

  test("when it is fragmented, and a track would have to be removed", () => {
    expect(stripPrivate(video({ hasFragments: true }), "video/mp4")).toBe("none");
  });
});

test("a fragmented video keeps all its samples, and loses the bytes between them", () => {
  const bytes = video({ hasFragments: true, hasGPSTrack: false });
  const clean = cleaned(bytes, "video/mp4");
  expect(secretsInVideo(clean)).toEqual([]);
  for (const sample of [...samples.video, ...samples.sound, samples.fragment]) {
    expect(clean.indexOf(sample)).toBe(Buffer.from(bytes).indexOf(sample));
  }
});
