import { expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const photos = "/api/v1/photos";

const server = useServer();
const people = server.people();

async function takePhotos(who: Client, times: Record<string, string>): Promise<void> {
  const { body: file } = await who.upload("a.png", png(3, 2));
  for (const [title, takenAt] of Object.entries(times)) {
    const visibility = title.startsWith("private") ? "private" : "public";
    expect((await who.post(photos, { title, fileID: file.id, takenAt, visibility })).status).toBe(201);
  }
}

async function remember(who: Client, day: string): Promise<[year: number, count: number, titles: string[]][]> {
  const { status, body } = await who.get(`${photos}/on-this-day?day=${day}`);
  expect(status).toBe(200);
  return body.map((memory: any) => [memory.year, memory.count, memory.photos.map((photo: any) => photo.title)]);
}

test("owners see their photos of the same day in earlier years, and nobody else's", async () => {
  const { owner, stranger, guest } = people;
  await takePhotos(owner, {
    evening: "2021-06-12T23:59:59.999Z",
    "private noon": "2021-06-12T12:00:00Z",
    morning: "2021-06-12T00:00:00Z",
    "the day before": "2021-06-11T23:59:59.999Z",
    "the day after": "2021-06-13T00:00:00Z",
    "long ago": "1932-06-12T08:00:00Z",
    "this year": "2026-06-12T08:00:00Z",
    trashed: "2020-06-12T08:00:00Z",
  });
  await takePhotos(stranger, { foreign: "2021-06-12T08:00:00Z" });
  const trashed = (await owner.get(`${photos}?owner=me&from=2020-01-01&to=2021-01-01`)).body[0];
  expect((await owner.delete(`${photos}/${trashed.id}`)).status).toBe(200);
  expect(await remember(owner, "2026-06-12")).toEqual([
    [2021, 3, ["morning", "private noon", "evening"]],
    [1932, 1, ["long ago"]],
  ]);
  expect(await remember(owner, "2027-06-12")).toHaveLength(3);
  expect(await remember(stranger, "2026-06-12")).toEqual([[2021, 1, ["foreign"]]]);
  expect((await guest.get(`${photos}/on-this-day`)).status).toBe(401);
  for (const day of ["06-12", "2026-02-30", "0001-01-01", "today"])
    expect((await owner.get(`${photos}/on-this-day?day=${day}`)).body).toMatchObject({ field: "day" });
});

test("a leap day is remembered in every year", async () => {
  const { owner } = people;
  await takePhotos(owner, {
    leap: "2016-02-29T09:00:00Z",
    eve: "2016-02-28T09:00:00Z",
    "no leap": "2015-02-28T09:00:00Z",
  });
  expect(await remember(owner, "2024-02-29")).toEqual([[2016, 1, ["leap"]]]);
  expect(await remember(owner, "2024-02-28")).toEqual([
    [2016, 1, ["eve"]],
    [2015, 1, ["no leap"]],
  ]);
  expect(await remember(owner, "2025-02-28")).toEqual([
    [2016, 2, ["eve", "leap"]],
    [2015, 1, ["no leap"]],
  ]);
  expect(await remember(owner, "2025-03-01")).toEqual([]);
});

test("a day with many photos is shown by its first ones, and a long life by its last years", async () => {
  const { stranger } = people;
  const day = (year: number, minute: number) => `${year}-09-09T10:${String(minute).padStart(2, "0")}:00Z`;
  await takePhotos(
    stranger,
    Object.fromEntries(Array.from({ length: 10 }, (_, minute) => [`${minute}`, day(2020, minute)])),
  );
  await takePhotos(
    stranger,
    Object.fromEntries(Array.from({ length: 22 }, (_, age) => [`age ${age}`, day(2019 - age, 0)])),
  );
  const found = await remember(stranger, "2026-09-09");
  expect(found).toHaveLength(20);
  expect(found[0]).toEqual([2020, 10, ["0", "1", "2", "3", "4", "5", "6", "7"]]);
  expect(found.at(-1)).toEqual([2001, 1, ["age 18"]]);
});
