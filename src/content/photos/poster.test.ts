// Runs on other engines only with TEST_LONG: what is read from a picture does not depend on the engines.
import { describe, expect, test } from "bun:test";
import sharp from "sharp";
import { readVideoFile } from "../../../tests/kit/files/videos.ts";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { person } from "../../../tests/kit/people.ts";
import { startServer, withDatabase } from "../../../tests/kit/server.ts";
import { bytesOf, corners, distance, meanCorners, quadrants, readBytes } from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sha256Of } from "../../../tests/kit/sha256.ts";
import { describeReferences } from "../../core/storage/used-blobs.ts";

const photos = "/api/v1/photos";

const server = useServer({ FFMPEG: "off" });
const { owner, guest, admin } = server.people();

async function showVideo(who = owner) {
  const { body: file } = await who.upload("video.mp4", readVideoFile("plain.mp4"));
  return (await who.post(photos, { title: "Video", fileID: file.id })).body;
}

type Body = string | Uint8Array<ArrayBuffer>;

const send = (who: Client, { id }: { id: number }, body: Body, headers: Record<string, string> = {}) =>
  who.request("PUT", `${photos}/${id}/poster`, { body, headers });

describe("the poster of a video", () => {
  test("that was sent becomes its picture, until it is replaced or removed", async () => {
    const video = await showVideo();
    const first = await send(owner, video, await bytesOf(quadrants(400, 300).png()));
    expect([first.status, first.body.poster, first.body.width, first.body.height]).toEqual([200, "sent", 96, 64]);
    expect(first.body.variants.map((one: any) => [one.width, one.height])).toEqual([
      [320, 240],
      [400, 300],
    ]);
    expect(first.body.thumbhash).toBeString();
    const { bytes } = await readBytes(guest, first.body.variants[0].url, { Accept: "image/jpeg" });
    expect(distance(await meanCorners(bytes), corners)).toBeLessThan(12);
    expect((await guest.get(`${photos}/${video.id}`)).body.variants).toEqual(first.body.variants);

    const second = await send(admin, video, await bytesOf(quadrants(100, 80).jpeg()));
    expect(second.body.variants).toMatchObject([{ width: 100, height: 80 }]);
    const picture = await readBytes(guest, `${photos}/${video.id}/image?w=320`);
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ width: 100, height: 80 });

    const removed = await owner.delete(`${photos}/${video.id}/poster`);
    expect([removed.status, removed.body.poster, removed.body.variants]).toEqual([200, null, []]);
    expect((await guest.get(`${photos}/${video.id}/image`)).status).toBe(404);
    expect((await owner.delete(`${photos}/${video.id}/poster`)).status).toBe(404);
  });

  test("must be a picture, and not too large", async () => {
    const video = await showVideo();
    const wrong: [Body, string][] = [
      ["a text", "not a supported image"],
      ["", "not a supported image"],
      [readVideoFile("plain.mp4"), "not a supported image"],
      [(await bytesOf(quadrants(60, 40).png())).slice(0, 60), "cannot be used"],
      [new Uint8Array(21 * 2 ** 20), "larger than"],
    ];
    for (const [body, sentence] of wrong) {
      const answer = await send(owner, video, body);
      expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(sentence)]);
    }
    expect((await guest.get(`${photos}/${video.id}`)).body).toMatchObject({ poster: null, variants: [] });
  });

  test("is refused for a picture, and for a photo that is not there", async () => {
    const { body: file } = await owner.upload("still.png", png(3, 2));
    const { body: still } = await owner.post(photos, { title: "Still", fileID: file.id });
    for (const answer of [await send(owner, still, png(2, 2)), await owner.delete(`${photos}/${still.id}/poster`)])
      expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining("Only a video has a poster")]);
    expect((await send(owner, { id: 999_999 }, png(2, 2))).status).toBe(404);
  });

  test("is replaced only if the photo matches If-Match", async () => {
    const video = await showVideo();
    const tag = (await owner.get(`${photos}/${video.id}`)).headers.get("etag") ?? "";
    expect((await send(owner, video, png(2, 2), { "If-Match": '"another"' })).status).toBe(412);
    expect((await send(owner, video, png(2, 2), { "If-Match": tag })).status).toBe(200);
    expect((await send(owner, video, png(3, 3), { "If-Match": tag })).status).toBe(412);
  });

  test("goes with the video: another file, or a picture as content, has none", async () => {
    const video = await showVideo();
    await send(owner, video, png(5, 5));
    const { body: other } = await owner.upload("other.mp4", readVideoFile("place.mp4"));
    expect((await owner.put(`${photos}/${video.id}`, { title: "Same file" })).body.poster).toBe("sent");
    expect((await owner.put(`${photos}/${video.id}`, { fileID: other.id })).body.poster).toBeNull();
    await send(owner, video, png(5, 5));
    await owner.request("PUT", `/api/v1/files/${other.id}/content`, { body: png(7, 6) });
    expect((await guest.get(`${photos}/${video.id}`)).body).toMatchObject({
      kind: "image",
      poster: null,
      width: 7,
      height: 6,
      variants: [{ width: 7, height: 6 }],
    });
  });

  test("of a public photo of a private video is for everyone, and of a private photo for its owner only", async () => {
    const video = await showVideo();
    await send(owner, video, png(6, 6));
    await owner.put(`/api/v1/files/${video.fileID}`, { visibility: "private" });
    const { body: seen } = await guest.get(`${photos}/${video.id}`);
    expect(seen).toMatchObject({ kind: "video", duration: 1.2, poster: "sent", file: null, variants: [{ width: 6 }] });
    expect((await guest.get(`${photos}/${video.id}/image`)).status).toBe(200);
    await owner.put(`${photos}/${video.id}`, { visibility: "private" });
    expect((await guest.get(`${photos}/${video.id}/image`)).status).toBe(404);
    expect((await send(await person(server, "somebody"), video, png(2, 2))).status).toBe(404);
    expect((await send(owner, video, png(2, 2))).status).toBe(200);
  });

  test("is kept while its photo is in the trash, and not after that", async () => {
    const video = await showVideo();
    const poster = png(9, 9);
    const sha256 = sha256Of(poster);
    const references = () => withDatabase(server, (db) => describeReferences(db, sha256));
    const throwAway = async () => {
      await owner.delete(`${photos}/${video.id}`);
      return (await owner.get("/api/v1/trash")).body[0];
    };
    await send(owner, video, poster);
    const entry = await throwAway();
    expect(await references()).toEqual([`poster of photo ${video.id}`]);
    expect((await owner.post(`/api/v1/trash/${entry.id}/restore`)).status).toBe(200);
    expect((await guest.get(`${photos}/${video.id}/image`)).status).toBe(200);
    expect((await owner.delete(`/api/v1/trash/${(await throwAway()).id}`)).status).toBe(200);
    expect(await references()).toEqual([]);
  });
});

test("posters count towards the quota, and are in the storage report", async () => {
  await using small = await startServer({ FFMPEG: "off", QUOTA_BYTES: "4000" });
  const who = await person(small, "owner");
  const video = await showVideo(who);
  const poster = png(4, 4);
  const noise = crypto.getRandomValues(new Uint8Array(3000));
  expect((await send(who, video, Buffer.concat([poster, noise]))).status).toBe(400);
  expect((await send(who, video, poster)).status).toBe(200);
  const [own] = (await who.get("/api/v1/storage")).body.owners;
  expect(own).toMatchObject({
    posters: { count: 1, bytes: poster.length },
    bytes: readVideoFile("plain.mp4").length + poster.length,
    savedByDeduplication: 0,
  });
  expect((await who.upload("rest.bin", new Uint8Array(4000 - own.bytes + 1))).status).toBe(400);
  expect((await who.upload("rest.bin", new Uint8Array(4000 - own.bytes))).status).toBe(201);
});
