// Runs on other engines only with TEST_LONG: the positions of photos are computed here, not by the engines.
import { beforeAll, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { raw, sql } from "../../platform/database/sql.ts";
import { maintainedCounts } from "../../platform/database/counts.ts";
import type { Database } from "../../platform/database/database.ts";
import { albumBlocks } from "./tables.ts";
import { testLong } from "../../../tests/kit/long.ts";

const count = 700;
const api = "/api/v1";
let ids: number[];
let albumID: number;

const server = useServer();
const people = server.people();
const { owner, stranger, guest, admin } = people;

beforeAll(async () => {
  const fileID = (await owner.upload("a.png", png(2, 2))).body.id;
  const photos = Array.from({ length: 100 }, (_, index) => ({ title: `Photo ${index}`, fileID }));
  for (let created = 0; created < count; created += photos.length) {
    expect((await owner.post(`${api}/photos/many`, { photos })).status).toBeLessThan(300);
  }
  const rows = await withDatabase(server, (db) => db.all<{ id: number }>(sql`SELECT id FROM photos ORDER BY id`));
  ids = rows.map(({ id }) => id);
  expect(ids).toHaveLength(count);
  albumID = (await owner.post(`${api}/albums`, { name: "Album" })).body.id;
  await made(owner.put(`${api}/albums/${albumID}/photos`, { photoIDs: ids }));
});

async function made(response: Promise<{ status: number; body: any }>): Promise<void> {
  const { status, body } = await response;
  expect([status, body.error]).toEqual([200, undefined]);
}

const read = async (who: Client, query = ""): Promise<number[]> =>
  (await who.get(`${api}/albums/${albumID}${query}`)).body.photos.map((photo: any) => photo.id);

const recount = (db: Database) => maintainedCounts([albumBlocks])[0]!.rebuild(db);

/** Every page by its number has the photos that it has in the whole album, for whoever reads it. */
async function expectPages(after: string): Promise<void> {
  for (const [name, who] of Object.entries({ owner, stranger, guest, admin })) {
    const whole = await read(who);
    const size = 37;
    for (let page = 1; page <= whole.length / size + 2; page++) {
      const expected = whole.slice((page - 1) * size, page * size);
      expect([after, name, page, await read(who, `?page=${page}&pageSize=${size}`)]).toEqual([
        after,
        name,
        page,
        expected,
      ]);
    }
  }
  expect([after, await withDatabase(server, recount)]).toEqual([after, 0]);
}

testLong("pages by their number follow every change of the album", async () => {
  await expectPages("PUT");
  const part = (start: number, end: number) => ids.slice(start, end);
  const move = (body: object) => made(owner.post(`${api}/albums/${albumID}/photos/move`, body));
  await move({ photoIDs: part(0, 150), after: ids[400] });
  await expectPages("a move that makes space in the middle");
  await move({ photoIDs: part(600, 650), before: (await read(owner))[0] });
  await expectPages("a move to the beginning");
  await made(owner.post(`${api}/photos/batch`, { ids: part(100, 300), set: { visibility: "private" } }));
  await expectPages("private photos");
  await made(owner.post(`${api}/photos/batch`, { ids: part(250, 420), trash: true }));
  await expectPages("photos in the trash");
  const entries = (await owner.get(`${api}/trash?pageSize=1000`)).body;
  await made(owner.post(`${api}/trash/${entries[0].id}/restore`));
  await expectPages("a photo that was restored");
  for (const id of part(500, 510)) await made(owner.delete(`${api}/albums/${albumID}/photos/${id}`));
  await made(owner.post(`${api}/albums/${albumID}/photos`, { photoID: ids[505] }));
  await expectPages("photos that were removed and added");
  await made(owner.put(`${api}/albums/${albumID}/photos`, { photoIDs: ids.slice(420).toReversed() }));
  await expectPages("another order");
});

test("a page by its number reads a few rows, however many photos are before it", async () => {
  const rows = await withDatabase(server, (db) =>
    db.all<{ size: number; blocks: number; photos: number }>(sql`
      SELECT size, count(*) AS blocks, CAST(sum(photos) AS BIGINT) AS photos FROM album_blocks
      WHERE album_id = ${albumID} AND seen_by = 0 GROUP BY size ORDER BY size`),
  );
  const photos = (await read(guest)).length;
  expect(rows).toEqual([
    { size: 28, blocks: Math.floor(photos / 256) + 1, photos },
    { size: 34, blocks: 1, photos },
  ]);
});

test("blocks that are wrong are found and corrected, and a deleted album has none", async () => {
  const write = (statement: string) => withDatabase(server, (db) => db.transaction((tx) => tx.run(raw(statement))));
  await write("UPDATE album_blocks SET photos = photos + 1 WHERE size = 28");
  await write("INSERT INTO album_blocks (album_id, size, block, seen_by, photos) VALUES (1, 28, 99999, 0, 3)");
  expect(await withDatabase(server, recount)).toBeGreaterThan(1);
  expect(await withDatabase(server, recount)).toBe(0);
  await expectPages("the correction");
  await made(owner.delete(`${api}/albums/${albumID}`));
  const entry = (await owner.get(`${api}/trash`)).body.find((one: any) => one.kind === "album");
  await made(owner.delete(`${api}/trash/${entry.id}`));
  expect(await withDatabase(server, (db) => db.all(sql`SELECT * FROM album_blocks`))).toEqual([]);
});
