import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import sharp from "sharp";
import { detailedPicture } from "../../bench/own-pictures.ts";
import { similarityOf, toDecibels } from "../../bench/similarity.ts";
import { isScaled } from "../../tests/engine.ts";
import { type Client, person, startServer, type TestServer } from "../../tests/kit.ts";
import { readBytes, showPicture } from "../../tests/pictures.ts";

let server: TestServer;
let owner: Client;

beforeAll(async () => {
  server = await startServer();
  owner = await person(server, "owner");
});
afterAll(() => server.close());

describe("the formats of a picture", () => {
  test(
    "AVIF is smaller than WebP at every width, with similar quality",
    async () => {
      const original = new Uint8Array(await detailedPicture(1600, 1000));
      const photo = await showPicture(owner, original);
      for (const { url, width, height } of photo.variants) {
        const scaled = { data: await sharp(original).resize(width, height).raw().toBuffer(), width, height };
        const load = async (format: string) => {
          const { bytes } = await readBytes(owner, url, { Accept: `image/${format}` });
          const data = await sharp(bytes).removeAlpha().toColourspace("srgb").raw().toBuffer();
          return { size: bytes.length, decibels: toDecibels(similarityOf(scaled, { data, width, height })) };
        };
        const [avif, webp] = [await load("avif"), await load("webp")];
        expect([width, avif.size < webp.size]).toEqual([width, true]);
        expect(avif.decibels - webp.decibels).toBeGreaterThan(-1.2);
      }
    },
    isScaled ? 60_000 : 30_000,
  );
});
