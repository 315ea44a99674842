import type { Reader } from "../platform/database/database.ts";
import { sql, type Sql } from "../platform/database/sql.ts";
import { findUser, listUsers } from "../users/store.ts";
import type { Holdings, StorageReport } from "./storage.ts";

type Row = { owner_id: number; kind: string; count: number; bytes: number };

/** What one owner takes up; or, for null, what everybody does, and the site as a whole. */
export async function readStorage(
  db: Reader,
  quotaBytes: number | null,
  ownerID: number | null,
): Promise<StorageReport> {
  const users = ownerID === null ? await listUsers(db) : [await findUser(db, ownerID)].filter((user) => user !== null);
  const rows = await db.all<Row>(
    ownerID === null ? sql`${held(sql`1 = 1`)} ${stored}` : held(sql`owner_id = ${ownerID}`),
  );
  const byOwner = Map.groupBy(rows, (row) => row.owner_id);
  const owners = users.map(({ id, username, role }) => ({
    ownerID: id,
    username,
    ...toHoldings(byOwner.get(id) ?? []),
    quota: role === "admin" ? null : quotaBytes,
  }));
  return { owners, site: ownerID === null ? toSite(rows) : null };
}

/**
 * One row for each owner and kind, all by one statement: the numbers are of one moment. What lies below a directory in the
 * trash is there with it.
 */
const held = (own: Sql) => sql`
  WITH RECURSIVE trashed (id, owner_id, size, sha256) AS (
    SELECT id, owner_id, size, sha256 FROM files WHERE trash_id IS NOT NULL UNION ALL
    SELECT files.id, files.owner_id, files.size, files.sha256
    FROM files JOIN trashed ON files.parent_id = trashed.id WHERE files.trash_id IS NULL
  )
  SELECT owner_id, 'all' AS kind, count(*) AS count, CAST(sum(size) AS BIGINT) AS bytes
  FROM files WHERE ${own} GROUP BY 1
  UNION ALL
  SELECT owner_id, 'directories', count(*), 0 FROM files WHERE sha256 IS NULL AND ${own} GROUP BY 1
  UNION ALL
  SELECT owner_id, CASE WHEN sha256 IS NULL THEN 'trashed directories' ELSE 'trash' END, count(*), CAST(sum(size) AS BIGINT)
  FROM trashed WHERE ${own} GROUP BY 1, 2
  UNION ALL
  SELECT owner_id, 'versions', count(*), CAST(sum(size) AS BIGINT) FROM file_versions WHERE ${own} GROUP BY 1
  UNION ALL
  SELECT owner_id, 'uploads', count(*), CAST(sum(length) AS BIGINT) FROM uploads
  WHERE file_id IS NULL AND ${own} GROUP BY 1
  UNION ALL
  SELECT owner_id, 'photos', count(*), 0 FROM photos WHERE trash_id IS NULL AND ${own} GROUP BY 1
  UNION ALL
  SELECT owner_id, 'posts', count(*), 0 FROM posts WHERE trash_id IS NULL AND ${own} GROUP BY 1
  UNION ALL
  SELECT owner_id, 'comments', count(*), 0 FROM comments
  WHERE trash_id IS NULL AND post_id IN (SELECT id FROM posts WHERE trash_id IS NULL) AND ${own} GROUP BY 1
  UNION ALL
  SELECT owner_id, 'albums', count(*), 0 FROM albums WHERE trash_id IS NULL AND ${own} GROUP BY 1
  UNION ALL
  SELECT owner_id, 'different', count(*), CAST(sum(size) AS BIGINT) FROM (
    SELECT owner_id, sha256, size FROM files WHERE sha256 IS NOT NULL AND ${own} UNION
    SELECT owner_id, sha256, size FROM file_versions WHERE ${own}
  ) AS contents GROUP BY 1`;

/** The same bytes have the same name: each is counted once. */
const stored = sql`
  UNION ALL
  SELECT 0, 'stored', count(*), CAST(coalesce(sum(size), 0) AS BIGINT) FROM (
    SELECT sha256, size FROM files WHERE sha256 IS NOT NULL UNION SELECT sha256, size FROM file_versions
  ) AS contents`;

function toSite(rows: Row[]): StorageReport["site"] {
  const holdings = toHoldings(rows);
  const contents = sumUp(rows, "stored");
  // Also what several people have.
  return { ...holdings, stored: contents, savedByDeduplication: holdings.bytes - contents.bytes };
}

function toHoldings(rows: Row[]): Holdings {
  const [all, trash, versions] = [sumUp(rows, "all"), sumUp(rows, "trash"), sumUp(rows, "versions")];
  const directories = sumUp(rows, "directories").count;
  return {
    files: { count: all.count - trash.count - directories, bytes: all.bytes - trash.bytes },
    trash,
    versions,
    bytes: all.bytes + versions.bytes,
    unfinishedUploads: sumUp(rows, "uploads"),
    directories: directories - sumUp(rows, "trashed directories").count,
    photos: sumUp(rows, "photos").count,
    posts: sumUp(rows, "posts").count,
    comments: sumUp(rows, "comments").count,
    albums: sumUp(rows, "albums").count,
    savedByDeduplication: all.bytes + versions.bytes - sumUp(rows, "different").bytes,
  };
}

function sumUp(rows: Row[], kind: string): { count: number; bytes: number } {
  const sum = { count: 0, bytes: 0 };
  for (const row of rows) {
    if (row.kind !== kind) continue;
    sum.count += row.count;
    sum.bytes += row.bytes;
  }
  return sum;
}
