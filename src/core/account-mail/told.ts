import type { Queries } from "../../platform/database/database.ts";
import { raw, sql } from "../../platform/database/sql.ts";

const columns = { comment: raw("last_notified_comment_id"), upload: raw("last_notified_upload_id") };

/** The person is not notified of comments or pictures of guests up to this one. */
export async function noteLast(tx: Queries, userID: number, kind: keyof typeof columns, id: number): Promise<void> {
  await tx.run(sql`UPDATE user_addresses SET ${columns[kind]} = ${id} WHERE user_id = ${userID}`);
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
