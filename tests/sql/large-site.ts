import type { Database } from "../../src/platform/database/database.ts";
import { raw, sql } from "../../src/platform/database/sql.ts";

/**
 * Fills an empty database with so many rows that an engine plans a statement as it does for a large site. The same rows every
 * time, and the same statements on both engines. Only for EXPLAIN: what is derived from the rows is not written.
 */
export async function fillLargeSite(db: Database): Promise<void> {
  await db.transaction(
    async (tx) => {
      for (const { statement } of fillings) await tx.run(statement);
    },
    { isLong: true },
  );
}

/** Rows with `n` from 1 to `count`. */
const insert = (into: string, count: number, columns: string) => ({
  table: into.split(" ", 1)[0] as string,
  statement: sql`
    INSERT INTO ${raw(into)}
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${raw(String(count))})
    SELECT ${raw(columns)} FROM numbers`,
});

const owner = "1 + n % 20";
/** Every tenth record. */
const isPrivate = "CASE WHEN n % 10 = 0 THEN 1 ELSE 0 END";

const fillings = [
  insert(
    "users (id, username, username_key, username_skeleton, password_hash, role, created_at, updated_at)",
    20,
    "n, 'u' || n, 'u' || n, 'u' || n, '', 'author', n, n",
  ),
  insert(
    "files (id, parent_id, owner_id, size, created_at, updated_at, sha256, content_type, name, name_key, order_key, is_private)",
    5000,
    `n, CASE WHEN n > 50 THEN n % 50 ELSE 0 END, ${owner}, n, n, n, CASE WHEN n > 50 THEN 'hash' || n END, 'image/jpeg', 'f' || n, 'f' || n, '1f' || n, ${isPrivate}`,
  ),
  insert(
    "images (sha256, width, height, taken_at, read_at, camera)",
    5000,
    "'hash' || n, 4000, 3000, n * 1000, n, 'camera' || n % 7",
  ),
  insert(
    "photos (id, owner_id, file_id, width, height, created_at, updated_at, title, description, is_private, taken_at, compared_at)",
    5000,
    `n, ${owner}, n, 4000, 3000, n, n, 'Photo ' || n, '', ${isPrivate}, CASE WHEN n % 9 > 0 THEN n * 1000 END, n`,
  ),
  insert(
    "photo_lists (photo_id, list, seen_by, taken_at)",
    5000,
    `n, 'list' || n % 50, CASE WHEN n % 10 = 0 THEN ${owner} ELSE 0 END, n * 1000`,
  ),
  insert(
    "photo_places (photo_id, owner_id, is_shown, latitude, longitude, code)",
    5000,
    `n, ${owner}, CASE WHEN n % 2 = 0 THEN 1 ELSE 0 END, n * 100000, n * 300000, n * 500000000000`,
  ),
  insert("photo_areas (owner_id, level, x, y, lane, cell, photos)", 5000, "n % 20, 2 + n % 8 * 2, n, n, 0, n, 1"),
  insert(
    "posts (id, owner_id, created_at, updated_at, title, content, is_private, slug, status, published_at, cover_id)",
    2000,
    `n, ${owner}, n, n, 'Post ' || n, 'Text', ${isPrivate}, 'post-' || n, CASE WHEN n % 20 = 0 THEN 'draft' ELSE 'published' END, n * 1000, n`,
  ),
  insert(
    "albums (id, owner_id, created_at, updated_at, name, is_private, cover_photo_id)",
    1000,
    `n, ${owner}, n, n, 'Album ' || n, ${isPrivate}, n`,
  ),
  insert("album_photos (album_id, photo_id, position, seen_by)", 5000, "1 + n % 1000, n, n, 0"),
  insert(
    "comments (id, post_id, owner_id, created_at, updated_at, content, status)",
    5000,
    `n, 1 + n % 2000, ${owner}, n, n, 'Text', CASE WHEN n % 50 = 0 THEN 'waiting' ELSE 'visible' END`,
  ),
  insert(
    "trash (id, kind, record_id, owner_id, deleted_by, deleted_at, name)",
    2000,
    `n, 'photo', 10000 + n, ${owner}, ${owner}, n, 'Photo'`,
  ),
  insert(
    "activity (id, created_at, actor_id, owner_id, record_id, was_public, kind, action, name)",
    5000,
    `n, n, ${owner}, ${owner}, n, 1, 'photo', 'created', 'Photo'`,
  ),
  insert(
    "file_versions (id, file_id, owner_id, size, created_at, replaced_at, sha256, content_type)",
    3000,
    `n, 51 + n % 1000, ${owner}, 1, n, n, 'old' || n, 'image/jpeg'`,
  ),
];

export const filledTables = [...new Set(fillings.map(({ table }) => table))];
