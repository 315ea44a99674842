import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { byPosition, listAlbumPhotosByKey } from "../../src/content/albums/album-photos.ts";
import { findPhotoInAlbum, listAlbumsOfPhoto } from "../../src/content/albums/albums-of-photo.ts";
import { listAlbums, listAlbumsByKey } from "../../src/content/albums/store.ts";
import { renderWaiting } from "../../src/content/blog/html.ts";
import { byPublication, listPosts, listPostsByKey } from "../../src/content/blog/store.ts";
import { listCommentsByKey } from "../../src/content/comments/store.ts";
import { byName, listDirectoryByKey } from "../../src/content/files/store.ts";
import { listVersionsByKey } from "../../src/content/files/versions.ts";
import { unreadablePictures } from "../../src/core/images/unreadable-notice.ts";
import { listPhotosByKey } from "../../src/content/photos/list-photos.ts";
import { byTakenAt, type PhotoQuery } from "../../src/content/photos/lists/filters.ts";
import { findNeighbours } from "../../src/content/photos/neighbours.ts";
import { listPhotos } from "../../src/content/photos/store.ts";
import type { Database, Reader } from "../../src/platform/database/database.ts";
import { unwatchedDisk } from "../../src/platform/disk.ts";
import { byID, type KeysetRequest, listByKey, type Order } from "../../src/platform/database/keyset.ts";
import type { Viewer } from "../../src/platform/http/route.ts";
import { raw, sql, type Sql } from "../../src/platform/database/sql.ts";
import { openSqlite } from "../../src/platform/database/sqlite.ts";
import { isLive } from "../../src/core/trash/trash.ts";
import { isWanted, type OwnerQuery } from "../../src/core/users/owner.ts";
import { kindsOf, schemaOf } from "../../src/module.ts";
import { withNotes } from "../kit/every-kind.ts";
import { useScratch } from "../kit/scratch.ts";
import { listEntriesByKey } from "../../src/core/trash/store.ts";

const scratch = useScratch();
afterAll(() => db.close());

const admin = { id: 1, role: "admin" } as const;
const postQueries: Parameters<typeof listPostsByKey>[2][] = [
  {},
  { owner: "2" },
  { owner: "me" },
  { visibility: "all" },
  { kind: "page" },
  { kind: "page", visibility: "all" },
  { tag: "sea" },
  { tag: "sea", owner: "me" },
  { tag: "sea", visibility: "all" },
  { status: "draft" },
  { status: "draft", owner: "2", visibility: "all" },
  { status: "draft", visibility: "all" },
  { status: "published" },
  { status: "published", visibility: "all" },
];

let db: Database;
beforeAll(async () => {
  db = await openSqlite(join(scratch, "plans.db"));
});

/** A reader that also stores the plans of the statements. */
function explainTo(plans: string[], explained = db): Reader {
  return {
    ...explained,
    async all<Found>(query: Parameters<Reader["all"]>[0]) {
      const steps = await explained.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${query}`);
      plans.push(steps.map(({ detail }) => detail).join("; "));
      return explained.all<Found>(query);
    },
  };
}

/** What is read for each part of a list that has several. What is sorted is a page of each. */
function readsOf(plan = ""): string[] {
  const parts = Array.from(plan.matchAll(/CO-ROUTINE part; (.*?); SCAN part; USE TEMP B-TREE FOR ORDER BY/g));
  return plan.startsWith("MERGE (UNION)") ? parts.map(([, read = ""]) => read) : [plan];
}

const countBytes = () => Promise.reject(new Error("Nothing is counted here."));

test("unreadable pictures are found without reading all files on SQLite", async () => {
  const plans: string[] = [];
  for (const role of ["admin", "author"] as const) {
    const caller = { id: 1, username: "ada", role, tokenID: "" };
    const explaining = { ...db, ...explainTo(plans) };
    await unreadablePictures.read({ db: explaining, disk: unwatchedDisk, quotaBytes: null, countBytes }, caller);
    expect(plans.at(-1)).toContain("SEARCH files USING INDEX files_by_blob (sha256=?)");
  }
});

test("posts to render are found by an index on SQLite, without sorting all of them", async () => {
  const plans: string[] = [];
  const renderer = { render: () => Promise.reject(new Error("Nothing is rendered here.")), close() {} };
  await renderWaiting({ ...db, ...explainTo(plans) }, renderer, new AbortController().signal);
  expect(plans).toEqual([expect.stringMatching(/^SEARCH post_html USING [^;]*\(renderer=\?\); SEARCH posts [^;]*$/)]);
});

test("every list is read from an index on SQLite, without sorting or reading what comes before", async () => {
  const plans: string[] = [];
  const explaining = explainTo(plans);
  const request = (order: Order, sort = byID): KeysetRequest => {
    return { sort, order, after: { id: 5, key: sort.type === "integer" ? 5 : "1x" }, size: 10 };
  };
  for (const order of ["asc", "desc"] as const) {
    for (const list of [listPhotosByKey, listPostsByKey, listAlbumsByKey]) {
      await list(explaining, null, {}, request(order));
      await list(explaining, null, { owner: "1" }, request(order));
      expect(plans.at(-1)).toMatch(/owner_id=\? AND (is_page=\? AND )?is_private=\? AND id/);
    }
    await listCommentsByKey(
      explaining,
      null,
      { target: { kind: "post", id: 1, ownerID: 1 }, status: undefined },
      request(order),
    );
    await listCommentsByKey(explaining, admin, { targetOwnerID: null, status: "waiting" }, request(order));
    for (const query of postQueries) {
      for (const sort of [byID, byPublication]) {
        await listPostsByKey(explaining, admin, query, request(order, sort));
        // All that is public is published, so only private posts are read by their status.
        if (query.status) expect(readsOf(plans.at(-1)).at(-1)).toMatch(/_by_status.*status=\?/);
      }
    }
    await listVersionsByKey(explaining, 1, request(order));
    await listEntriesByKey(explaining, 1, { kinds: [], keptDays: 30 }, request(order));
    await listDirectoryByKey(explaining, null, { id: 0, path: "/" }, request(order, byName));
  }
  // By publication, posts that have no time come last, in a statement of their own.
  expect(plans).toHaveLength(22 + 2 * 3 * postQueries.length);
  const bytes = "; CORRELATED SCALAR SUBQUERY 1; SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)";
  for (const plan of plans) {
    for (const read of readsOf(plan.replace(bytes, ""))) {
      expect(read).toMatch(/^SEARCH \w+ USING [^;]*\([^;]*((id|rowid|order_key)\)?[<>]|published_at[<>=])[^;]*\)$/);
    }
  }
});

test("every kind has the indexes for its lists, the trash and its bytes on SQLite", async () => {
  const schema = schemaOf(withNotes);
  const opened = await openSqlite(join(scratch, "kinds.db"), { schema });
  const explain = async (read: (db: Reader) => Promise<unknown>) => {
    const plans: string[] = [];
    await read(explainTo(plans, opened));
    return plans.join("; ");
  };
  const after = { id: 5, key: 5 };
  // Posts are in two lists: those of the blog, and pages.
  const partOf = (table: string) => (table === "posts" ? [sql`is_page = 0`] : []);
  const listed = (table: string, query: OwnerQuery) => async (db: Reader) => {
    const where: [Sql, ...Sql[]] = [isLive, ...isWanted(admin, query), ...partOf(table)];
    const find = async () => new Map<number, object>();
    await listByKey(db, { sort: byID, order: "desc", after, size: 10 }, { table, where, atOnce: 10, find });
  };
  for (const { table, trash } of kindsOf(withNotes)) {
    const inTrash = await explain((db) => db.all(sql`SELECT id FROM ${raw(table)} WHERE trash_id = ${1}`));
    expect([table, inTrash]).toEqual([table, expect.stringMatching(/^SEARCH .*\(trash_id=\?/)]);
    if (!trash.total) continue;
    const part = table === "posts" ? "is_page=? AND " : "";
    expect(await explain(listed(table, {}))).toMatch(`INDEX ${table}_listed (${part}is_private=? AND id<?)`);
    expect(await explain(listed(table, { owner: "2" }))).toContain(`(owner_id=? AND ${part}is_private=? AND id<?)`);
    // The photos of an owner are a list of `photo_lists`; their posts are two ranges of an index, public and private ones.
    if (table === "photos" || table === "posts") continue;
    expect(await explain(listed(table, { owner: "me" }))).toContain("(owner_id=? AND id<?)");
  }
  for (const { name, blobs = [] } of schema.tables) {
    for (const { column } of blobs) {
      const byHash = await explain((db) => db.all(sql`SELECT 1 FROM ${raw(name)} WHERE ${raw(column)} = ${"ab"}`));
      expect([name, byHash]).toEqual([name, expect.stringContaining(`(${column}=?)`)]);
    }
  }
  await opened.close();
});

test("a page of the photos of an album is read from a few ranges of an index on SQLite", async () => {
  const viewers: Viewer[] = [null, { id: 1, role: "author" }, admin];
  for (const viewer of viewers) {
    for (const after of [null, { id: 5, key: 5 }]) {
      const plans: string[] = [];
      await listAlbumPhotosByKey(explainTo(plans), viewer, 1, { sort: byPosition, order: "asc", after, size: 10 });
      const [plan = ""] = plans;
      const reads = plan.split("; ").filter((step) => step.includes("album_photos"));
      expect(reads).toHaveLength(viewer && viewer !== admin ? 2 : 1);
      const index = viewer === admin ? "album_photos_in_order" : "album_photos_seen";
      for (const read of reads) {
        expect(read).toContain(
          `SEARCH album_photos USING ${viewer === admin ? "" : "COVERING "}INDEX ${index} (album_id=?`,
        );
        expect(read.includes("position")).toBe(after !== null);
      }
      // A page is sorted at most, not an album.
      expect(plan).not.toMatch(/album_photos[^;]*; USE TEMP B-TREE FOR ORDER BY/);
    }
  }
});

test("no page with a number reads a whole table, whoever asks for it", async () => {
  const plans: string[] = [];
  const viewers: Viewer[] = [null, { id: 1, role: "author" }, { id: 2, role: "admin" }];
  for (const viewer of viewers) {
    for (const list of [listPhotos, listPosts, listAlbums]) {
      const { items } = await list(explainTo(plans), viewer, { offset: 0, size: 10 });
      await Array.fromAsync(items as AsyncIterable<unknown>);
    }
  }
  expect(plans).toHaveLength(9);
  for (const plan of plans)
    expect(plan).not.toMatch(/SCAN (photos|posts|albums|files|images)\b|_(listed|of_owner) \([^;]*is_private=\?\)/);
});

test("every sort and filter of photos is read from its index on SQLite", async () => {
  const db = await openSqlite(join(scratch, "filters.db"));
  const plans: string[] = [];
  const explaining: Reader = {
    ...db,
    async all<Found>(query: Parameters<Reader["all"]>[0]) {
      const steps = await db.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${query}`);
      plans.push(steps.map(({ detail }) => detail).join("; "));
      return db.all<Found>(query);
    },
  };
  const viewer = { id: 1, role: "admin" } as const;
  const queries: PhotoQuery[] = [
    {},
    { owner: "1" },
    { owner: "me" },
    { visibility: "all" },
    { visibility: "all", owner: "2" },
    { tag: "sea" },
    { owner: "me", tag: "sea" },
    { favourite: "true" },
    { camera: "X" },
    { kind: "video" },
    { owner: "me", inAlbum: "false" },
    { owner: "me", untitled: "true" },
  ];
  for (const order of ["asc", "desc"] as const) {
    for (const query of queries) {
      await listPhotosByKey(explaining, viewer, query, { sort: byID, order, after: { id: 5, key: 5 }, size: 10 });
      for (const after of [{ id: 5, key: 5 }, { id: 5, key: null }, null]) {
        await listPhotosByKey(explaining, viewer, query, { sort: byTakenAt, order, after, size: 10 });
      }
    }
    const dates = { from: "2020-01-01", to: "2021-01-01" };
    await listPhotosByKey(explaining, null, dates, { sort: byTakenAt, order, after: null, size: 10 });
  }
  expect(plans.length).toBeGreaterThan(100);
  // Down to the position, or to where the photos with or without a date begin.
  const isFromIndex = /^(CO-ROUTINE chosen; )?SEARCH \w+ USING [^;]*\([^;]*((id|taken_at|\))[<>]|taken_at=\?)[^;]*\)/;
  for (const plan of plans) {
    expect(plan).toMatch(isFromIndex);
    expect(plan).not.toMatch(/TEMP B-TREE|SCAN photos|SCAN photo_lists/);
  }
  await db.close();
});

test("the neighbours of a photo, and its albums, are read from an index on SQLite", async () => {
  const db = await openSqlite(join(scratch, "neighbours.db"));
  await db.transaction(async (tx) => {
    const times = sql`created_at, updated_at`;
    await tx.run(
      sql`INSERT INTO users (id, username, username_key, username_skeleton, role, password_hash, ${times}) VALUES (1, 'a', 'a', 'a', 'author', '', 0, 0)`,
    );
    await tx.run(sql`INSERT INTO albums (id, owner_id, name, ${times}) VALUES (1, 1, 'a', 0, 0)`);
    await tx.run(
      sql`INSERT INTO photos (id, owner_id, title, description, file_id, width, height, ${times}) VALUES (1, 1, '', '', 1, 1, 1, 0, 0)`,
    );
    await tx.run(sql`INSERT INTO album_photos (album_id, photo_id, position) VALUES (1, 1, 1)`);
  });
  const viewers: Viewer[] = [null, { id: 1, role: "author" }, { id: 2, role: "admin" }];
  const plans: string[] = [];
  const explaining = explainTo(plans, db);
  for (const viewer of viewers) {
    for (const takenAt of ["2026-06-01T00:00:00.000Z", null])
      await findNeighbours(explaining, viewer, { id: 1, takenAt });
    await findPhotoInAlbum(explaining, viewer, 1, 1);
  }
  // Two photos of the same position are sorted by id.
  for (const plan of plans) {
    expect(plan.replace("B-TREE FOR LAST TERM", "")).not.toMatch(/SCAN (photos|album_photos)|B-TREE/);
  }
  expect(plans.filter((plan) => plan.startsWith("SEARCH album_photos"))).toHaveLength(6);
  for (const viewer of viewers) await listAlbumsOfPhoto(explaining, viewer, 1, 10);
  for (const plan of plans) expect(plan).not.toMatch(/SCAN (albums|album_photos)/);
  await db.close();
});
