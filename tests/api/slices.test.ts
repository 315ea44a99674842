import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { markMissingHTML } from "../../src/content/blog/html.ts";
import { removeOldActivity } from "../../src/core/activity/store.ts";
import { removeUnusedImages } from "../../src/core/images/store.ts";
import { kindsOf, reactionsOf, schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import type { Blobs } from "../../src/platform/blobs/blobs.ts";
import { listAlbumPhotos } from "../../src/content/albums/album-photos.ts";
import type { Database, Reader } from "../../src/platform/database/database.ts";
import { raw, sql } from "../../src/platform/database/sql.ts";
import { openSqlite } from "../../src/platform/database/sqlite.ts";
import { removeExpiredKeys } from "../../src/platform/http/idempotency-store.ts";
import { indexMissing } from "../../src/features/search/index-missing.ts";
import { removeLeftovers } from "../../src/core/storage/released.ts";
import { createTrash, emptyOldTrash } from "../../src/core/trash/store.ts";
import { removeExpiredSessions } from "../../src/core/users/sessions.ts";
import { findUsedBlobs } from "../../src/core/storage/used-blobs.ts";
import { countTurns } from "../kit/event-loop.ts";
import { useScratch } from "../kit/scratch.ts";

const records = 20_000;
const dataDir = useScratch();
const numbers = sql`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${records})`;
const hash = sql`printf('%064x', n)`;
let db: Database;

beforeAll(async () => {
  db = await openSqlite(join(dataDir, "vitrine.db"), { schema: schemaOf(modules) });
  await db.transaction(
    async (tx) => {
      await tx.run(sql`
      INSERT INTO users (username, username_key, username_skeleton, password_hash, role, created_at, updated_at)
      VALUES ('a', 'a', 'a', 'x', 'author', 1, 1)`);
      await tx.run(sql`
      INSERT INTO files (parent_id, owner_id, created_at, updated_at, sha256, content_type, name, name_key, order_key)
      ${numbers} SELECT 0, 1, 1, 1, ${hash}, 'image/jpeg', 'f' || n, 'f' || n, 'f' || n FROM n`);
      await tx.run(sql`
      INSERT INTO images (sha256, read_at, camera) ${numbers} SELECT ${hash}, 1, '{}' FROM n`);
      await tx.run(sql`
      INSERT INTO posts (owner_id, title, content, slug, created_at, updated_at)
      ${numbers} SELECT 1, 'x', 'x', 'x' || n, 1, 1 FROM n`);
      await tx.run(sql`
      INSERT INTO comments (target_kind, target_id, owner_id, created_at, updated_at, content)
      ${numbers} SELECT 'post', 1, 1, 1, 1, 'x' FROM n`);
      await tx.run(sql`
      INSERT INTO photos (owner_id, file_id, width, height, created_at, updated_at, title, description)
      ${numbers} SELECT 1, n, 1, 1, 1, 1, 'x', '' FROM n`);
      await tx.run(sql`INSERT INTO albums (id, owner_id, created_at, updated_at, name) VALUES (1, 1, 1, 1, 'x')`);
      await tx.run(sql`
      INSERT INTO album_photos (album_id, photo_id, position, seen_by) ${numbers} SELECT 1, n, n, 0 FROM n`);
      await tx.run(
        sql`INSERT INTO trash (id, kind, record_id, owner_id, deleted_at, name) VALUES (1, 'post', 1, 1, 1, 'x')`,
      );
      await tx.run(sql`UPDATE posts SET trash_id = 1 WHERE id = 1`);
      await tx.run(sql`
      INSERT INTO sessions (token_id, user_id, expires_at, created_at, seen_at) ${numbers} SELECT 's' || n, 1, 1, 1, 1 FROM n`);
      await tx.run(sql`
      INSERT INTO idempotency_keys (caller, name, fingerprint, expires_at, status) ${numbers} SELECT 'a', 'k' || n, 'x', 1, 200 FROM n`);
      await tx.run(sql`
      INSERT INTO reservations (owner_id, bytes, expires_at) ${numbers} SELECT 1, 1, 1 FROM n`);
      await tx.run(sql`
      INSERT INTO activity (action, kind, record_id, owner_id, was_public, created_at, name)
      ${numbers} SELECT 'created', 'post', n, 1, 0, 1, 'x' FROM n`);
      await tx.run(sql`INSERT INTO post_html (post_id, renderer) SELECT id, 1 FROM posts`);
      for (const kind of ["file", "post", "comment", "photo", "album"]) {
        await tx.run(sql`
        INSERT INTO documents (kind, record_id, title_words, text_words)
        SELECT ${kind}, id, ' x ', ' ' FROM ${raw(`${kind}s`)}`);
      }
    },
    { isCopy: true },
  );
});
afterAll(() => db.close());

const trash = createTrash(kindsOf(modules), reactionsOf(modules));
/** No blob is removed. */
const noBlobs = {} as Blobs;
const { signal } = new AbortController();
const names = Array.from({ length: records }, (_, index) => (index + 1).toString(16).padStart(64, "0"));
const jobs: [string, () => Promise<unknown>][] = [
  ["looking up which blobs are used", () => findUsedBlobs(db, names)],
  ["removing images that are not used", () => removeUnusedImages(db, (some) => findUsedBlobs(db, some))],
  ["looking for images that are not used among new ones", () => removeUnusedImages(db, async () => new Set(), 0)],
  ["looking for posts without HTML", () => markMissingHTML(db, signal)],
  ["looking for records that search does not know", () => indexMissing(db, kindsOf(modules), signal)],
];

test.each(jobs)("%s leaves the event loop to others after at most 1000 records", async (_name, job) => {
  expect(await countTurns(job)).toBeGreaterThanOrEqual(records / 1000);
});

const removals: [string, (db: Database) => Promise<unknown>][] = [
  ["removing old activity", (db) => removeOldActivity(db, 1)],
  ["removing expired sessions", removeExpiredSessions],
  ["removing expired idempotency keys", removeExpiredKeys],
  ["removing expired reservations", (db) => removeLeftovers(db, noBlobs)],
  ["permanently deleting a post with its comments", (db) => emptyOldTrash(db, trash, 1)],
];

test.each(removals)("%s deletes at most 1000 records in a transaction", async (_name, remove) => {
  const deleted: number[] = [];
  await remove({
    ...db,
    transaction: (work, options) =>
      db.transaction(async (tx) => {
        let count = 0;
        const result = await work({
          ...tx,
          run: async (query) => tx.run(query).then((rows) => ((count += rows), rows)),
        });
        deleted.push(count);
        return result;
      }, options),
  });
  expect(Math.max(...deleted)).toBeLessThanOrEqual(1000);
  expect(deleted.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(records);
});

test("a page at the end of an album is found by as many statements as one in the middle", async () => {
  const counts: number[] = [];
  for (const offset of [3000, 17_500]) {
    let count = 0;
    const get: Reader["get"] = (query) => (count++, db.get(query));
    const all: Reader["all"] = (query) => (count++, db.all(query));
    const found = [];
    for await (const some of listAlbumPhotos({ ...db, get, all }, null, 1, { offset, size: 3 })) found.push(...some);
    expect(found.map(({ id }) => id)).toEqual([offset + 1, offset + 2, offset + 3]);
    counts.push(count);
  }
  expect(counts[1]).toBe(counts[0] as number);
  expect(await Array.fromAsync(listAlbumPhotos(db, null, 1, { offset: 1e12, size: 3 }))).toEqual([]);
});
