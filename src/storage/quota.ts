import { invalid } from "../errors.ts";
import type { Reader } from "../platform/database/database.ts";
import { sql } from "../platform/database/sql.ts";

/** What everybody who stores a file keeps to. */
export type StorageLimits = { maxUploadBytes: number; versionsKept: number; quotaBytes: number | null };

/**
 * Throws when an owner holds, or with `moreBytes` would hold, more than the quota. Admins have none. Called in the
 * transaction that writes a row, after the row: what it finds too much does not stay.
 */
export async function checkQuota(db: Reader, quotaBytes: number | null, ownerID: number, moreBytes = 0): Promise<void> {
  if (quotaBytes === null) return;
  const owner = await db.get<{ username: string; bytes: number }>(sql`
    SELECT username, CAST(
      (SELECT coalesce(sum(size), 0) FROM files WHERE owner_id = users.id) +
      (SELECT coalesce(sum(size), 0) FROM file_versions WHERE owner_id = users.id) AS BIGINT) AS bytes
    FROM users WHERE id = ${ownerID} AND role <> 'admin'`);
  if (!owner || owner.bytes + moreBytes <= quotaBytes) return;
  throw invalid(
    `With this, files, versions and trash of ${owner.username} would have ${owner.bytes + moreBytes} bytes, and ${quotaBytes} are allowed: delete something for good first.`,
  );
}
