// Runs on other engines only with TEST_LONG: what is read from a picture does not depend on the engines.
import { expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { createPeople } from "../../../tests/kit/people.ts";
import { startServer } from "../../../tests/kit/server.ts";
import { takenPicture } from "../../../tests/kit/files/pictures.ts";

const photos = "/api/v1/photos";

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
