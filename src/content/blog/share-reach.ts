import type { Shared } from "../../core/records/record-kind.ts";
import { reachOf } from "../../core/records/visibility.ts";
import { sql } from "../../platform/database/sql.ts";

/** A link to a post reaches the post and its cover. */
export const sharedPost: Shared = {
  reach: (id) => ({
    post: reachOf(sql`${id}`),
    photo: reachOf(sql`SELECT cover_id FROM posts WHERE id = ${id}`),
  }),
};
