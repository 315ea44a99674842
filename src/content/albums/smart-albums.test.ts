import { beforeAll, describe, expect, test } from "bun:test";
import { png } from "../../../tests/kit/files/png.ts";
import { takenPicture } from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { testLong } from "../../../tests/kit/long.ts";

const api = "/api/v1";
const server = useServer();
const { owner, stranger, guest, admin } = server.people();

type Sent = { title: string; [field: string]: unknown };
let fileID: number;
beforeAll(async () => {
  fileID = (await owner.upload("a.png", png(2, 2))).body.id;
});
const take = async (photo: Sent, who = owner): Promise<number> =>
  (await who.post(`${api}/photos`, { fileID, ...photo })).body.id;
const createAlbum = async (album: object): Promise<number> =>
  (await owner.post(`${api}/albums`, { name: "Album", ...album })).body.id;
const titles = async (id: number, who = owner, headers = {}): Promise<string[]> =>
  (await who.get(`${api}/albums/${id}`, headers)).body.photos.map(({ title }: { title: string }) => title);

describe("a smart album", () => {
  test("has the photos that meet all conditions, newest first, and follows them", async () => {
    const tags = ["Sea", "Lisbon"];
    const pier = await take({ title: "Pier", tags, takenAt: "2026-06-02T10:00:00Z", isFavourite: true });
    await take({ title: "Dunes", tags, takenAt: "2026-06-03T10:00:00Z" });
    await take({ title: "Old", tags, takenAt: "2025-06-03T10:00:00Z" });
    await take({ title: "Street", tags: ["Lisbon"], takenAt: "2026-06-04T10:00:00Z" });
    await take({ title: "Of another", tags, takenAt: "2026-06-02T10:00:00Z" }, stranger);
    const filter = { tags: ["sea", "LISBON"], from: "2026-06-01", to: "2026-07-01" };
    const count = async (wanted: unknown, who = owner) =>
      (await who.get(`${api}/albums/matches?filter=${encodeURIComponent(JSON.stringify(wanted))}`)).body.count;
    expect([await count(filter), await count(filter, stranger), await count({ ...filter, bbox: "0,0,1,1" })]).toEqual([
      2, 1, 0,
    ]);
    for (const wrong of ["", "{", "{}", "[]", "null", '{"tags":1}', '{"colour":"red"}']) {
      const { status } = await owner.get(`${api}/albums/matches?filter=${encodeURIComponent(wrong)}`);
      expect([wrong, status]).toEqual([wrong, 400]);
    }
    const { body: album } = await owner.post(`${api}/albums`, { name: "June", filter });
    expect(album).toMatchObject({ photoCount: 2, photoOrder: "newestFirst", filter, cover: { title: "Dunes" } });
    expect(await titles(album.id)).toEqual(["Dunes", "Pier"]);

    const late = await take({ title: "Late", tags, takenAt: "2026-06-30T23:59:59Z" });
    expect(await titles(album.id)).toEqual(["Late", "Dunes", "Pier"]);
    await owner.put(`${api}/photos/${late}`, { takenAt: "2026-06-01T00:00:00Z" });
    expect(await titles(album.id)).toEqual(["Dunes", "Pier", "Late"]);
    await owner.put(`${api}/photos/${late}`, { tags: ["Sea"] });
    await owner.post(`${api}/photos/batch`, { ids: [pier], removeTags: ["sea"] });
    expect(await titles(album.id)).toEqual(["Dunes"]);
    await owner.post(`${api}/photos/batch`, { ids: [pier, late], addTags: ["Sea", "Lisbon"] });
    await owner.delete(`${api}/photos/${pier}`);
    expect(await titles(album.id)).toEqual(["Dunes", "Late"]);
    const [entry] = (await owner.get(`${api}/trash`)).body;
    await owner.post(`${api}/trash/${entry.id}/restore`);
    expect(await titles(album.id)).toEqual(["Dunes", "Pier", "Late"]);

    const { body: changed } = await owner.put(`${api}/albums/${album.id}`, {
      filter: { tags: ["sea"], favourite: true },
      photoOrder: "oldestFirst",
    });
    expect([changed.photoCount, changed.photoOrder]).toEqual([1, "oldestFirst"]);
    expect(await titles(album.id)).toEqual(["Pier"]);
    // Nobody has filed these photos.
    const unfiled = (await owner.get(`${api}/photos?owner=me&inAlbum=false`)).body;
    expect(unfiled.map(({ title }: Sent) => title)).toContain("Pier");
  });

  test("knows what only the file says, also when it is replaced", async () => {
    const camera = "Model Q";
    const id = await createAlbum({ filter: { camera, kind: "image" } });
    const { body: file } = await owner.upload("q.jpg", await takenPicture("2024:02:01 10:00:00", camera));
    const { body: photo } = await owner.post(`${api}/photos`, { title: "Q", fileID: file.id });
    expect(await titles(id)).toEqual(["Q"]);
    await owner.put(`${api}/photos/${photo.id}`, { fileID });
    expect(await titles(id)).toEqual([]);
  });

  test("knows the places of its owner's photos, hidden ones included", async () => {
    const id = await createAlbum({ filter: { bbox: "-10,38,-8,42" } });
    const place = { latitude: 38.7, longitude: -9.1 };
    const photo = await take({ title: "Lisboa", place });
    await take({ title: "Oslo", place: { latitude: 59.9, longitude: 10.7 } });
    expect(await titles(id)).toEqual(["Lisboa"]);
    await owner.put(`${api}/photos/${photo}`, { place: { latitude: 0, longitude: 0 } });
    expect(await titles(id)).toEqual([]);
    await owner.put(`${api}/photos/${photo}`, { place });
    expect(await titles(id)).toEqual(["Lisboa"]);
  });

  test("is read-only", async () => {
    const id = await createAlbum({ filter: { tags: ["readonly"] } });
    const photoID = await take({ title: "One", tags: ["readonly"] });
    const other = await take({ title: "Other" });
    const refused = [
      await owner.post(`${api}/albums/${id}/photos`, { photoID: other }),
      await owner.delete(`${api}/albums/${id}/photos/${photoID}`),
      await owner.put(`${api}/albums/${id}/photos`, { photoIDs: [other] }),
      await owner.post(`${api}/albums/${id}/photos/move`, { photoIDs: [photoID], before: other }),
      await owner.post(`${api}/photos/batch`, { ids: [other], albumID: id }),
      await owner.post(`${api}/photos/many`, { photos: [{ title: "x", fileID }], albumID: id }),
      await owner.post(`${api}/shares`, { kind: "album", id, allowUpload: true }),
    ];
    for (const { status, body } of refused) expect([status, body.code]).toEqual([400, "readOnly"]);
    const invalid = [
      await owner.put(`${api}/albums/${id}`, { photoOrder: "manual" }),
      await owner.post(`${api}/albums`, { name: "In it", parentID: id }),
      await owner.put(`${api}/albums/${await createAlbum({})}`, { filter: { favourite: true } }),
      ...(await Promise.all(
        [{}, { tag: ["x"] }, { tags: [] }, { from: "soon" }, { from: "2026-01-02", to: "2026-01-01" }].map((filter) =>
          owner.post(`${api}/albums`, { name: "Bad", filter }),
        ),
      )),
    ];
    for (const { status, body } of invalid) expect([status, body.code]).toEqual([400, "invalid"]);
    expect(await titles(id)).toEqual(["One"]);
  });

  test("shows others only what they may see, and a link to it all that the filter finds", async () => {
    const filter = { tags: ["secret-tag"] };
    const id = await createAlbum({ name: "Shown", filter });
    await take({ title: "Public", tags: ["secret-tag"] });
    const hidden = await take({ title: "Hidden", tags: ["secret-tag"], visibility: "private" });
    for (const who of [guest, stranger]) {
      const { body } = await who.get(`${api}/albums/${id}`);
      expect([body.photoCount, body.photos.map(({ title }: Sent) => title), body.filter]).toEqual([
        1,
        ["Public"],
        null,
      ]);
      expect(JSON.stringify((await who.get(`${api}/albums/${id}/photos`)).body)).not.toContain("Hidden");
    }
    expect((await admin.get(`${api}/albums/${id}`)).body.filter).toEqual(filter);

    await owner.put(`${api}/albums/${id}`, { visibility: "private" });
    expect((await guest.get(`${api}/albums/${id}`)).status).toBe(404);
    const { body: share } = await owner.post(`${api}/shares`, { kind: "album", id });
    const link = { "X-Share-Token": share.token };
    expect((await titles(id, guest, link)).toSorted()).toEqual(["Hidden", "Public"]);
    expect((await guest.get(`${api}/albums/${id}`, link)).body.filter).toBeNull();
    expect((await guest.get(`${api}/photos/${hidden}`, link)).status).toBe(200);
    await owner.put(`${api}/photos/${hidden}`, { tags: [] });
    expect(await titles(id, guest, link)).toEqual(["Public"]);
    expect((await guest.get(`${api}/photos/${hidden}`, link)).status).toBe(404);
  });
});

describe("an ordinary album", () => {
  test("can be ordered by date; back in its own order, the photos stay and can be moved", async () => {
    const id = await createAlbum({});
    const days: number[] = [];
    for (const day of [3, 1, 2]) days.push(await take({ title: `Day ${day}`, takenAt: `2020-01-0${day}T00:00:00Z` }));
    const undated = await take({ title: "Undated" });
    await owner.put(`${api}/albums/${id}/photos`, { photoIDs: [undated, ...days] });
    await owner.put(`${api}/albums/${id}`, { photoOrder: "oldestFirst" });
    expect(await titles(id)).toEqual(["Day 1", "Day 2", "Day 3", "Undated"]);
    await owner.post(`${api}/albums/${id}/photos`, {
      photoID: await take({ title: "Before", takenAt: "1969-01-01T00:00:00Z" }),
    });
    await owner.put(`${api}/photos/${days[1]}`, { takenAt: "2020-01-09T00:00:00Z" });
    await owner.put(`${api}/albums/${id}`, { photoOrder: "newestFirst" });
    expect(await titles(id)).toEqual(["Day 1", "Day 3", "Day 2", "Before", "Undated"]);
    const move = { photoIDs: [undated], before: days[0] };
    const refused = await owner.post(`${api}/albums/${id}/photos/move`, move);
    expect([refused.status, refused.body.code]).toEqual([400, "readOnly"]);
    await owner.put(`${api}/albums/${id}`, { photoOrder: "manual" });
    expect((await owner.post(`${api}/albums/${id}/photos/move`, move)).status).toBe(200);
    expect(await titles(id)).toEqual(["Day 1", "Undated", "Day 3", "Day 2", "Before"]);
  });
});

testLong("albums have an order among themselves", async () => {
  const parentID = await createAlbum({ name: "Above" });
  const ids: number[] = [];
  for (const name of ["a", "b", "c", "d"]) ids.push(await createAlbum({ name, parentID }));
  const [a, b, c, d] = ids as [number, number, number, number];
  const names = async (who = owner, path = `${api}/albums/${parentID}/albums`) =>
    (await who.get(path)).body.map(({ name }: { name: string }) => name).join("");
  const move = (id: number, place: object, who = owner) => who.post(`${api}/albums/${id}/move`, place);
  expect(await names()).toBe("abcd");
  await move(d, { before: a });
  await move(a, { after: c });
  expect(await names(guest)).toBe("dbca");
  // Many moves to the same place need space there.
  for (let turn = 0; turn < 15; turn++) {
    await move(a, { after: d });
    await move(b, { after: d });
    await move(c, { after: d });
  }
  expect(await names()).toBe("dcba");
  expect(await names(owner, `${api}/albums?owner=me&parentID=${parentID}&sort=position`)).toBe("dcba");
  expect(await names(owner, `${api}/albums?owner=me&parentID=${parentID}`)).toBe("dcba");
  expect(await names(owner, `${api}/albums?owner=me&parentID=${parentID}&sort=position&order=desc`)).toBe("abcd");

  const top = await createAlbum({ name: "Top" });
  const [first] = (await guest.get(`${api}/albums?sort=position&parentID=none`)).body;
  expect(first.id).toBe(top);
  expect([
    (await move(a, { before: a })).status,
    (await move(a, { before: top })).status,
    (await move(a, {})).status,
    (await move(a, { before: 999_999 })).status,
    (await move(a, { before: b }, stranger)).status,
    (await move(a, { before: b }, guest)).status,
  ]).toEqual([400, 400, 400, 404, 403, 401]);
  // Moved into another album, it comes last there.
  await owner.put(`${api}/albums/${d}`, { parentID: null });
  await owner.put(`${api}/albums/${d}`, { parentID });
  expect(await names()).toBe("cbad");
});
