import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import sharp from "sharp";
import samples from "./samples.json";

const directory = new URL("pictures/", import.meta.url);
const names = samples.pictures.map(({ name }) => name);

test("every picture of the list is a small JPEG of its size, without metadata, and there is no other", async () => {
  expect(readdirSync(directory).toSorted()).toEqual(names.map((name) => `${name}.jpg`).toSorted());
  for (const { name, width, height } of samples.pictures) {
    const bytes = readFileSync(new URL(`${name}.jpg`, directory));
    const found = await sharp(bytes).metadata();
    expect([name, found.format, found.width, found.height, found.exif]).toEqual([
      name,
      "jpeg",
      width,
      height,
      undefined,
    ]);
    expect(bytes.length).toBeLessThan(150_000);
  }
});

test("both languages have a title for each of them, and the same pictures in albums and posts", () => {
  const { en, de } = samples;
  for (const { photos, albums, posts } of [en, de]) {
    expect(Object.keys(photos)).toEqual(names);
    expect(albums.map(({ photos }) => photos)).toEqual(en.albums.map(({ photos }) => photos));
    expect(posts.map(({ cover }) => cover)).toEqual(en.posts.map(({ cover }) => cover));
    const used = [...albums.flatMap(({ photos }) => photos), ...posts.map(({ cover }) => cover)];
    expect(used.filter((name) => !names.includes(name))).toEqual([]);
  }
});
