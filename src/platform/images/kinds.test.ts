import { describe, expect, test } from "bun:test";
import { box, video, uint32, webm } from "../../../tests/kit/files/videos.ts";
import { rawFiles } from "../../../tests/kit/files/raw-files.ts";
import { page, writeTiff } from "../../../tests/kit/files/tiff-files.ts";
import { headLength, typeOfBytes } from "./kinds.ts";

const typeOf = (content: string | Uint8Array, name = "") =>
  typeOfBytes((typeof content === "string" ? Buffer.from(content, "latin1") : content).subarray(0, headLength), name);

describe("the type of a file", () => {
  test.each([
    "BM",
    "BMW was founded in 1916.\n",
    "BM is the name of a museum in London, and this line is longer than any header of a bitmap.",
    "the wide world",
    "and free of charge",
    "the ftyp box comes first",
    "\n\n\n\nmoov",
    "MMORPG guide",
    "IIRO is a town.",
    "ID3 tags, explained",
    "OggS and ends",
    "FOVb",
    "RIFF raff",
  ])("%p is text", (text) => {
    expect(typeOf(text)).toBeNull();
  });

  test("a bitmap is recognized only with a header of a valid length", () => {
    const bitmap = (header: number) => {
      const bytes = Buffer.alloc(80);
      bytes.write("BM");
      bytes.writeUInt32LE(80, 2);
      bytes.writeUInt32LE(14 + header, 10);
      bytes.writeUInt32LE(header, 14);
      return bytes;
    };
    for (const header of [12, 40, 52, 56, 64, 108, 124]) expect(typeOf(bitmap(header))).toBe("image/bmp");
    for (const header of [0, 13, 41, 4000]) expect(typeOf(bitmap(header))).toBeNull();
  });

  test.each([
    ["heic", "", "image/heic"],
    ["heic", "mif1heic", "image/heic"],
    ["mif1", "mif1heic", "image/heic"],
    ["mif1", "mif1avif", "image/avif"],
    ["mif1", "mif1miaf", "image/heif"],
    ["msf1", "hevciso8", "image/heic"],
    ["zzzz", "mif1MiHEmiafMiHBheic", "image/heic"],
    ["zzzz", "mif1", "image/heif"],
    ["isom", "mif1heic", "image/heic"],
    ["isom", "isomiso2avc1mp41", "video/mp4"],
    ["zzzz", "", "video/mp4"],
    ["qt  ", "qt  ", "video/quicktime"],
    ["M4A ", "isomM4A ", "audio/mp4"],
    ["crx ", "crx isom", "image/x-canon-cr3"],
  ])("brand %p with %p is %p", (major, compatible, type) => {
    expect(typeOf(box("ftyp", major, uint32(0), compatible))).toBe(type);
  });

  test("early QuickTime videos have no brand", () => {
    expect(typeOf(box("moov", "x"))).toBe("video/quicktime");
    expect(typeOf(Buffer.concat([box("wide"), box("mdat", "x")]))).toBe("video/quicktime");
    expect([typeOf(video()), typeOf(webm())]).toEqual(["video/mp4", "video/webm"]);
  });

  test.each(Object.entries(rawFiles))("%s is recognized by its bytes", async (_, { name, type, make }) => {
    expect(typeOf(await make(600), name)).toBe(type);
  });

  test("a TIFF file from a camera is RAW if its name or its first page says so", () => {
    const pixels = Buffer.alloc(12);
    const scanned = writeTiff([page(2, 2, pixels, { 0x010f: "NIKON CORPORATION" })]);
    expect([typeOf(scanned, "a.tif"), typeOf(scanned, "a.NEF"), typeOf(scanned, "a.kdc")]).toEqual([
      "image/tiff",
      "image/x-nikon-nef",
      "image/x-kodak-kdc",
    ]);
    expect(typeOf(writeTiff([page(2, 2, pixels)], { big: true }))).toBe("image/tiff");
    expect(typeOf(writeTiff([page(2, 2, pixels)], { big: true, little: false }))).toBe("image/tiff");
  });
});
