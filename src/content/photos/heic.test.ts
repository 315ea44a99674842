// Runs on the embedded engines only: how pictures are decoded does not depend on the engines.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import sharp from "sharp";
import { client } from "../../../tests/kit/client.ts";
import { type Colour, distance, meanCorners } from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const server = useServer();
const owner = server.person("owner");

async function show(name: string) {
  const { body: file } = await owner.upload(
    name,
    readFileSync(new URL(`../../../tests/fixtures/${name}`, import.meta.url)),
  );
  expect(file.contentType).toBe("image/heic");
  const { status, body } = await owner.post("/api/v1/photos", { title: name, fileID: file.id });
  expect(status).toBe(201);
  return body;
}

async function look(photo: any, accept: string, width = 320) {
  const url = `${server.url}/api/v1/photos/${photo.id}/image?w=${width}`;
  const response = await fetch(url, { headers: { Accept: accept } });
  expect(response.headers.get("content-type")).toBe(accept);
  return new Uint8Array(await response.arrayBuffer());
}

describe("a HEIC picture from a phone", () => {
  const corners: Colour[] = [
    [220, 30, 30],
    [30, 200, 40],
    [40, 60, 220],
    [240, 220, 40],
  ];

  test("is shown in every format, with its camera metadata", async () => {
    const photo = await show("quadrants.heic");
    expect(photo).toMatchObject({ width: 320, height: 200, exif: { make: "Vitrine", model: "Test" } });
    expect(photo.variants).toHaveLength(1);
    expect(photo.thumbhash).toBeString();
    for (const accept of ["image/jpeg", "image/webp", "image/avif"]) {
      const bytes = await look(photo, accept);
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 320, height: 200 });
      expect(distance(await meanCorners(bytes), corners)).toBeLessThan(12);
    }
  });

  test("keeps its wide colours: red in Display P3 becomes the purest red of sRGB", async () => {
    const bytes = await look(await show("red-display-p3.heic"), "image/jpeg");
    const red: Colour = [255, 0, 0];
    expect(distance(await meanCorners(bytes), [red, red, red, red])).toBeLessThan(8);
  });

  test("does not reveal its location to the public", async () => {
    const photo = await show("quadrants.heic");
    expect(photo.exif.place).toMatchObject({
      latitude: expect.closeTo(38.7069, 4),
      longitude: expect.closeTo(-9.1353, 4),
    });
    const public_ = (await client(server).get(`/api/v1/photos/${photo.id}`)).body;
    expect(public_.exif.place).toBeNull();
    const cleaned = new Uint8Array(await (await fetch(server.url + photo.file.url)).arrayBuffer());
    const again = (await owner.upload("again.heic", cleaned)).body;
    const { body } = await owner.post("/api/v1/photos", { title: "Again", fileID: again.id });
    expect(body).toMatchObject({ width: 320, height: 200, exif: { make: "Vitrine", place: null } });
  });
});
