// Runs on other engines only with TEST_LONG: what is read from a picture does not depend on the engines.
import { expect, test } from "bun:test";
import { png } from "../../../tests/kit/files/png.ts";
import { motionPhoto, readVideoFile } from "../../../tests/kit/files/videos.ts";
import { bytesOf, quadrants, readBytes } from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const photos = "/api/v1/photos";
const video = Buffer.from(readVideoFile("place.mov"));
const place = "+38.7071-009.1355";

const server = useServer();
const owner = server.person("owner");
const { guest } = server;

test.each(["google", "samsung"] as const)("a motion photo of %s plays its video without its place", async (phone) => {
  const jpeg = await bytesOf(quadrants(96, 64).jpeg());
  const { body: file } = await owner.upload("motion.jpg", motionPhoto(jpeg, video, phone));
  const { body: photo } = await owner.post(photos, { title: "Motion", fileID: file.id });
  expect(photo).toMatchObject({ kind: "image", width: 96, duration: null, poster: null });
  expect(photo.motion).toEqual({ url: `${photos}/${photo.id}/motion`, duration: 1.2 });
  expect((await guest.get(`${photos}/${photo.id}`)).body.motion).toEqual(photo.motion);

  for (const who of [guest, owner]) {
    const whole = await readBytes(who, photo.motion.url);
    expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    expect([whole.bytes.length, whole.bytes.includes(place), video.includes(place)]).toEqual([
      video.length,
      false,
      true,
    ]);
    // The samples are at the same offsets.
    const mdat = video.indexOf("mdat");
    const end = mdat - 4 + video.readUInt32BE(mdat - 4);
    expect(whole.bytes.subarray(mdat, end)).toEqual(video.subarray(mdat, end));
    const parts: Buffer[] = [];
    for (let start = 0; start < video.length; start += 501) {
      const part = await readBytes(who, photo.motion.url, { Range: `bytes=${start}-${start + 500}` });
      expect(part.status).toBe(206);
      parts.push(part.bytes);
    }
    expect(Buffer.concat(parts)).toEqual(whole.bytes);
    const tag = whole.headers.get("etag") ?? "";
    expect((await readBytes(who, photo.motion.url, { "If-None-Match": tag })).status).toBe(304);
    expect((await readBytes(who, photo.motion.url, { Range: `bytes=${video.length}-` })).status).toBe(416);
    expect((await who.request("HEAD", photo.motion.url)).headers.get("content-length")).toBe(String(video.length));
  }
  // The picture itself is public without the video.
  expect((await readBytes(guest, photo.file.url)).bytes.includes("moov")).toBe(false);
  expect((await readBytes(owner, photo.file.url)).bytes.includes("moov")).toBe(true);
});

test("other photos have no video", async () => {
  const jpeg = await bytesOf(quadrants(96, 64).jpeg());
  const cut = motionPhoto(jpeg, video.subarray(0, 300), "google");
  for (const [name, bytes] of [
    ["plain.png", png(2, 2)],
    ["cut.jpg", cut],
    ["video.mov", new Uint8Array(video)],
  ] as const) {
    const { body: file } = await owner.upload(name, bytes);
    const { body: photo } = await owner.post(photos, { title: name, fileID: file.id });
    expect(photo.motion).toBeNull();
    const { status, body } = await guest.get(`${photos}/${photo.id}/motion`);
    expect([status, body.error]).toEqual([404, `There is no video in photo ${photo.id}.`]);
  }
  expect((await guest.get(`${photos}/999999/motion`)).status).toBe(404);
});

test("the video of a private photo, and of a private file, is for the owner only", async () => {
  const jpeg = await bytesOf(quadrants(96, 64).jpeg());
  const { body: file } = await owner.upload("motion.jpg", motionPhoto(jpeg, video, "google"));
  const { body: photo } = await owner.post(photos, { title: "Motion", fileID: file.id, visibility: "private" });
  const statuses = async () => [
    (await readBytes(guest, photo.motion.url)).status,
    (await readBytes(owner, photo.motion.url)).status,
  ];
  expect(await statuses()).toEqual([404, 200]);
  await owner.put(`${photos}/${photo.id}`, { visibility: "public" });
  expect(await statuses()).toEqual([200, 200]);
  await owner.put(`/api/v1/files/${file.id}`, { visibility: "private" });
  expect(await statuses()).toEqual([404, 200]);
  const { body: seen } = await guest.get(`${photos}/${photo.id}`);
  expect([seen.motion, seen.kind, seen.variants.length, seen.file]).toEqual([null, "image", 1, null]);
});
