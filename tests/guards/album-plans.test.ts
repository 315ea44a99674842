// How SQLite finds rows of an album, which may have a million photos. On PostgreSQL, the plans depend on statistics.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import {
  addPhotos,
  attachPhoto,
  detachPhoto,
  findFirstPhotos,
  listAlbumPhotos,
  removePhotos,
} from "../../src/content/albums/album-photos.ts";
import { movePhotos } from "../../src/content/albums/move-photos.ts";
import { sharedAlbum } from "../../src/content/albums/share-reach.ts";
import { getAlbum, updateAlbum } from "../../src/content/albums/store.ts";
import { schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import type { Database, Queries, Reader } from "../../src/platform/database/database.ts";
import { type Sql, sql } from "../../src/platform/database/sql.ts";
import { openSqlite } from "../../src/platform/database/sqlite.ts";
import type { Viewer } from "../../src/platform/http/route.ts";
import { useScratch } from "../kit/scratch.ts";

const scratch = useScratch();
const owner = { id: 1, role: "author" } as const;
let db: Database;

beforeAll(async () => {
  db = await openSqlite(join(scratch, "plans.db"), { schema: schemaOf(modules) });
  const fill = (statement: Sql) => db.transaction((tx) => tx.run(statement), { isCopy: true });
  await fill(sql`
    INSERT INTO users (id, username, username_key, username_skeleton, password_hash, role, created_at, updated_at)
    VALUES (1, 'ada', 'ada', 'ada', '', 'author', 0, 0)`);
  await fill(sql`
    INSERT INTO files (id, parent_id, owner_id, created_at, updated_at, sha256, name, name_key, order_key)
    VALUES (1, 0, 1, 0, 0, 'a', 'a', 'a', '1a')`);
  await fill(sql`
    INSERT INTO photos (id, owner_id, file_id, width, height, created_at, updated_at, title, description)
    SELECT column1, 1, 1, 1, 1, 0, 0, 'Photo', '' FROM (VALUES (1), (2), (3), (4), (5))`);
  await fill(sql`INSERT INTO albums (id, owner_id, created_at, updated_at, name) VALUES (1, 1, 0, 0, 'Album')`);
});
afterAll(() => db.close());

/** The steps of the statements that find rows of the album by nothing but the album, or read all of the table. */
async function findWholeReads(queries: Sql[]): Promise<string[]> {
  const whole: string[] = [];
  for (const query of queries) {
    const steps = await db.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${query}`);
    whole.push(...steps.map(({ detail }) => detail).filter((detail) => isWhole.test(detail)));
  }
  return whole;
}
const isWhole = /SCAN album_photos|album_photos USING .*\((album_id=\?|album_id=\? AND seen_by>\?)\)$/;

const noteTo = <Source extends Reader>(queries: Sql[], source: Source): Source => ({
  ...source,
  all: (query: Sql) => (queries.push(query), source.all(query)),
  get: (query: Sql) => (queries.push(query), source.get(query)),
});

test("changes of a few photos do not read the whole album", async () => {
  const queries: Sql[] = [];
  const change = (work: (tx: Queries) => Promise<unknown> | void) =>
    db.transaction(async (tx) => {
      const noted = noteTo(queries, tx);
      await work({
        ...noted,
        run: (query) => (queries.push(query), tx.run(query)),
        later: (query) => (queries.push(query), tx.later(query)),
      });
    });
  await change((tx) => addPhotos(tx, 1, [1, 2, 3, 4]));
  await change((tx) => attachPhoto(tx, owner, 1, 5));
  await change((tx) => updateAlbum(tx, owner, 1, { coverPhotoID: 2 }));
  await change((tx) => movePhotos(tx, owner, 1, { photoIDs: [4, 3], before: undefined, after: 1 }));
  await change((tx) => removePhotos(tx, 1, [2, 3]));
  await change((tx) => detachPhoto(tx, owner, 1, 1));
  expect(queries.length).toBeGreaterThan(20);
  // The place of the last photo is the end of an index.
  const isLast = ({ text }: Sql) => text.join("?").includes("max(position)");
  expect(await findWholeReads(queries.filter((query) => !isLast(query)))).toEqual([]);
});

const grant = { ownerID: 1, reach: sharedAlbum.reach(1, { allowDownload: true }), allowDownload: true };
const viewers: Record<string, Viewer> = {
  guest: null,
  owner,
  stranger: { id: 2, role: "author" },
  admin: { id: 3, role: "admin" },
  link: { id: 0, role: "guest", grant: { ...grant, showMetadata: true } },
};

test.each(Object.entries(viewers))("a page and the first photos do not read the whole album: %s", async (_, viewer) => {
  const queries: Sql[] = [];
  const noted = noteTo(queries, db as Reader);
  await getAlbum(noted, viewer, 1);
  await findFirstPhotos(noted, viewer, [1], 4);
  for (const offset of [0, 300]) {
    for await (const _photos of listAlbumPhotos(noted, viewer, 1, { offset, size: 10 }));
  }
  expect(await findWholeReads(queries)).toEqual([]);
});
