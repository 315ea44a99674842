import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { invalid } from "../../platform/errors.ts";
import { hashOfText } from "../../platform/hash.ts";
import type { PostItem } from "./item.ts";
import type { Known } from "./items.ts";

/** A post that came from this source earlier, and has changed there since. */
export type Earlier = { outcome: "changed"; recordID: number; state: string };
/** It stays as it is. */
type Kept = { outcome: "known"; recordID: number; state: string; reason?: string };

/** Changes with what an update would write. A source that knows no date says the present one, each time another. */
export function fingerprintOfPost(item: PostItem): string {
  const { title, content, excerpt, tags, cover, commentsOpen, visibility, createdAt, publishedAt } = item;
  const published = createdAt === null && publishedAt !== null ? "published" : publishedAt;
  const parts = [title, content, excerpt, tags, cover, commentsOpen, visibility === "private", published];
  return hashOfText(JSON.stringify(parts)).slice(0, 32);
}

/** Changes with every change of the post here. */
export const stateOf = (updatedAt: string): string => `${Date.parse(updatedAt)}`;

/** Null for a post that is new here. One that was changed or deleted here stays as it is. */
export async function findEarlier(db: Database, before: Known | undefined): Promise<Earlier | Kept | null> {
  if (!before || before.recordID === null) return null;
  const { recordID } = before;
  const state = before.fingerprint.split(" ")[1] ?? "";
  const now = await readState(db, recordID);
  if (now === state) return { outcome: "changed", recordID, state };
  const isChangedInBoth = now !== null && state !== "";
  return { outcome: "known", recordID, state, ...(isChangedInBoth && { reason: changedInBoth }) };
}

const changedInBoth = "It has changed in the source, and was also changed here: it stays as it is here.";

/** In the meantime, somebody may have changed it. */
export async function checkUntouched(tx: Queries, { recordID, state }: Earlier): Promise<void> {
  if ((await readState(tx, recordID)) !== state) throw invalid(changedInBoth);
}

/** Null for one that is not there any more. */
async function readState(db: Reader, id: number): Promise<string | null> {
  const row = await db.get<{ updated_at: number }>(sql`
    SELECT updated_at FROM posts WHERE id = ${id} AND trash_id IS NULL`);
  return row && `${row.updated_at}`;
}
