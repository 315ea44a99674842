import type { Database } from "../../src/platform/database/database.ts";
import { raw, sql } from "../../src/platform/database/sql.ts";

/** Fills a new database with the rows of a large site. What is derived from them is not written. */
export async function fillLargeSite(db: Database): Promise<void> {
  await db.transaction(
    async (tx) => {
      for (const statement of fillings) await tx.run(statement);
    },
    { isLong: true },
  );
}

/** An hour ago, so that no job removes what it would be old enough for. */
const begin = Date.now() - 3_600_000;

/** Rows with `n` from 1 to `count`. A time of `n` is that many milliseconds after `begin`. */
const insert = (into: string, count: number, columns: string) => sql`
  INSERT INTO ${raw(into)}
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${raw(String(count))})
  SELECT ${raw(withTimes(into, columns))} FROM numbers WHERE true
  ON CONFLICT DO NOTHING`;

function withTimes(into: string, columns: string): string {
  const names = into.slice(into.indexOf("(") + 1, -1).split(", ");
  // Commas within brackets separate no columns.
  const values = columns.split(/,\s+(?![^()]*\))/);
  if (values.length !== names.length) throw new Error(`${into} has ${values.length} values`);
  return values
    .map((value, index) => (value === "n" && names[index]?.endsWith("_at") ? `${begin} + n` : value))
    .join(", ");
}

const owner = "1 + n % 20";
/** Every ninth record, of each owner. */
const isPrivate = "CASE WHEN n % 9 = 0 THEN 1 ELSE 0 END";

/** Without a space after a comma, at which columns are separated. */
const hashOf = (digit: string) => `substr('${digit.repeat(64)}' || n,length(CAST(n AS TEXT)) + 1)`;
const hash = hashOf("0");

const fillings = [
  insert(
    "users (id, username, username_key, username_skeleton, password_hash, role, created_at, updated_at)",
    2000,
    "n, 'u' || n, 'u' || n, 'u' || n, '', 'author', n, n",
  ),
  insert(
    "files (id, parent_id, owner_id, size, created_at, updated_at, sha256, content_type, name, name_key, order_key, is_private)",
    5000,
    `n, CASE WHEN n > 50 THEN n % 50 ELSE 0 END, ${owner}, n, n, n, CASE WHEN n > 50 THEN ${hash} END, 'image/jpeg', 'f' || n, 'f' || n, '1f' || n, ${isPrivate}`,
  ),
  insert("images (sha256, width, height, taken_at, read_at, camera)", 5000, `${hash}, 4000, 3000, n * 1000, n, '{}'`),
  insert(
    "photos (id, owner_id, file_id, width, height, created_at, updated_at, title, description, is_private, taken_at, compared_at)",
    5000,
    `n, ${owner}, n, 4000, 3000, n, n, 'Photo ' || n, '', ${isPrivate}, CASE WHEN n % 9 > 0 THEN n * 1000 END, n`,
  ),
  insert(
    "photo_lists (photo_id, list, seen_by, taken_at)",
    5000,
    `n, 'list' || (n % 50), CASE WHEN n % 9 = 0 THEN ${owner} ELSE 0 END, n * 1000`,
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
    `n, ${owner}, n, n, 'Post ' || n, 'Text', ${isPrivate}, 'post-' || n, CASE WHEN n % 11 = 0 THEN 'draft' ELSE 'published' END, n * 1000, n`,
  ),
  insert(
    "albums (id, owner_id, created_at, updated_at, name, is_private, cover_photo_id)",
    1000,
    `n, ${owner}, n, n, 'Album ' || n, ${isPrivate}, n`,
  ),
  insert("album_photos (album_id, photo_id, position, seen_by)", 5000, "1 + n % 1000, n, n, 0"),
  insert(
    "comments (id, target_kind, target_id, owner_id, created_at, updated_at, content, status)",
    5000,
    `n, 'post', 1 + n % 2000, ${owner}, n, n, 'Text', CASE WHEN n % 50 = 0 THEN 'waiting' ELSE 'visible' END`,
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
    `n, 51 + n % 1000, ${owner}, 1, n, n, ${hashOf("a")}, 'image/jpeg'`,
  ),
  insert(
    "post_revisions (post_id, number, created_at, tags, title, content)",
    3000,
    "1 + n % 1000, n, n, '[]', 'Post', 'Text'",
  ),
  insert(
    "post_tags (post_id, tag_key, owner_id, is_private, status, published_at)",
    2000,
    `n, 'tag' || (n % 50), ${owner}, ${isPrivate}, 'published', n * 1000`,
  ),
  insert("post_embeds (post_id, kind, record_id)", 2000, "n, 'photo', n"),
  insert(
    "sessions (token_id, user_id, expires_at, created_at, seen_at)",
    2000,
    `'session' || n, ${owner}, 4000000000000, n, n`,
  ),
  insert("app_keys (user_id, key_hash, name, scopes, created_at)", 2000, `${owner}, 'key' || n, 'Key', '["read"]', n`),
  insert(
    "shares (owner_id, kind, record_id, token_hash, allow_download, allow_upload, show_metadata, created_at, updated_at)",
    2000,
    `${owner}, 'album', 1 + n % 1000, 'share' || n, 1, 1, 1, n, n`,
  ),
  insert(
    "share_uploads (share_id, owner_id, name, sha256, size, content_type, created_at)",
    2000,
    `1 + n % 200, ${owner}, 'f', ${hashOf("b")}, 1, 'image/jpeg', n`,
  ),
  insert(
    "invitations (token_hash, role, note, created_by, created_at)",
    2000,
    `'invitation' || n, 'author', '', ${owner}, n`,
  ),
  insert("redirects (address, kind, target, created_at)", 2000, "'/older/' || n, 'path', '/', n"),
  insert(
    "imports (owner_id, is_recursive, created_at, updated_at, finished_at, path, kind, read_at)",
    2000,
    `${owner}, 0, n, n, n, '/', CASE WHEN n % 2 = 0 THEN 'wordpress' END, n`,
  ),
  insert(
    "import_items (import_id, kind, item_key, name, outcome, fingerprint, owner_id)",
    3000,
    `20 + 20 * (n % 40), 'post', 'key' || n, 'Post', 'added', '', 1`,
  ),
  insert("import_files (import_id, file_id, outcome, name)", 3000, "20 + 20 * (n % 40), n, 'refused', 'f'"),
  insert(
    "subscribers (created_at, updated_at, confirmed_at, state, address, address_key, unsubscribe_token)",
    2000,
    "n, n, n, CASE WHEN n % 20 = 0 THEN 'unsubscribed' ELSE 'confirmed' END, 'a' || n, 'a' || n, 'token' || n",
  ),
  insert(
    "newsletter_posts (post_id, created_at, updated_at, ended_at, last_queued_id, last_subscriber_id, sent, failed, state)",
    1000,
    "n, n, n, n, 1, 1, 1, 0, 'sent'",
  ),
  insert(
    "webhooks (created_at, updated_at, is_active, position_transaction_id, position_id, salt, url, events)",
    10,
    "n, n, 0, 0, 0, 'salt', 'https://example.org/' || n, '[]'",
  ),
  insert(
    "tasks (queue, task_key, group_id, added_at, next_at, settled_at, outcome, payload)",
    3000,
    `'webhooks', n, 1 + n % 10, n, n, n, 'done', '{"event":"photo.created","body":"{}","createdAt":1,"attemptedAt":1,"status":200,"error":null,"response":""}'`,
  ),
  insert(
    "uploads (owner_id, length, received, parts, created_at, expires_at, metadata)",
    2000,
    `${owner}, 9, 1, 1, n, 4000000000000, '{}'`,
  ),
  insert(
    "passkeys (user_id, credential_id, public_key, user_handle, counter, transports, site, name, is_synced, created_at)",
    2000,
    `${owner}, 'passkey' || n, '', '', 0, '[]', 'https://example.org', 'Key', 0, n`,
  ),
  insert("photo_pairs (one_id, other_id, owner_id)", 2000, `n, n + 20, ${owner}`),
  insert(
    "photo_months (owner_id, is_private, month, lane, photos)",
    2000,
    `${owner}, 0, (2000 + n % 25) || '-06', n, 1`,
  ),
  insert("post_html (post_id, renderer)", 2000, "n, 1000"),
];
