// Runs on other engines only with TEST_LONG: the positions of photos are computed here, not by the engines.
import { beforeAll, expect, test } from "bun:test";
import { png } from "../../../tests/kit/files/png.ts";
import { withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sql } from "../../platform/database/sql.ts";
import { testLong } from "../../../tests/kit/long.ts";

let fileID: number;
const albums = "/api/v1/albums";

const server = useServer();
const people = server.people();
const { owner } = people;
beforeAll(async () => {
  fileID = (await owner.upload("a.png", png(2, 2))).body.id;
});

async function createPhotos(count: number, who = owner, more: object = {}): Promise<number[]> {
  const some = Array.from({ length: count }, () => who.post("/api/v1/photos", { title: "P", fileID, ...more }));
  return (await Promise.all(some)).map(({ body }) => body.id);
}

async function createAlbum(photoIDs: number[]): Promise<number> {
  const { id } = (await owner.post(albums, { name: "Album" })).body;
  await owner.put(`${albums}/${id}/photos`, { photoIDs });
  return id;
}

const move = (id: number, body: object, who = owner) => who.post(`${albums}/${id}/photos/move`, body);
const order = async (id: number, who = owner): Promise<number[]> =>
  (await who.get(`${albums}/${id}/photos?pageSize=1000`)).body.map((photo: any) => photo.id);
const positions = (id: number) =>
  withDatabase(server, async (db) => {
    const rows = await db.all<{ photo_id: number; position: number }>(
      sql`SELECT photo_id, position FROM album_photos WHERE album_id = ${id}`,
    );
    return new Map(rows.map((row) => [row.photo_id, row.position]));
  });

test("photos are moved before or after another one, in the order that was sent", async () => {
  const [a, b, c, d, e] = (await createPhotos(5)) as [number, number, number, number, number];
  const id = await createAlbum([a, b, c, d, e]);
  expect((await move(id, { photoIDs: [e], before: a })).body.message).toBe('The photos were moved in "Album".');
  expect(await order(id)).toEqual([e, a, b, c, d]);
  await move(id, { photoIDs: [e, a], after: d });
  expect(await order(id)).toEqual([b, c, d, e, a]);
  await move(id, { photoIDs: [a, b], before: d });
  expect(await order(id)).toEqual([c, a, b, d, e]);
  await move(id, { photoIDs: [d], after: b });
  expect(await order(id)).toEqual([c, a, b, d, e]);
  expect((await people.guest.get(`${albums}/${id}`)).body.photos.map((photo: any) => photo.id)).toEqual(
    await order(id),
  );
  await owner.post(`${albums}/${id}/photos`, { photoID: a });
  const [added] = await createPhotos(1);
  await owner.post(`${albums}/${id}/photos`, { photoID: added });
  expect((await order(id)).at(-1)).toBe(added as number);
});

test("any sequence of moves gives the order that moving in a list gives", async () => {
  const ids = await createPhotos(40);
  const id = await createAlbum(ids);
  let expected = [...ids];
  let seed = 7;
  const random = (below: number) => (seed = (seed * 16_807) % 2_147_483_647) % below;
  for (let round = 0; round < 60; round++) {
    const moved = [...new Set(Array.from({ length: 1 + random(4) }, () => ids[random(40)] as number))];
    const rest = expected.filter((one) => !moved.includes(one));
    const place = random(rest.length);
    const isBefore = random(2) === 0;
    const { status } = await move(id, { photoIDs: moved, [isBefore ? "before" : "after"]: rest[place] });
    expect(status).toBe(200);
    expected = rest.toSpliced(isBefore ? place : place + 1, 0, ...moved);
  }
  expect(await order(id)).toEqual(expected);
});

/** Those of the photos that have another position after the work. */
async function changedBy(id: number, ids: number[], work: () => Promise<unknown>): Promise<number[]> {
  const before = await positions(id);
  await work();
  const after = await positions(id);
  return ids.filter((one) => before.get(one) !== after.get(one));
}

test("a move writes only what is moved, and now and then a few photos that follow", async () => {
  const ids = await createPhotos(200);
  const id = await createAlbum(ids);
  const beside = ids[10] as number;
  const moveTo = (index: number) => move(id, { photoIDs: [ids[index] as number], after: beside });
  for (const index of [150, 151, 152, 153]) {
    expect(await changedBy(id, ids, () => moveTo(index))).toEqual([ids[index] as number]);
  }
  expect((await order(id)).slice(10, 16)).toEqual([10, 153, 152, 151, 150, 11].map((index) => ids[index] as number));
});

testLong("space is made for moves to the same place, also in an album without any", async () => {
  const ids = await createPhotos(200);
  const id = await createAlbum(ids);
  // As an earlier version has written it.
  await withDatabase(server, (db) =>
    db.transaction((tx) => tx.run(sql`UPDATE album_photos SET position = position / 1048576 WHERE album_id = ${id}`)),
  );
  const beside = ids[10] as number;
  const moved: number[] = [];
  const counts: number[] = [];
  for (let index = 199; index >= 100; index--) {
    const photoID = ids[index] as number;
    const changed = await changedBy(id, ids, () => move(id, { photoIDs: [photoID], after: beside }));
    moved.unshift(photoID);
    counts.push(changed.length);
  }
  expect(await order(id)).toEqual([...ids.slice(0, 11), ...moved, ...ids.slice(11, 100)]);
  // The first one spreads all that follow.
  expect(Math.max(...counts.slice(1))).toBeLessThanOrEqual(66);
  expect(counts.reduce((sum, one) => sum + one)).toBeLessThan(1000);
});

test("photos that the owner of the album does not see keep their place", async () => {
  const [a, b, c] = (await createPhotos(3)) as [number, number, number];
  const [theirs] = await createPhotos(1, people.stranger);
  const id = await createAlbum([a, theirs as number, b, c]);
  await people.stranger.put(`/api/v1/photos/${theirs}`, { visibility: "private" });
  await move(id, { photoIDs: [c], after: a });
  expect(await order(id)).toEqual([a, c, b]);
  expect(await order(id, people.admin)).toEqual([a, c, theirs as number, b]);
  expect((await move(id, { photoIDs: [theirs], before: a })).status).toBe(404);
});

test("what cannot be moved is refused, and the order stays", async () => {
  const [a, b, outside] = (await createPhotos(3)) as [number, number, number];
  const id = await createAlbum([a, b]);
  const refused = async (body: object) => {
    const { status, body: answer } = await move(id, body);
    return [status, answer.error];
  };
  expect(await refused({ photoIDs: [outside], before: a })).toEqual([
    404,
    `There is no photo ${outside} in album ${id}.`,
  ]);
  expect(await refused({ photoIDs: [a], before: outside })).toEqual([
    404,
    `There is no photo ${outside} in album ${id}.`,
  ]);
  expect(await refused({ photoIDs: [a] })).toEqual([400, 'Send "before" or "after", and not both.']);
  expect(await refused({ photoIDs: [a], before: b, after: b })).toEqual([
    400,
    'Send "before" or "after", and not both.',
  ]);
  expect(await refused({ photoIDs: [a], before: a })).toEqual([400, "A photo cannot be moved beside itself."]);
  expect(await refused({ photoIDs: [], before: a })).toEqual([400, '"photoIDs" must not be empty.']);
  expect(await refused({ photoIDs: [a, a], before: b })).toEqual([400, '"photoIDs" must list each photo only once.']);
  expect((await move(id, { photoIDs: [b], before: a }, people.stranger)).status).toBe(403);
  expect(await order(id)).toEqual([a, b]);
});
