// Runs on other engines only with TEST_LONG: who may read bytes is decided before the storage.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import sharp from "sharp";
import { readConfig } from "../../config.ts";
import { openDatabase } from "../../engines.ts";
import { sql } from "../../platform/database/sql.ts";
import { engineEnv, isScaled } from "../../../tests/kit/engine.ts";
import { video, samples, secretsInVideo, webm } from "../../../tests/kit/files/videos.ts";
import { heic, heifParts } from "../../../tests/kit/files/heif-files.ts";
import { client } from "../../../tests/kit/client.ts";
import { isLong } from "../../../tests/kit/long.ts";
import { person } from "../../../tests/kit/people.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { startServer } from "../../../tests/kit/server.ts";
import {
  type Bytes,
  bytesOf,
  findDecoders,
  memoryOf,
  noise,
  quadrants,
  readBytes as read,
  secretExif,
  secrets,
  withExif,
} from "../../../tests/kit/files/pictures.ts";
import { rawFiles, rawSerial } from "../../../tests/kit/files/raw-files.ts";
import { page, type TiffTags, writeTiff } from "../../../tests/kit/files/tiff-files.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { findProgram, needs } from "../../../tests/kit/optional.ts";

const scratch = useScratch();
const server = useServer();
const { guest, owner, stranger, admin } = server.people();

const text = (value: string) => Buffer.from(value, "latin1");
const place = "PLACE-on-a-map";
const mapTags: TiffTags = { 0x830e: [12, 1, 1, 0], 0x8482: [12, 0, 0, 0, -9.1355, 38.7071, 0], 0x87b1: place };
const pixels = quadrants(24, 16).raw().toBuffer();
const jpeg = async () => withExif(await bytesOf(quadrants(96, 64).jpeg()), secretExif());

const secretsOf = (bytes: Uint8Array) => [
  ...secretsInVideo(bytes),
  ...[...secrets, place, rawSerial, heifParts.thumbnail, heifParts.unknown, heifParts.video, heifParts.gap].filter(
    (one) => Buffer.from(bytes).includes(one),
  ),
];

/** Pictures and videos that contain a place; `seen` finds the content that is public. */
const cleanable: [name: string, type: string, make: () => Promise<Bytes> | Bytes, seen: (bytes: Buffer) => unknown][] =
  [
    ["map.tif", "image/tiff", async () => writeTiff([page(24, 16, await pixels, mapTags)]), seePixels],
    ["big.tif", "image/tiff", async () => writeTiff([page(24, 16, await pixels, mapTags)], { big: true }), seePixels],
    ["brand.heic", "image/heic", () => heic({ brand: "mif1" }), seeTiles],
    ["other brand.heic", "image/heic", () => heic({ brand: "zzzz", compatible: "mif1miafheic" }), seeTiles],
    ["no name", "image/heif", () => heic({ brand: "zzzz", compatible: "mif1" }), seeTiles],
    ["video.mp4", "video/mp4", () => video(), seeSamples],
    ["video.mov", "video/quicktime", () => video({ brand: "qt  ", isHeaderLast: true }), seeSamples],
    ["memo.m4a", "audio/mp4", () => video({ brand: "M4A " }), seeSamples],
    ["video.webm", "video/webm", () => webm({ isLive: true }), (bytes) => bytes.indexOf(samples.video[0] ?? "")],
  ];

function seePixels(bytes: Buffer): number {
  return bytes.indexOf(Buffer.alloc(30, Uint8Array.of(215, 45, 40)));
}

function seeTiles(bytes: Buffer): number[] {
  return [...heifParts.tiles, heifParts.alpha].map((part) => bytes.indexOf(part));
}

function seeSamples(bytes: Buffer): number[] {
  return [...samples.video, ...samples.sound].map((sample) => bytes.indexOf(sample));
}

describe("the content of a picture or a video", () => {
  test.each(cleanable)("is sent without private data: %s", async (name, type, make, seen) => {
    const bytes = Buffer.from(await make());
    expect(secretsOf(bytes)).not.toEqual([]);
    const { body: file } = await owner.upload(name, new Uint8Array(bytes));
    expect(file.contentType).toBe(type);
    for (const who of [guest, stranger]) {
      const answer = await read(who, file.url);
      expect([answer.status, secretsOf(answer.bytes), answer.headers.get("content-type")]).toEqual([200, [], type]);
      expect(answer.headers.get("content-disposition")).toStartWith("inline");
      expect(seen(answer.bytes)).toEqual(seen(bytes));
    }
    expect((await read(owner, `${file.url}?original`)).bytes.equals(bytes)).toBe(true);
    const { bytes: whole } = await read(guest, file.url);
    const parts: Buffer[] = [];
    const step = isLong ? 997 : Math.ceil(whole.length / 7);
    for (let start = 0; start < whole.length; start += step) {
      const { status, bytes: part } = await read(guest, file.url, { Range: `bytes=${start}-${start + step - 1}` });
      expect(status).toBe(206);
      parts.push(part);
    }
    expect(Buffer.concat(parts).equals(whole)).toBe(true);
  });

  test.if(!isScaled)(
    "is sent with its length where it is the same for everyone, however long the range is",
    async () => {
      const picture = withExif(await bytesOf(noise(1400, 1000).jpeg({ quality: 100 })), secretExif());
      const { body: file } = await owner.upload("noise.jpg", picture);
      const { headers, bytes } = await read(guest, file.url, { Range: "bytes=100000-" });
      expect(bytes.length).toBeGreaterThan(2 ** 20);
      expect(headers.get("content-length")).toBe(String(bytes.length));
      expect(bytes.equals(Buffer.from(picture.subarray(-bytes.length)))).toBe(true);
    },
  );

  test("of many megabytes is cleaned without being read into memory", async () => {
    const megabytes = 96;
    const whole = Buffer.from(video({ isHeaderLast: true }));
    const mdat = whole.indexOf("mdat") - 4;
    const size = whole.readUInt32BE(mdat);
    whole.writeUInt32BE(size + megabytes * 2 ** 20, mdat);
    const parts = Array<Uint8Array<ArrayBuffer>>(megabytes).fill(new Uint8Array(2 ** 20).fill(7));
    const long = new Blob([whole.subarray(0, mdat + size), ...parts, whole.subarray(mdat + size)]);
    const { body: file } = await owner.upload("long.mp4", long);
    const { status, headers, bytes } = await read(guest, file.url, { Range: "bytes=-2000" });
    expect([status, secretsOf(bytes)]).toEqual([206, []]);
    expect(Number(headers.get("content-range")?.split("/")[1])).toBeGreaterThan(megabytes * 2 ** 20);
    expect(Math.max(0, ...findDecoders().map(memoryOf))).toBeLessThan(megabytes);
  });
});

const uncleanable: [name: string, type: string, make: () => Promise<Uint8Array> | Uint8Array][] = [
  ...Object.values(rawFiles).map(({ name, type, make }): [string, string, () => Promise<Bytes>] => [
    name,
    type,
    () => make(600),
  ]),
  ["video.avi", "video/x-msvideo", () => text(`RIFF\xff\0\0\0AVI LIST....${rawSerial}`)],
  ["layers.psd", "image/vnd.adobe.photoshop", () => text(`8BPS\0\x01${rawSerial}`)],
  ["video.mts", "video/mp2t", () => text(`G${"x".repeat(187)}`.repeat(6) + rawSerial)],
  ["subtitles.mkv", "video/x-matroska", () => webm({ trackType: 17, type: "matroska" })],
  ["no header.mp4", "video/mp4", () => video().subarray(0, 40)],
  ["damaged.jpg", "image/jpeg", async () => damage(await jpeg(), "\xff\xdb")],
  [
    "damaged.png",
    "image/png",
    async () =>
      damage(
        await bytesOf(
          sharp(await jpeg())
            .keepMetadata()
            .png(),
        ),
        "IHDR",
      ),
  ],
  [
    "damaged.webp",
    "image/webp",
    async () =>
      damage(
        await bytesOf(
          sharp(await jpeg())
            .keepMetadata()
            .webp(),
        ),
        "VP8X",
      ),
  ],
  ["damaged.tif", "image/tiff", () => text(`II*\0\xff\xff\0\0${rawSerial}`)],
  ["unknown.nef", "application/octet-stream", () => text(`\0\x01\x02${rawSerial}`)],
  ["begins late.jpg", "application/octet-stream", async () => Buffer.concat([text("x"), await jpeg()])],
  ["begins late.raf", "application/octet-stream", async () => Buffer.concat([text("x"), await jpeg()])],
];

/** Overwrites the bytes after a marker, which are a length or a size. */
function damage(bytes: Uint8Array, mark: string): Buffer {
  const copy = Buffer.from(bytes);
  copy.fill(0x7f, copy.indexOf(mark, 0, "latin1") + mark.length, copy.indexOf(mark, 0, "latin1") + mark.length + 2);
  return copy;
}

describe("a file whose private data cannot be removed", () => {
  test.each(uncleanable)("can be downloaded only by its owner and admins: %s", async (name, type, make) => {
    const bytes = new Uint8Array(await make());
    const { body: file } = await owner.upload(name, bytes);
    expect(file.contentType).toBe(type);
    for (const [who, status] of [
      [guest, 401],
      [stranger, 403],
    ] as const) {
      for (const query of ["", "?download", "?original"]) {
        for (const headers of [{}, { Range: "bytes=0-9" }]) {
          const answer = await read(who, file.url + query, headers);
          expect([query, answer.status]).toEqual([query, status]);
          expect(JSON.parse(answer.bytes.toString()).error).toMatch(/^.{10,300}\.$/);
        }
      }
      expect((await read(who, file.url, {}, "HEAD")).status).toBe(status);
    }
    for (const who of [owner, admin]) {
      const answer = await read(who, file.url);
      expect([answer.status, answer.bytes.equals(bytes)]).toEqual([200, true]);
      if (!/jpeg|png|webp|tiff|mp4|matroska/.test(type))
        expect(answer.headers.get("content-disposition")).toStartWith("attachment");
    }
  });

  needs("Python", findProgram("python3") !== null).testLong(
    "is replaced by a note in the archives of others",
    async () => {
      const raw = await rawFiles["dng"]?.make(600);
      await owner.upload("night.dng", raw ?? "", { path: "/archive" });
      await owner.upload("note.txt", "a note", { path: "/archive" });
      const { id } = (await owner.get("/api/v1/files")).body.find((file: any) => file.name === "archive");
      const { body: file } = await owner.upload("own.dng", raw ?? "");
      const { body: photo } = await owner.post("/api/v1/photos", { title: "Night", fileID: file.id });
      const { body: album } = await owner.post("/api/v1/albums", { name: "Nights" });
      await owner.post(`/api/v1/albums/${album.id}/photos`, { photoID: photo.id });
      for (const [path, name] of [
        [`/api/v1/files/${id}/zip`, "archive/night.dng"],
        [`/api/v1/albums/${album.id}/zip`, "Nights/own.dng"],
      ] as const) {
        for (const who of [guest, stranger, owner, admin]) {
          const names = await unzip((await read(who, path)).bytes);
          const isShown = who === owner || who === admin;
          expect(names[name]).toBe(isShown ? (raw?.length ?? 0) : undefined);
          expect(names[`${name} (not included).txt`]).toEqual(isShown ? undefined : expect.any(Number));
          if (path.includes("files")) expect(names["archive/note.txt"]).toBe(6);
        }
      }
    },
  );
});

describe("any other file", () => {
  test.each([
    ["BMW.txt", "BMW was founded in 1916."],
    ["notes.txt", "the wide world"],
    ["data.bin", "\0\x01\x02 Exif\0\0"],
    ["paper.pdf", "%PDF-1.7 Exif\0\0"],
    ["song.mp3", "ID3\x03 a song"],
    ["fake.jpg", "<html>no picture</html>"],
    ["fake.mp4", "no video"],
    ["head.jpg", "\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xd9"],
    ["fake head.jpg", "\xff\xd8\xff\xe0 no picture"],
    ["head.png", "\x89PNG\r\n\x1a\n"],
    ["fake head.png", "\x89PNG\r\n\x1a\n no picture"],
    ["head.gif", "GIF89a"],
    ["head.webp", "RIFF\0\0\0\0WEBP"],
    ["empty.jpg", ""],
    ["icon.svg", "<svg/>"],
    ["picture.bmp", `BM\x50\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0${"\0".repeat(60)}`],
    ["archive.zip", "PK\x03\x04 Exif\0\0"],
  ])("is sent unchanged to everyone: %s", async (name, content) => {
    const { body: file } = await owner.upload(name, text(content));
    for (const who of [guest, stranger, owner]) {
      const { status, bytes } = await read(who, file.url);
      expect([status, bytes.equals(text(content))]).toEqual([200, true]);
    }
  });

  test("a text that begins with the signature of a bitmap is text", async () => {
    const { body: file } = await owner.upload("BMW.txt", "BMW was founded in 1916.");
    expect(file.contentType).toBe("text/plain");
  });
});

test("files that an older version has read and published are read again", async () => {
  const dataDir = newDirectory(scratch);
  const before = await startServer({ DATA_DIR: dataDir });
  const someone = await person(before, "someone");
  const files = await Promise.all(
    [
      someone.upload("map.tif", writeTiff([page(24, 16, await pixels, mapTags)])),
      someone.upload("video.mp4", video()),
      someone.upload("raw.dng", (await rawFiles["dng"]?.make(600)) ?? ""),
      someone.upload("raw.x3f", (await rawFiles["x3f"]?.make(600)) ?? ""),
    ].map(async (upload) => (await upload).body),
  );
  for (const file of files) await read(client(before), file.url);
  await before.close();
  // As stored by version 0.1: nothing private in the map, the video and the RAW file not read, and its own content types.
  const db = await openDatabase(readConfig({ DATA_DIR: dataDir, ...(await engineEnv(dataDir)) }));
  const [map, clip, dng, x3f] = files;
  await db.transaction(async (tx) => {
    await tx.run(sql`DELETE FROM images WHERE sha256 IN (${clip.sha256}, ${x3f.sha256})`);
    await tx.run(sql`UPDATE images SET reader = 0, withheld = 0, clean = NULL, clean_size = NULL, clean_sha256 = NULL`);
    await tx.run(sql`UPDATE files SET content_type = 'application/octet-stream' WHERE id = ${x3f.id}`);
    await tx.run(sql`UPDATE files SET content_type = 'image/tiff' WHERE id = ${dng.id}`);
  });
  await db.close();
  const after = await startServer({ DATA_DIR: dataDir });
  const visitor = client(after);
  for (const file of [map, clip]) {
    const { status, bytes } = await read(visitor, file.url);
    expect([status, secretsOf(bytes)]).toEqual([200, []]);
  }
  for (const file of [dng, x3f]) expect((await read(visitor, file.url)).status).toBe(401);
  await after.close();
});

/** The names and sizes of the files in an archive, according to an independent reader. */
async function unzip(archive: Uint8Array): Promise<Record<string, number>> {
  const path = join(scratch, `${crypto.randomUUID()}.zip`);
  await Bun.write(path, archive);
  const script =
    "import sys,json,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(json.dumps({i.filename: i.file_size for i in z.infolist()}))";
  const reader = Bun.spawn(["python3", "-c", script, path], { stdout: "pipe", stderr: "inherit" });
  const names = JSON.parse(await new Response(reader.stdout).text());
  return names;
}

test("a file whose cleaned copy shows other pixels is withheld", async () => {
  const strip = Buffer.from(await pixels);
  const file = Buffer.from(writeTiff([page(24, 16, strip, { 0x9c9b: [1, ...Buffer.alloc(40, 1)] })]));
  // A private value that lies in the pixels: without it, the picture would have a gap.
  file.writeUInt32LE(file.length - strip.length + 60, file.indexOf(text("\x9b\x9c\x01\0\x28\0\0\0")) + 8);
  const { body } = await owner.upload("gap.tif", file);
  expect((await read(guest, `/api/v1/files/${body.id}/content`)).status).toBe(401);
  expect((await read(owner, `/api/v1/files/${body.id}/content`)).bytes).toEqual(file);
});
