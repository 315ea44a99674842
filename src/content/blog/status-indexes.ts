import { sql, unindexed } from "../../platform/database/sql.ts";

/**
 * The condition of the indexes by status: a post is private, as all are that are not published. Lists without a status have
 * `isPrivate` instead, so that no database reads them from these indexes, and sorts them.
 */
export const isInStatusIndexes = sql`${unindexed("is_private")} = 1`;
