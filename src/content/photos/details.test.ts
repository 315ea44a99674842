// Runs on other engines only with TEST_LONG: what is read from a picture does not depend on the engines.
import { beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import {
  bytesOf,
  quadrants,
  secretExif,
  secretPlace,
  takenPicture,
  withExif,
} from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { testLong } from "../../../tests/kit/long.ts";

const photos = "/api/v1/photos";
let fileID: number;

const server = useServer();
const { owner, stranger, admin, guest } = server.people();
beforeAll(async () => {
  fileID = (await owner.upload("plain.png", png(4, 4))).body.id;
});

const create = async (more: object = {}) => (await owner.post(photos, { title: "Photo", fileID, ...more })).body;
const change = async (who: Client, id: number, body: object) => who.put(`${photos}/${id}`, body);

describe("tags and alternative text", () => {
  testLong("are stored, changed and found", async () => {
    const photo = await create({ tags: ["Sea", " sea ", "Café", "CAFE\u0301"], altText: "A lighthouse on a cliff." });
    expect([photo.tags, photo.altText]).toEqual([["Sea", "Café"], "A lighthouse on a cliff."]);
    for (const word of ["lighthouse", "cafe"]) {
      const found = (await guest.get(`/api/v1/search?q=${word}`)).body as { kind: string; id: number }[];
      expect(found.map(({ kind, id }) => [kind, id])).toEqual([["photo", photo.id]]);
    }
    for (const tag of ["SEA", "sea", "caf%C3%A9", "cafe%CC%81"]) {
      expect((await guest.get(`${photos}?tag=${tag}`)).body).toMatchObject([{ id: photo.id }]);
    }
    const { body } = await change(owner, photo.id, { tags: ["Cliff"] });
    expect([body.tags, body.altText]).toEqual([["Cliff"], "A lighthouse on a cliff."]);
    expect((await guest.get(`${photos}?tag=sea`)).body).toEqual([]);
    expect((await guest.get(`${photos}?tag=cliff`)).body).toHaveLength(1);
    expect((await guest.get("/api/v1/search?q=cafe")).body).toEqual([]);
  });
});

describe("a favourite", () => {
  test("is the owner's: everyone else sees false, and only the owner can set it", async () => {
    const photo = await create({ isFavourite: true });
    expect(photo.isFavourite).toBe(true);
    for (const who of [stranger, admin, guest]) {
      expect((await who.get(`${photos}/${photo.id}`)).body.isFavourite).toBe(false);
      expect((await who.get(`${photos}?favourite=true`)).body).toEqual([]);
    }
    expect((await owner.get(`${photos}?favourite=true`)).body.map(({ id }: any) => id)).toEqual([photo.id]);
    const refused = await change(admin, photo.id, { isFavourite: false, title: "Not changed" });
    expect([refused.status, refused.body.error]).toEqual([
      403,
      `Only the owner of photo ${photo.id} can mark it as a favourite.`,
    ]);
    expect((await owner.get(`${photos}/${photo.id}`)).body).toEqual(photo);
    await change(owner, photo.id, { isFavourite: false });
    expect((await owner.get(`${photos}?favourite=true`)).body).toEqual([]);
    expect((await owner.get(`${photos}?favourite=false`)).body.map(({ id }: any) => id)).toContain(photo.id);
  });
});

describe("a correction", () => {
  testLong("of the time wins over the file, until it is removed", async () => {
    const { body: file } = await owner.upload("a.jpg", await takenPicture("2021:03:04 05:06:07", "One"));
    const photo = await create({ fileID: file.id });
    expect(photo.takenAt).toBe("2021-03-04T05:06:07.000Z");
    const corrected = await change(owner, photo.id, { takenAt: "2022-01-01T02:00:00+03:00" });
    expect(corrected.body.takenAt).toBe("2021-12-31T23:00:00.000Z");
    await owner.request("PUT", `/api/v1/files/${file.id}/content`, {
      body: await takenPicture("2020:01:01 00:00:00", "Two"),
    });
    expect((await guest.get(`${photos}/${photo.id}`)).body.takenAt).toBe("2021-12-31T23:00:00.000Z");
    expect((await change(owner, photo.id, { takenAt: null })).body.takenAt).toBe("2020-01-01T00:00:00.000Z");
    expect((await create({ takenAt: "1999-12-31T23:59:59Z" })).takenAt).toBe("1999-12-31T23:59:59.000Z");
  });

  test("of the place wins over the file, and is shown like a place in the file", async () => {
    const secret = withExif(await bytesOf(quadrants(16, 16).jpeg()), secretExif());
    const { body: file } = await owner.upload("b.jpg", secret);
    const photo = await create({ fileID: file.id });
    const placesOf = async (who: Client) => {
      const { body } = await who.get(`${photos}/${photo.id}`);
      return [body.place, body.exif.place];
    };
    expect([photo.place, photo.exif.place]).toEqual([secretPlace, secretPlace]);
    expect(await placesOf(guest)).toEqual([null, null]);
    const place = { latitude: 38.5, longitude: -9, name: "Setubal" };
    const shown = { ...place, altitude: null };
    expect((await change(owner, photo.id, { place })).body.place).toEqual(shown);
    expect([await placesOf(owner), await placesOf(guest), await placesOf(admin)]).toEqual([
      [shown, shown],
      [null, null],
      [null, null],
    ]);
    const found = async (who: Client) => (await who.get("/api/v1/search?q=setubal")).body.length;
    expect([await found(owner), await found(guest)]).toEqual([1, 0]);
    await change(owner, photo.id, { showLocation: true });
    expect([await placesOf(guest), await found(guest)]).toEqual([[shown, shown], 1]);
    await change(owner, photo.id, { place: null });
    expect(await placesOf(guest)).toEqual([secretPlace, secretPlace]);
    // The file of another user never shows its place, but its photo can have one.
    const { body: foreign } = await stranger.post(photos, { title: "x", fileID: file.id, showLocation: true, place });
    expect([foreign.place, foreign.takenAt]).toEqual([shown, null]);
    expect((await change(stranger, foreign.id, { place: null })).body.place).toBeNull();
  });
});

describe("bad input", () => {
  test.each([
    [{ tags: "sea" }, '"tags" must be a list.'],
    [{ tags: [""] }, '"tags.0" must not be blank.'],
    [{ tags: ["x".repeat(51)] }, '"tags.0" must have at most 50 characters.'],
    [{ tags: ["a\u0000"] }, '"tags.0" must not contain control characters or broken Unicode.'],
    [{ tags: Array.from({ length: 21 }, (_, index) => `${index}`) }, '"tags" must have at most 20 entries.'],
    [{ altText: "x".repeat(2001) }, '"altText" must have at most 2000 characters.'],
    [{ isFavourite: "yes" }, '"isFavourite" must be true or false.'],
    [{ takenAt: "yesterday" }, '"takenAt" must be a time such as 2026-06-12T20:41:07Z, or null.'],
    [{ takenAt: "2026-06-12T20:41:07" }, '"takenAt" must be a time such as 2026-06-12T20:41:07Z, or null.'],
    [{ takenAt: "0999-12-31T23:59:59Z" }, '"takenAt" must be between the years 1000 and 9999.'],
    [{ takenAt: 5 }, '"takenAt" must be a time such as 2026-06-12T20:41:07Z, or null.'],
    [{ place: "here" }, '"place" must be an object.'],
    [{ place: { latitude: 91, longitude: 0 } }, '"place.latitude" must be at most 90.'],
    [{ place: { latitude: "1", longitude: 0 } }, '"place.latitude" must be a number.'],
    [{ place: { latitude: 1 } }, '"place.longitude" is required.'],
    [{ place: { latitude: 1, longitude: 1, name: "" } }, '"place.name" must not be blank.'],
  ])("%j is refused, and nothing is stored", async (body, error) => {
    const photo = await create();
    const changed = await change(owner, photo.id, body);
    expect([changed.status, changed.body.error]).toEqual([400, error]);
    const created = await owner.post(photos, { title: "Refused", fileID, ...body });
    expect([created.status, created.body.error]).toEqual([400, error]);
    expect((await owner.get(`${photos}/${photo.id}`)).body).toEqual(photo);
  });

  test.each([
    ["sort=title", '"sort" must be one of createdAt, takenAt.'],
    ["favourite=1", '"favourite" must be one of true, false.'],
    ["kind=audio", '"kind" must be one of image, video.'],
    ["tag=", '"tag" must not be blank.'],
    ["camera=", '"camera" must not be blank.'],
    ["albumID=x", '"albumID" must be a whole number.'],
    ["albumID=0", '"albumID" must be at least 1.'],
    ["from=2026", '"from" must be a date such as 2026-06-01, or a time with its zone such as 2026-06-01T12:00:00Z.'],
    ["to=2026-13-01", '"to" must be a date such as 2026-06-01, or a time with its zone such as 2026-06-01T12:00:00Z.'],
    ["from=2026-02-01&to=2026-02-01", '"from" must be before "to".'],
    ["owner=x", '"owner" must be `me` or the id of a user.'],
  ])("the filter %s is refused", async (query, error) => {
    for (const path of query.startsWith("sort") ? [photos] : [photos, `${photos}/timeline`]) {
      const { status, body } = await guest.get(`${path}?${query}`);
      expect([path, status, body.error]).toEqual([path, 400, error]);
    }
  });
});
