import { expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { bytesOf, quadrants } from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { hashOfText } from "../../platform/hash.ts";

const server = useServer();
const { owner, stranger, admin } = server.people();

const known = (who: Client, ...sha256: unknown[]) => who.post("/api/v1/files/known", { sha256 });

test("a client learns which of its files are there already, and which photo shows them", async () => {
  const { body: text } = await owner.upload("notes.txt", "Known", { path: "/texts" });
  const { body: picture } = await owner.upload("a.png", png(3, 2), { path: "/pictures", visibility: "private" });
  const { body: photo } = await owner.post("/api/v1/photos", { title: "Photo", fileID: picture.id });
  const unknown = hashOfText("never uploaded");
  const { status, body } = await known(owner, picture.sha256.toUpperCase(), unknown, text.sha256, text.sha256);
  expect(status).toBe(200);
  expect(body).toEqual([
    { sha256: text.sha256, fileID: text.id, name: "notes.txt", path: "/texts", photoID: null },
    { sha256: picture.sha256, fileID: picture.id, name: "a.png", path: "/pictures", photoID: photo.id },
  ]);
});

test("nobody learns that others have the same bytes", async () => {
  const jpeg = await bytesOf(quadrants(96, 64).jpeg());
  const { body: shown } = await owner.upload("shown.jpg", jpeg);
  const { body: hidden } = await owner.upload("hidden.txt", "A secret", { visibility: "private" });
  for (const who of [stranger, admin]) {
    expect((await known(who, shown.sha256, hidden.sha256)).body).toEqual([]);
  }
  const { body: own } = await stranger.upload("guess.txt", "A secret");
  expect((await known(stranger, hidden.sha256)).body).toMatchObject([{ fileID: own.id, name: "guess.txt" }]);
});

test("what is in the trash, also with its directory, is not there, and of many copies some are returned", async () => {
  const { body: file } = await owner.upload("copied.txt", "Many times", { path: "/copies" });
  for (let count = 0; count < 7; count++) await owner.post(`/api/v1/files/${file.id}/copy`, { path: "/copies" });
  expect((await known(owner, file.sha256)).body).toHaveLength(5);
  await owner.delete(`/api/v1/files/${file.id}`);
  const copies = (await known(owner, file.sha256)).body;
  expect(copies.map(({ fileID }: any) => fileID)).not.toContain(file.id);
  const directory = (await owner.get("/api/v1/files")).body.find(({ name }: any) => name === "copies");
  await owner.delete(`/api/v1/files/${directory.id}`);
  expect((await known(owner, file.sha256)).body).toEqual([]);
});

test("up to 1,000 hashes are looked up at once", async () => {
  const hashes = Array.from({ length: 1000 }, (_, index) => hashOfText(`number ${index}`));
  const { body: file } = await owner.upload("one.txt", "number 999");
  expect((await known(owner, ...hashes)).body).toMatchObject([{ fileID: file.id }]);
  const tooMany = await known(owner, ...hashes, hashOfText("one more"));
  expect([tooMany.status, tooMany.body.error]).toEqual([400, '"sha256" must have at most 1000 entries.']);
  for (const wrong of ["abc", 7, `${"0".repeat(63)}g`]) expect((await known(owner, wrong)).status).toBe(400);
  expect((await known(owner)).body.error).toBe('"sha256" must not be empty.');
});

test("a client learns which sizes its own files have, so that it hashes no others", async () => {
  const sizes = (who: Client, ...size: unknown[]) => who.post("/api/v1/files/known-sizes", { size });
  const { body: file } = await owner.upload("sized.bin", new Uint8Array(70_001));
  await owner.upload("sized too.bin", new Uint8Array(70_001).fill(1));
  const { body: trashed } = await owner.upload("trashed.bin", new Uint8Array(70_002));
  await owner.delete(`/api/v1/files/${trashed.id}`);
  expect((await sizes(owner, 70_000, 70_001, 70_001, 70_002)).body).toEqual([file.size]);
  for (const who of [stranger, admin]) expect((await sizes(who, 70_001)).body).toEqual([]);
  const many = Array.from({ length: 100 }, (_, index) => 70_001 - index);
  expect((await sizes(owner, ...many)).body).toContain(70_001);
  const tooMany = await sizes(owner, ...many, 80_000);
  expect([tooMany.status, tooMany.body.error]).toEqual([400, '"size" must have at most 100 entries.']);
  for (const wrong of [-1, 0.5, "7", 2 ** 60, null]) expect((await sizes(owner, wrong)).status).toBe(400);
  expect((await sizes(owner)).body.error).toBe('"size" must not be empty.');
});
