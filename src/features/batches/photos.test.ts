import { isScaled } from "../../../tests/kit/engine.ts";
import { beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { bytesOf, plain, tiff, withExif } from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const photos = "/api/v1/photos";
const files = new Map<Client, number>();

const server = useServer();
const { owner, stranger, admin, guest } = server.people();
beforeAll(async () => {
  for (const who of [owner, stranger]) files.set(who, (await who.upload("a.png", png(2, 2))).body.id);
});

const create = async (who: Client, more: object = {}) =>
  (await who.post(photos, { title: "Photo", fileID: files.get(who), ...more })).body;
const batch = (who: Client, body: object) => who.post(`${photos}/batch`, body);
const read = async (who: Client, { id }: { id: number }) => (await who.get(`${photos}/${id}`)).body;

/** On a busy machine, two batches of 1,000 that wait for each other on PostgreSQL take longer than a request may. */
const manyPhotos = isScaled ? 300 : 1000;

describe("a batch of photos", () => {
  test("changes what the caller may change, and reports each id that is refused", async () => {
    const [own, other, hidden] = [
      await create(owner),
      await create(stranger),
      await create(stranger, { visibility: "private" }),
    ];
    const ids = [own.id, other.id, hidden.id, 99_999];
    const { status, body } = await batch(owner, { ids, set: { title: "Changed", visibility: "private" } });
    const forbidden = "Only the owner or an admin can do this.";
    expect([status, body]).toEqual([
      200,
      {
        changed: 1,
        results: [
          { id: own.id, status: 200, error: null, file: "private", isAdded: false },
          { id: other.id, status: 403, error: forbidden, file: null, isAdded: false },
          { id: hidden.id, status: 404, error: `There is no photo ${hidden.id}.`, file: null, isAdded: false },
          { id: 99_999, status: 404, error: "There is no photo 99999.", file: null, isAdded: false },
        ],
      },
    ]);
    expect(await read(owner, own)).toMatchObject({ title: "Changed", visibility: "private" });
    expect((await guest.get(`${photos}/${own.id}`)).status).toBe(404);
    expect([await read(stranger, other), await read(stranger, hidden)]).toEqual([other, hidden]);
    const all = await batch(admin, { ids: ids.slice(0, 3), set: { altText: "By an admin" } });
    expect(all.body.changed).toBe(3);
    const favourite = await batch(admin, { ids: [own.id], set: { isFavourite: true } });
    expect(favourite.body.results).toMatchObject([{ status: 403 }]);
  });

  test("adds and removes tags, and shifts dates", async () => {
    const one = await create(owner, { tags: ["Sea", "Old"], takenAt: "2020-02-29T23:30:00Z" });
    const two = await create(owner, { tags: ["sky"] });
    const full = await create(owner, { tags: Array.from({ length: 20 }, (_, index) => `tag ${index}`) });
    const ids = [one.id, two.id, full.id];
    const tagged = await batch(owner, { ids, addTags: ["SKY", "New"], removeTags: ["OLD"] });
    expect(tagged.body.results.map(({ status, error }: any) => [status, error])).toEqual([
      [200, null],
      [200, null],
      [400, '"tags" must have at most 20 entries.'],
    ]);
    expect([(await read(guest, one)).tags, (await read(guest, two)).tags]).toEqual([
      ["Sea", "SKY", "New"],
      ["sky", "New"],
    ]);
    expect((await read(guest, full)).tags).toEqual(full.tags);
    expect((await guest.get(`${photos}?tag=new`)).body.map(({ id }: any) => id)).toEqual([two.id, one.id]);
    const shifted = await batch(owner, { ids, set: { takenAtShift: 3600 } });
    expect(shifted.body.results.map(({ status }: any) => status)).toEqual([200, 400, 400]);
    expect(shifted.body.results[1].error).toBe(`Photo ${two.id} has no "takenAt" that could be shifted.`);
    expect((await read(guest, one)).takenAt).toBe("2020-03-01T00:30:00.000Z");
    const inZone = async (set: object) => {
      const { status, body } = await batch(owner, { ids: [one.id], set });
      const { takenAt, takenAtZone } = await read(owner, one);
      return [status, body.changed ?? body.error, takenAt, takenAtZone];
    };
    const newYork = [200, 1, "2020-03-01T05:30:00.000Z", "America/New_York"];
    expect(await inZone({ takenAtZone: "America/New_York" })).toEqual(newYork);
    expect(await inZone({ takenAtZone: "America/New_York" })).toEqual(newYork);
    expect((await read(guest, one)).takenAtZone).toBeNull();
    expect(await inZone({ takenAtZone: "+02:00" })).toEqual([200, 1, "2020-02-29T22:30:00.000Z", "+02:00"]);
    expect(await inZone({ takenAtShift: 60 })).toEqual([200, 1, "2020-02-29T22:31:00.000Z", "+02:00"]);
    expect(await inZone({ takenAtZone: null })).toEqual([200, 1, "2020-03-01T00:31:00.000Z", null]);
    const both = { takenAt: "2020-03-01T05:30:00.000Z", takenAtZone: "America/New_York" };
    expect(await inZone(both)).toEqual(newYork);
    const clock = { 0x9003: "2024:05:06 07:08:09" };
    const [phone, camera] = await Promise.all(
      [{ ...clock, 0x9011: "+02:00" }, clock].map(async (exif, index) => {
        const bytes = withExif(await bytesOf(plain(4, 4, "red").jpeg()), tiff({ image: {}, exif }));
        const { body } = await owner.upload(`taken-${index}.jpg`, bytes);
        return create(owner, { fileID: body.id });
      }),
    );
    expect([phone.takenAt, phone.takenAtZone, camera.takenAtZone]).toEqual([
      "2024-05-06T05:08:09.000Z",
      "+02:00",
      null,
    ]);
    for (let time = 0; time < 2; time++) {
      await batch(owner, { ids: [phone.id, camera.id], set: { takenAtZone: "Asia/Tokyo" } });
      expect((await read(owner, phone)).takenAt).toBe("2024-05-06T05:08:09.000Z");
      expect(await read(owner, camera)).toMatchObject({
        takenAt: "2024-05-05T22:08:09.000Z",
        takenAtZone: "Asia/Tokyo",
      });
    }
    await owner.put(`${photos}/${camera.id}`, { takenAt: null });
    expect(await read(owner, camera)).toMatchObject({ takenAt: "2024-05-06T07:08:09.000Z", takenAtZone: null });
    const { body: untimed } = await batch(owner, { ids: [two.id], set: { takenAtZone: "UTC" } });
    expect(untimed.results[0].error).toBe(`Photo ${two.id} has no "takenAt" whose zone could be set.`);
    expect((await guest.get(`${photos}/timeline?owner=${owner.userID}`)).body).toContainEqual({
      month: "2020-03",
      count: 1,
    });
  });

  test("adds to an album, also photos of others", async () => {
    const { body: album } = await owner.post("/api/v1/albums", { name: "Album" });
    const [first, own, other] = [
      await create(owner),
      await create(owner, { visibility: "private" }),
      await create(stranger),
    ];
    await owner.post(`/api/v1/albums/${album.id}/photos`, { photoID: first.id });
    const ids = [own.id, other.id, first.id];
    const { body } = await batch(owner, { ids, albumID: album.id });
    expect([body.changed, body.results.map(({ isAdded }: any) => isAdded)]).toEqual([3, [true, true, false]]);
    const idsIn = async (who: Client) => (await who.get(`/api/v1/albums/${album.id}`)).body;
    const seen = await idsIn(owner);
    expect([seen.photoCount, seen.photos.map(({ id }: any) => id)]).toEqual([3, [first.id, own.id, other.id]]);
    expect((await idsIn(guest)).photoCount).toBe(2);
    expect((await guest.get(`${photos}?albumID=${album.id}`)).body).toHaveLength(2);
    const foreign = await batch(stranger, { ids: [other.id], albumID: album.id });
    expect([foreign.status, foreign.body.error]).toEqual([
      403,
      `Only the owner of "Album" or an admin can add photos to it.`,
    ]);
    await owner.put(`/api/v1/albums/${album.id}`, { visibility: "private" });
    const hidden = await batch(stranger, { ids: [other.id], albumID: album.id });
    expect([hidden.status, hidden.body.error]).toEqual([404, `There is no album ${album.id}.`]);
  });

  test("gives titles by a pattern, numbered in the order of the request", async () => {
    const some = await Promise.all(Array.from({ length: 60 }, (_, index) => create(owner, { title: `Old ${index}` })));
    const other = await create(stranger);
    const ids = [...some.slice(0, 2), other, ...some.slice(2)].map(({ id }) => id);
    const { body } = await batch(owner, { ids, retitle: { title: "Lisbon {nnn} ({title})", start: 9 } });
    expect(body.changed).toBe(60);
    const titles = await Promise.all([0, 1, 2, 59].map(async (index) => (await read(owner, some[index])).title));
    expect(titles).toEqual(["Lisbon 009 (Old 0)", "Lisbon 010 (Old 1)", "Lisbon 012 (Old 2)", "Lisbon 069 (Old 59)"]);
    const long = await create(owner, { title: "x".repeat(300) });
    const tooLong = await batch(owner, { ids: [long.id, ids[0]], retitle: { title: "{n}{title}" } });
    expect(tooLong.body.results).toMatchObject([
      { status: 400, error: '"title" must have at most 300 characters.' },
      { status: 200 },
    ]);
    expect((await read(owner, long)).title).toBe(long.title);
  });

  test("moves from one album to another, and reports photos that are not in the first", async () => {
    const [{ body: from }, { body: to }] = await Promise.all([
      owner.post("/api/v1/albums", { name: "From" }),
      owner.post("/api/v1/albums", { name: "To" }),
    ]);
    const some = [await create(owner), await create(owner, { visibility: "private" }), await create(stranger)];
    const outside = await create(owner);
    const ids = some.map(({ id }) => id);
    await batch(owner, { ids, albumID: from.id });
    await owner.put(`/api/v1/albums/${from.id}`, { coverPhotoID: ids[0] });
    const moved = await batch(owner, { ids: [...ids, outside.id], albumID: to.id, removeFromAlbumID: from.id });
    expect(moved.body.results.map(({ status }: any) => status)).toEqual([200, 200, 200, 404]);
    expect(moved.body.results[3].error).toBe(`There is no photo ${outside.id} in album ${from.id}.`);
    const [left, filled] = await Promise.all([from, to].map(({ id }) => owner.get(`/api/v1/albums/${id}`)));
    expect(left?.body).toMatchObject({ photoCount: 0, photos: [], coverPhotoID: null });
    expect([filled?.body.photoCount, filled?.body.photos.map(({ id }: any) => id)]).toEqual([3, ids]);
    expect((await owner.get(`${photos}?albumID=${from.id}`)).body).toEqual([]);
    expect(
      (await owner.get("/api/v1/activity")).body
        .slice(0, 2)
        .map(({ name }: any) => name)
        .toSorted(),
    ).toEqual(["From", "To"]);
    const foreign = await batch(stranger, { ids: [ids[2]], removeFromAlbumID: to.id });
    expect([foreign.status, foreign.body.error]).toEqual([
      403,
      `Only the owner of "To" or an admin can remove photos from it.`,
    ]);
  });

  test("moves to the trash, from which each photo can be restored", async () => {
    const some = [await create(owner), await create(owner)];
    const { body } = await batch(owner, { ids: some.map(({ id }) => id), trash: true });
    expect(body.changed).toBe(2);
    for (const { id } of some) expect((await owner.get(`${photos}/${id}`)).status).toBe(404);
    const entries = (await owner.get("/api/v1/trash")).body.filter(({ recordID }: any) =>
      some.some(({ id }) => id === recordID),
    );
    expect(entries).toHaveLength(2);
    await owner.post(`/api/v1/trash/${entries[0].id}/restore`);
    expect((await owner.get(`${photos}/${entries[0].recordID}`)).status).toBe(200);
  });

  test(`of ${manyPhotos} photos lets other requests run, and two of them in opposite order both succeed`, async () => {
    const ids: number[] = [];
    while (ids.length < manyPhotos) {
      const some = await Promise.all(Array.from({ length: 50 }, () => create(owner)));
      ids.push(...some.map(({ id }) => id));
    }
    const done = new AbortController();
    const results = Promise.all([
      batch(owner, { ids, addTags: ["one"], set: { takenAt: "2001-01-01T00:00:00Z" } }),
      batch(owner, { ids: ids.toReversed(), addTags: ["two"], set: { visibility: "private" } }),
    ]).finally(() => done.abort());
    let served = 0;
    for (; !done.signal.aborted; served++) expect((await guest.get("/livez")).status).toBe(200);
    for (const { status, body } of await results) expect([status, body.changed]).toEqual([200, manyPhotos]);
    expect(served).toBeGreaterThan(5);
    const tags = (await read(owner, { id: ids[manyPhotos / 2] as number })).tags.toSorted();
    expect(tags).toEqual(["one", "two"]);
    const { body: months } = await owner.get(`${photos}/timeline?owner=me&from=2001-01-01&to=2001-02-01`);
    expect(months).toEqual([{ month: "2001-01", count: manyPhotos }]);
    expect((await guest.get(`${photos}/timeline?tag=one`)).body).toEqual([]);
  });
});

describe("bad input", () => {
  test.each([
    [{ set: { title: "x" } }, '"ids" is required.'],
    [{ ids: [], trash: true }, '"ids" must not be empty.'],
    [{ ids: [1, 1], trash: true }, '"ids" must list each id only once.'],
    [
      { ids: Array.from({ length: 1001 }, (_, index) => index + 1), trash: true },
      '"ids" must have at most 1000 entries.',
    ],
    [{ ids: [0], trash: true }, '"ids.0" must be at least 1.'],
    [{ ids: [1] }, "Send at least one of: set, retitle, addTags, removeTags, albumID, removeFromAlbumID, trash."],
    [{ ids: [1], set: {} }, expect.stringContaining("Send at least one of: title")],
    [{ ids: [1], set: { title: "" } }, '"set.title" must not be blank.'],
    [{ ids: [1], set: { takenAtShift: 0.5 } }, '"set.takenAtShift" must be a whole number.'],
    [
      { ids: [1], set: { takenAtZone: "Mars" } },
      '"set.takenAtZone" must be a time zone such as Europe/Lisbon or +02:00.',
    ],
    [
      { ids: [1], set: { takenAt: null, takenAtZone: "UTC" } },
      expect.stringContaining('"takenAtZone" cannot be sent with a "takenAt" that is null.'),
    ],
    [{ ids: [1], retitle: {} }, '"retitle.title" is required.'],
    [{ ids: [1], retitle: { title: " " } }, '"retitle.title" must not be blank.'],
    [{ ids: [1], retitle: { title: "{n}", start: -1 } }, '"retitle.start" must be at least 0.'],
    [{ ids: [1], retitle: { title: "{n}" }, set: { title: "x" } }, 'Send "set.title" or "retitle", not both.'],
    [{ ids: [1], albumID: 1, removeFromAlbumID: 1 }, '"albumID" and "removeFromAlbumID" must be different albums.'],
    [{ ids: [1], addTags: [""] }, '"addTags.0" must not be blank.'],
    [{ ids: [1], trash: "yes" }, '"trash" must be true or false.'],
  ])("%# is refused", async (body, error) => {
    const refused = await batch(owner, body);
    expect([refused.status, refused.body.error]).toEqual([400, error]);
  });

  test("guests have no batches", async () => {
    expect((await batch(guest, { ids: [1], trash: true })).status).toBe(401);
  });
});
