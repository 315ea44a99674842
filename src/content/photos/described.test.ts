// Runs on other engines only with TEST_LONG: what is read from a picture does not depend on the engines.
import { expect, test } from "bun:test";
import { type Client, client } from "../../../tests/kit/client.ts";
import { createPeople, person } from "../../../tests/kit/people.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { startServer, withDatabase } from "../../../tests/kit/server.ts";
import { takenPicture } from "../../../tests/kit/files/pictures.ts";
import { sql } from "../../platform/database/sql.ts";
import { until } from "../../../tests/kit/until.ts";
import { testLong } from "../../../tests/kit/long.ts";

const scratch = useScratch();
const photos = "/api/v1/photos";

testLong("photos that an earlier version has created are found by filters after the start", async () => {
  const dataDir = newDirectory(scratch);
  let id = 0;
  {
    await using server = await startServer({ DATA_DIR: dataDir });
    const owner = await person(server, "owner");
    const { body: file } = await owner.upload("a.jpg", await takenPicture("2015:05:05 05:05:05", "Old One"));
    ({ id } = (await owner.post(photos, { title: "Old", fileID: file.id })).body);
    await withDatabase(server, (db) =>
      db.transaction(async (tx) => {
        await tx.run(sql`UPDATE photos SET kind = NULL, camera_key = NULL`);
        await tx.run(sql`DELETE FROM photo_lists`);
        await tx.run(sql`DELETE FROM photo_months`);
      }),
    );
  }
  await using server = await startServer({ DATA_DIR: dataDir });
  const guest = client(server);
  const found = async () =>
    (await guest.get(`${photos}?camera=old one&pageSize=${1 + Math.floor(Math.random() * 99)}`)).body;
  const photosFound = await until(found, ({ length }) => length > 0);
  expect(photosFound.map((photo: any) => photo.id)).toEqual([id]);
  expect((await guest.get(`${photos}/timeline`)).body).toEqual([{ month: "2015-05", count: 1 }]);
});

test("the date and the camera follow the content of the file, and stay when it is deleted", async () => {
  await using server = await startServer();
  const { owner, guest } = await createPeople(server);
  const { body: file } = await owner.upload("a.jpg", await takenPicture("2015:05:05 05:05:05", "First", 10));
  const { body: photo } = await owner.post(photos, { title: "Photo", fileID: file.id });
  const expectDate = async (month: string, camera: string) => {
    expect((await guest.get(`${photos}/${photo.id}`)).body.takenAt.slice(0, 7)).toBe(month);
    expect((await guest.get(`${photos}/timeline`)).body).toEqual([{ month, count: 1 }]);
    const cameras = ["First", "Second"].map(async (one) => (await guest.get(`${photos}?camera=${one}`)).body.length);
    expect(await Promise.all(cameras)).toEqual([camera === "First" ? 1 : 0, camera === "Second" ? 1 : 0]);
  };
  await expectDate("2015-05", "First");
  const body = await takenPicture("2016:06:06 06:06:06", "Second", 20);
  await owner.request("PUT", `/api/v1/files/${file.id}/content`, { body });
  await expectDate("2016-06", "Second");
  const [version] = (await owner.get(`/api/v1/files/${file.id}/versions`)).body;
  await owner.post(`/api/v1/files/${file.id}/versions/${version.id}/restore`);
  await expectDate("2015-05", "First");
  await owner.upload("a.jpg", body, { onConflict: "replace" });
  await expectDate("2016-06", "Second");
  const { body: other } = await owner.upload("b.jpg", await takenPicture("2017:07:07 07:07:07", "First", 30));
  await owner.put(`${photos}/${photo.id}`, { fileID: other.id });
  await expectDate("2017-07", "First");
  await owner.delete(`/api/v1/files/${other.id}`);
  await expectDate("2017-07", "First");
  const [entry] = (await owner.get("/api/v1/trash")).body;
  await owner.delete(`/api/v1/trash/${entry.id}`);
  await expectDate("2017-07", "First");
});

test("a photo of another user's file tells neither its date nor its camera", async () => {
  await using server = await startServer();
  const { owner, stranger, guest } = await createPeople(server);
  const { body: file } = await owner.upload("a.jpg", await takenPicture("2015:05:05 05:05:05", "Secret", 10));
  const { body: photo } = await stranger.post(photos, { title: "Theirs", fileID: file.id });
  await owner.put(`/api/v1/files/${file.id}`, { visibility: "private" });
  const body = await takenPicture("2016:06:06 06:06:06", "Hidden", 20);
  await owner.request("PUT", `/api/v1/files/${file.id}/content`, { body });
  const seen = async (who: Client) => [
    (await who.get(`${photos}/${photo.id}`)).body.takenAt,
    (await who.get(`${photos}/timeline`)).body,
    (await who.get(`${photos}?camera=hidden`)).body,
    (await who.get(`${photos}?from=2000-01-01`)).body,
  ];
  for (const who of [guest, stranger]) expect(await seen(who)).toEqual([null, [], [], []]);
});
