import type { Maintained } from "../../platform/database/maintained.ts";
import { raw, sql } from "../../platform/database/sql.ts";
import { addDifferences } from "./byte-triggers.ts";

/** A SELECT of the bytes that the owner of a row of `users` has stored. Triggers of the database count them. */
export const selectStoredBytes = sql`(
  SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM stored_bytes WHERE stored_bytes.owner_id = users.id)`;

/** Servers may be running. */
export const storedBytes: Maintained = {
  name: "stored bytes",
  rebuild: (db) => db.transaction((tx) => tx.run(raw(addDifferences))),
};
