import type { Maintained } from "../platform/database/maintained.ts";
import { sql } from "../platform/database/sql.ts";

/** A SELECT of the bytes that the owner of a row of `users` has stored. Triggers of the database count them. */
export const selectStoredBytes = sql`(
  SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM stored_bytes WHERE stored_bytes.owner_id = users.id)`;

/**
 * One statement sees a file together with its count, or neither. It adds the differences, as the triggers do, so servers may
 * be running.
 */
export const storedBytes: Maintained = {
  name: "stored bytes",
  rebuild: (db) =>
    db.transaction((tx) =>
      tx.run(sql`
        INSERT INTO stored_bytes (owner_id, lane, bytes)
        SELECT owner_id, 0, CAST(sum(bytes) AS BIGINT) FROM (
          SELECT owner_id, size AS bytes FROM files
          UNION ALL SELECT owner_id, size FROM file_versions
          UNION ALL SELECT owner_id, poster_size FROM photos WHERE poster_size IS NOT NULL
          UNION ALL SELECT owner_id, bytes FROM post_bytes
          UNION ALL SELECT owner_id, bytes FROM idempotency_keys WHERE bytes <> 0
          UNION ALL SELECT owner_id, -bytes FROM stored_bytes) AS counted
        GROUP BY owner_id HAVING sum(bytes) <> 0
        ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes`),
    ),
};
