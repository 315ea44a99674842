import type { Reader } from "../../platform/database/database.ts";
import { readSlices, type Slices } from "../../platform/database/slices.ts";
import { sql } from "../../platform/database/sql.ts";

/** Users who have published something. Readers who only comment, and authors who have not begun, have no page. */
const isShown = sql`(
  EXISTS (SELECT 1 FROM posts WHERE posts.owner_id = users.id AND posts.is_private = 0 AND posts.trash_id IS NULL)
  OR EXISTS (SELECT 1 FROM photos WHERE photos.owner_id = users.id AND photos.is_private = 0 AND photos.trash_id IS NULL)
  OR EXISTS (SELECT 1 FROM albums WHERE albums.owner_id = users.id AND albums.is_private = 0 AND albums.trash_id IS NULL))`;

type Shown = { id: number; username: string };

export async function countShownUsers(db: Reader): Promise<number> {
  return (await db.get<{ count: number }>(sql`SELECT count(*) AS count FROM users WHERE ${isShown}`))?.count ?? 0;
}

/** Those with ids above `after`, up to `last`. */
export function listShownUsers(db: Reader, { after, last }: { after: number; last: number }): Slices<Shown> {
  const read = (previous: Shown | null, size: number) =>
    db.all<Shown>(sql`
      SELECT id, username FROM users WHERE id > ${previous?.id ?? after} AND id <= ${last} AND ${isShown}
      ORDER BY id LIMIT ${size}`);
  return readSlices(read, { size: 1000 });
}
