// Runs on other engines only with TEST_LONG: what is read from a picture does not depend on the engines.
import { describe, expect, test } from "bun:test";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { isScaled } from "../../../tests/kit/engine.ts";
import { box, videoNames, placeInVideo, readVideoFile } from "../../../tests/kit/files/videos.ts";
import { type Client, client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { person } from "../../../tests/kit/people.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { runBeside, startServer } from "../../../tests/kit/server.ts";
import {
  bytesOf,
  type Colour,
  corners,
  distance,
  meanCorners,
  quadrants,
  readBytes,
} from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { findProgram, needs } from "../../../tests/kit/optional.ts";
import { testLong } from "../../../tests/kit/long.ts";

const scratch = useScratch();
const photos = "/api/v1/photos";
const { test: testWithFFmpeg, describe: describeWithFFmpeg } = needs("ffmpeg", findProgram("ffmpeg") !== null);

const server = useServer();
const { guest } = server;
const owner = server.person("owner");

async function show(who: Client, name: Parameters<typeof readVideoFile>[0]) {
  const { body: file } = await who.upload(name, readVideoFile(name));
  return (await who.post(photos, { title: name, fileID: file.id })).body;
}

describe.each([...videoNames])("a photo of the video %s", (name) => {
  const hasPlace = name.startsWith("place") || name.startsWith("turned");
  const [width, height] = name === "turned.mov" ? [64, 96] : [96, 64];

  test("has its size, its duration, its time and its camera, and shows the place to its owner only", async () => {
    const photo = await show(owner, name);
    expect(photo).toMatchObject({ kind: "video", width, height, duration: name === "live.webm" ? 1.1 : 1.2 });
    expect(photo.takenAt).toBe(hasPlace ? "2026-06-12T19:41:07.000Z" : null);
    expect(photo.exif?.place?.latitude ?? null).toEqual(hasPlace ? expect.closeTo(38.7071, 4) : null);
    const { body: shown } = await guest.get(`${photos}/${photo.id}`);
    expect([shown.kind, shown.duration, shown.exif?.place ?? null]).toEqual(["video", photo.duration, null]);
    expect((await guest.get(`${photos}?pageSize=1`)).body[0]).toEqual(shown);
  });

  test("plays by ranges, without its place for the public", async () => {
    const { file } = await show(owner, name);
    const whole = await readBytes(guest, file.url);
    expect([whole.status, whole.headers.get("accept-ranges")]).toEqual([200, "bytes"]);
    expect(whole.headers.get("content-length")).toBe(String(whole.bytes.length));
    expect(whole.bytes.includes(placeInVideo)).toBe(false);
    // This is how Safari begins.
    const first = await readBytes(guest, file.url, { Range: "bytes=0-1" });
    expect([first.status, first.bytes]).toEqual([206, whole.bytes.subarray(0, 2)]);
    expect(first.headers.get("content-range")).toBe(`bytes 0-1/${whole.bytes.length}`);
    expect(first.headers.get("content-length")).toBe("2");
    const etag = whole.headers.get("etag") ?? "";
    const rest = await readBytes(guest, file.url, { Range: "bytes=2-", "If-Range": etag });
    expect([rest.status, Buffer.concat([first.bytes, rest.bytes])]).toEqual([206, whole.bytes]);
    const other = await readBytes(guest, file.url, { Range: "bytes=2-", "If-Range": '"another"' });
    expect([other.status, other.bytes.length]).toEqual([200, whole.bytes.length]);
    const past = await readBytes(guest, file.url, { Range: `bytes=${whole.bytes.length}-` });
    expect([past.status, past.headers.get("content-range")]).toEqual([416, `bytes */${whole.bytes.length}`]);
  });
});

describe("a video", () => {
  testLong("that is cut or changed anywhere never fails the server", async () => {
    const bytes = readVideoFile("place.mov");
    const broken = [20, 60, 200, 900, 1500].flatMap((at) => {
      const flipped = bytes.slice();
      flipped[at] = 0xff;
      return [bytes.slice(0, at), flipped];
    });
    for (const one of broken) {
      const { body: file } = await owner.upload("broken.mov", one);
      const made = await owner.post(photos, { title: "Broken", fileID: file.id });
      expect([200, 201, 400]).toContain(made.status);
      const { status, bytes: shown } = await readBytes(guest, file.url);
      expect([200, 401]).toContain(status);
      expect(shown.includes(placeInVideo)).toBe(false);
      if (made.status === 400) expect(made.body.error).toContain('"width" and "height" are required');
    }
  });

  test("that the server cannot read is shown with the size that was sent", async () => {
    const { body: file } = await owner.upload("video.avi", Buffer.from("RIFF\xff\0\0\0AVI ", "latin1"));
    const { status, body } = await owner.post(photos, { title: "Video", fileID: file.id, width: 640, height: 480 });
    expect([status, body.kind, body.duration, body.width, body.variants]).toEqual([201, "video", null, 640, []]);
  });

  test("is imported with the pictures of its directory", async () => {
    await owner.upload("clip.mp4", readVideoFile("plain.mp4"), { path: "/clips" });
    await owner.upload("still.png", png(3, 2), { path: "/clips" });
    const { body } = await owner.post(`${photos}/import`, { path: "/clips" });
    expect(body.files.map((file: any) => [file.name, file.outcome])).toEqual([
      ["clip.mp4", "imported"],
      ["still.png", "imported"],
    ]);
  });

  test("a picture is of the other kind", async () => {
    const { body: file } = await owner.upload("still.png", png(3, 2));
    const { body } = await owner.post(photos, { title: "Still", fileID: file.id });
    expect(body).toMatchObject({ kind: "image", duration: null, poster: null, motion: null });
  });
});

const colours: Colour[] = [
  [220, 30, 30],
  [30, 200, 40],
  [40, 60, 220],
  [240, 220, 40],
];

describeWithFFmpeg("a server with ffmpeg", () => {
  test.each([...videoNames])("shows a frame of %s that is not black, upright", async (name) => {
    const photo = await show(owner, name);
    expect(photo).toMatchObject({ poster: "frame", variants: [{ width: photo.width, height: photo.height }] });
    expect(photo.thumbhash).toBeString();
    const { bytes } = await readBytes(guest, photo.variants[0].url, { Accept: "image/jpeg" });
    expect(await sharp(bytes).metadata()).toMatchObject({ width: photo.width, height: photo.height });
    const upright = name === "turned.mov" ? [1, 3, 0, 2].map((corner) => colours[corner] as Colour) : colours;
    expect(distance(await meanCorners(bytes), upright)).toBeLessThan(40);
  });

  test("shows a black frame of a video that is black where it is looked at", async () => {
    expect(await show(owner, "black.mp4")).toMatchObject({ poster: "frame", duration: 60, variants: [{ width: 96 }] });
  });

  test.if(!isScaled)("takes the frame again if it was lost", async () => {
    const photo = await show(owner, "plain.mp4");
    rmSync(`${server.dataDir}/derived`, { recursive: true, force: true });
    const { status } = await readBytes(guest, photo.variants[0].url, { Accept: "image/webp" });
    expect(status).toBe(200);
  });
});

describe("a server without ffmpeg", () => {
  const directory = useScratch();
  const without = useServer({ DATA_DIR: directory, FFMPEG: "off" });
  const author = without.person("owner");

  test("shows a video without a picture, and says what to do", async () => {
    const photo = await show(author, "plain.mp4");
    expect(photo).toMatchObject({ kind: "video", width: 96, duration: 1.2 });
    expect([photo.poster, photo.thumbhash, photo.variants]).toEqual([null, null, []]);
    const { status, body } = await author.get(`${photos}/${photo.id}/image`);
    expect([status, body.error]).toEqual([404, expect.stringContaining("send a poster")]);
    expect((await readBytes(client(without), photo.file.url)).status).toBe(200);
  });

  testWithFFmpeg("takes the pictures after ffmpeg was installed and they are rebuilt", async () => {
    const photo = await show(author, "place.mkv");
    expect((await runBeside(without, ["rebuild", "pictures"])).code).toBe(0);
    await without.close();
    await using restarted = await startServer({ DATA_DIR: directory });
    const again = client(restarted);
    expect((await again.get(`${photos}/${photo.id}/image`)).status).toBe(200);
    expect((await again.get(`${photos}/${photo.id}`)).body).toMatchObject({ poster: "frame", kind: "video" });
  });
});

test("a video plays while its picture is being taken, and a photo of it waits for the picture", async () => {
  const directory = newDirectory(scratch);
  const [frame, flag, program] = ["frame.jpg", "go", "program"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(frame, await bytesOf(quadrants(96, 64).jpeg()));
  writeFileSync(program, `#!/bin/sh\nwhile [ ! -e ${flag} ]; do sleep 0.02; done\nexec cat ${frame}\n`);
  chmodSync(program, 0o700);
  await using slow = await startServer({ FFMPEG: program });
  const author = await person(slow, "owner");
  // Content of its own: servers that share a bucket share the pictures of the same content.
  const video = Buffer.concat([readVideoFile("place.mp4"), box("free", crypto.randomUUID())]);
  const { body: file } = await author.upload("video.mp4", video);
  const played = await readBytes(client(slow), file.url);
  expect([played.status, played.bytes.length]).toEqual([200, readVideoFile("place.mp4").length]);
  const making = author.post(photos, { title: "Video", fileID: file.id });
  writeFileSync(flag, "");
  const { status, body: photo } = await making;
  expect([status, photo.poster, photo.variants.length]).toEqual([201, "frame", 1]);
  const { bytes } = await readBytes(client(slow), photo.variants[0].url, { Accept: "image/jpeg" });
  expect(distance(await meanCorners(bytes), corners)).toBeLessThan(12);
});
