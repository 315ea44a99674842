import { beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import sharp from "sharp";
import type { Client } from "../../../tests/kit/client.ts";
import { bytesOf, plain } from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const photos = "/api/v1/photos";
const samples = new URL("../../web/site/setup/samples/pictures/", import.meta.url);

const server = useServer();
const people = server.people();

async function show(who: Client, title: string, bytes: Uint8Array, more: object = {}): Promise<number> {
  const { body: file } = await who.upload(`${title}.img`, bytes);
  const { status, body } = await who.post(photos, { title, fileID: file.id, ...more });
  expect([title, status]).toEqual([title, 201]);
  return body.id;
}

const sample = (name: string) => sharp(readFileSync(new URL(name, samples)));
const list = async (who: Client) => {
  const { status, body } = await who.get(`${photos}/duplicates`);
  expect(status).toBe(200);
  return body;
};
const titlesOf = (body: any): string[][] =>
  body.groups.map(({ copies }: any) => copies.map(({ photo }: any) => photo.title));

const ids: Record<string, number> = {};

beforeAll(async () => {
  const { owner, stranger } = people;
  for (const name of readdirSync(samples)) ids[name] = await show(owner, name, await bytesOf(sample(name)));
  const forest = () => sample("forest.jpg");
  ids["small"] = await show(owner, "small", await bytesOf(forest().resize({ width: 500 }).jpeg({ quality: 40 })));
  ids["grey"] = await show(owner, "grey", await bytesOf(forest().resize({ width: 600 }).greyscale().webp()), {
    visibility: "private",
  });
  const { width, height } = await forest().metadata();
  const part = {
    left: Math.round(width / 40),
    top: Math.round(height / 40),
    width: Math.round(width * 0.95),
    height: Math.round(height * 0.95),
  };
  ids["cropped"] = await show(owner, "cropped", await bytesOf(forest().extract(part).png()));
  ids["turned"] = await show(owner, "turned", await bytesOf(forest().rotate(90).jpeg()));
  for (const [index, colour] of ["#fff", "#fefefe", "#000"].entries())
    await show(owner, `blank ${index}`, await bytesOf(plain(300 + index, 200, colour).png()));
  await show(stranger, "foreign", await bytesOf(forest().png()));
});

test("copies of a picture are one group with the largest first, and nothing else is", async () => {
  const { owner, stranger } = people;
  const found = await list(owner);
  expect(titlesOf(found)).toEqual([["forest.jpg", "cropped", "grey", "small"]]);
  expect(found.groups[0].copies.map(({ isBest }: any) => isBest)).toEqual([true, false, false, false]);
  expect(found).toMatchObject({ total: 1, pending: 0 });
  expect((await owner.get("/api/v1/attention")).body.duplicateGroups).toBe(1);
  expect(await list(stranger)).toEqual({ groups: [], total: 0, pending: 0 });
});

test("of equal copies, the one with texts and albums is suggested", async () => {
  const { stranger } = people;
  const bytes = await bytesOf(sample("forest.jpg").png());
  const second = await show(stranger, "with album", bytes);
  expect(titlesOf(await list(stranger))).toEqual([["foreign", "with album"]]);
  const { body: album } = await stranger.post("/api/v1/albums", { name: "Trees" });
  await stranger.post(`/api/v1/albums/${album.id}/photos`, { photoID: second });
  const [{ copies }] = (await list(stranger)).groups;
  expect(copies.map(({ photo, albumCount }: any) => [photo.title, albumCount])).toEqual([
    ["with album", 1],
    ["foreign", 0],
  ]);
});

test("what goes to the trash leaves its group, and comes back with it", async () => {
  const { owner } = people;
  const trashed = [ids["small"], ids["grey"], ids["cropped"]];
  await owner.post(`${photos}/batch`, { ids: trashed, trash: true, withFile: true });
  expect(await list(owner)).toMatchObject({ groups: [], total: 0 });
  expect((await owner.get("/api/v1/attention")).body.duplicateGroups).toBe(0);
  // It is compared with what was added meanwhile.
  const later = await show(owner, "later", await bytesOf(sample("forest.jpg").resize({ width: 400 }).png()));
  expect(titlesOf(await list(owner))).toEqual([["forest.jpg", "later"]]);
  await owner.post("/api/v1/trash/restore", { records: trashed.map((id) => ({ kind: "photo", id })) });
  expect(titlesOf(await list(owner))).toEqual([["forest.jpg", "cropped", "grey", "small", "later"]]);
  await owner.delete(`${photos}/${later}`);
});

test("photos that are said to be no copies are not suggested again, until that is taken back", async () => {
  const { owner, stranger } = people;
  const photoIDs = [ids["forest.jpg"], ids["small"], ids["grey"], ids["cropped"]];
  const decide = (who: Client, areDuplicates: boolean) => who.post(`${photos}/duplicates`, { photoIDs, areDuplicates });
  expect((await decide(stranger, false)).status).toBe(404);
  expect((await list(owner)).total).toBe(1);
  expect((await decide(owner, false)).status).toBe(200);
  expect((await list(owner)).total).toBe(0);
  await owner.put(`${photos}/${ids["small"]}`, { title: "Small" });
  expect((await list(owner)).total).toBe(0);
  await decide(owner, true);
  expect((await list(owner)).total).toBe(1);
  for (const wrong of [
    [1],
    [1, 1],
    "x",
    Array(101)
      .fill(0)
      .map((_, index) => index + 1),
  ])
    expect((await owner.post(`${photos}/duplicates`, { photoIDs: wrong, areDuplicates: false })).status).toBe(400);
});

test("a photo with another picture is compared again", async () => {
  const { owner } = people;
  const { body: photo } = await owner.get(`${photos}/${ids["small"]}`);
  await owner.request("PUT", `/api/v1/files/${photo.fileID}/content`, {
    body: await bytesOf(sample("lake.jpg").resize({ width: 300 })),
  });
  expect(titlesOf(await list(owner))).toEqual([
    ["forest.jpg", "cropped", "grey"],
    ["lake.jpg", "Small"],
  ]);
});
