import { noteLast } from "../../core/account-mail/told.ts";
import type { Topic } from "../../core/account-mail/topics.ts";
import type { Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

type Newest = { id: number };

/** Marks all current comments as already notified. */
export async function noteComments(tx: Queries, userID: number): Promise<void> {
  const newest = await tx.get<Newest>(sql`SELECT coalesce(max(id), 0) AS id FROM comments`);
  await noteLast(tx, userID, "comment", newest?.id ?? 0);
}

/** Marks all current pictures of guests as already notified. */
export async function noteUploads(tx: Queries, userID: number): Promise<void> {
  const newest = await tx.get<Newest>(sql`SELECT coalesce(max(id), 0) AS id FROM share_uploads`);
  await noteLast(tx, userID, "upload", newest?.id ?? 0);
}

/** Only what comes from now on: otherwise a first notice would be about everything. */
export async function beginTopic(tx: Queries, userID: number, topic: Topic): Promise<void> {
  if (topic === "comments") await noteComments(tx, userID);
  if (topic === "uploads") await noteUploads(tx, userID);
}
