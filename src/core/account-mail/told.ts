import type { Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

/** The person was told of all comments that there are now. */
export async function noteCommentsTold(tx: Queries, userID: number): Promise<void> {
  await tx.run(sql`
    UPDATE user_addresses SET last_notified_comment_id = (SELECT coalesce(max(id), 0) FROM comments) WHERE user_id = ${userID}`);
}

/** The person was told of all pictures from guests that there are now. */
export async function noteUploadsTold(tx: Queries, userID: number): Promise<void> {
  await tx.run(sql`
    UPDATE user_addresses SET last_notified_upload_id = (SELECT coalesce(max(id), 0) FROM share_uploads)
    WHERE user_id = ${userID}`);
}

export async function noteTold(tx: Queries, userID: number, time: number): Promise<void> {
  await tx.run(sql`UPDATE user_addresses SET last_notified_at = ${time} WHERE user_id = ${userID}`);
}

/** Whether this is the first digest of the person in this week. */
export async function claimDigest(tx: Queries, userID: number, week: number): Promise<boolean> {
  const claimed = await tx.run(sql`
    UPDATE user_addresses SET last_digest_week = ${week} WHERE user_id = ${userID} AND last_digest_week < ${week}`);
  return claimed > 0;
}
