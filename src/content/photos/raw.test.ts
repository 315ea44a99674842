// Runs only with TEST_LONG: it decodes pictures of many cameras.
// Runs on the embedded engines only: how pictures are decoded does not depend on the engines.
import { describe, expect, test } from "bun:test";
import sharp from "sharp";
import { corners, distance, meanCorners, readBytes } from "../../../tests/kit/files/pictures.ts";
import { rawFiles } from "../../../tests/kit/files/raw-files.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const photos = "/api/v1/photos";

const server = useServer();
const { guest } = server;
const owner = server.person("owner");

const look = async (photo: any) => (await readBytes(guest, photo.variants[0].url, { Accept: "image/jpeg" })).bytes;

describe.each(Object.entries(rawFiles))("a photo of a RAW file: %s", (_, { name, type, isTurned, make }) => {
  test("shows its embedded preview to everyone", async () => {
    const { body: file } = await owner.upload(name, await make(1200));
    expect(file.contentType).toBe(type);
    const { status, body: photo } = await owner.post(photos, { title: name, fileID: file.id });
    const [width, height] = isTurned ? [800, 1200] : [1200, 800];
    expect([status, photo.width, photo.height]).toEqual([201, width, height]);
    expect(photo.variants.map((variant: any) => variant.width)).toEqual(isTurned ? [320, 640, 800] : [320, 640, 1200]);
    const picture = await look(photo);
    expect(await sharp(picture).metadata()).toMatchObject({ width: 320, format: "jpeg" });
    // Rotated by 90 degrees, the lower left corner is at the upper left.
    const upright = isTurned ? [2, 0, 3, 1].map((corner) => corners[corner] ?? [0, 0, 0]) : corners;
    expect(distance(await meanCorners(picture), upright as typeof corners)).toBeLessThan(12);
  });

  test("requires a size if there is no preview", async () => {
    const { body: file } = await owner.upload(name, await make(150));
    const { status, body } = await owner.post(photos, { title: name, fileID: file.id });
    expect([status, body.error]).toEqual([400, expect.stringContaining("RAW file without a preview")]);
    const sized = await owner.post(photos, { title: name, fileID: file.id, width: 6000, height: 4000 });
    expect([sized.status, sized.body.width, sized.body.variants]).toEqual([201, 6000, []]);
    expect((await guest.get(`${photos}/${sized.body.id}/image`)).status).toBe(404);
  });
});

test("an import accepts RAW files with a preview, and gives a reason for refusing others", async () => {
  const [good, bad] = await Promise.all([rawFiles["nef"]?.make(750), rawFiles["nef"]?.make(150)]);
  await owner.upload("good.nef", good ?? "", { path: "/raw" });
  await owner.upload("bad.nef", bad ?? "", { path: "/raw" });
  const { body } = await owner.post(`${photos}/import`, { path: "/raw" });
  let { files } = body;
  // A busy machine may answer before the import is finished.
  while (files.some(({ outcome }: any) => outcome === "waiting"))
    files = (await owner.get(`/api/v1/imports/${body.id}/files`)).body;
  expect(files.map((file: any) => [file.name, file.outcome, file.reason])).toEqual([
    ["good.nef", "imported", null],
    ["bad.nef", "refused", expect.stringContaining("RAW file without a preview")],
  ]);
});

test("a photo of a video requires a size", async () => {
  const { body: file } = await owner.upload("video.avi", Buffer.from("RIFF\xff\0\0\0AVI ", "latin1"));
  const { status, body } = await owner.post(photos, { title: "Video", fileID: file.id });
  expect([status, body.error]).toEqual([400, expect.stringContaining("AVI is not supported yet.")]);
});
