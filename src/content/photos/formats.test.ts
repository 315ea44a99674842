// Runs only with TEST_LONG: one AVIF takes seconds.
// Runs on the embedded engines only: how pictures are decoded does not depend on the engines.
import { describe, expect, test } from "bun:test";
import sharp from "sharp";
import { detailedPicture } from "../../../bench/own-pictures.ts";
import { similarityOf, toDecibels } from "../../../bench/similarity.ts";
import { isLong } from "../../../tests/kit/long.ts";
import { readBytes, showPicture } from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const server = useServer();
const owner = server.person("owner");

describe("the formats of a picture", () => {
  test("AVIF is smaller than WebP at every width, with similar quality", async () => {
    const longest = isLong ? 1600 : 800;
    const original = new Uint8Array(await detailedPicture(longest, (longest * 5) / 8));
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
  });
});
