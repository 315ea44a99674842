import type { Reader } from "../../platform/database/database.ts";
import { noteMissing } from "../../platform/database/generations.ts";
import { inChunks, list, raw, sql, type Sql } from "../../platform/database/sql.ts";
import { found } from "../../platform/database/touched-tables.ts";
import { nextTurn } from "../../platform/event-loop.ts";

/**
 * Whether the user has public records in a table: the first entry of an index on the owner and these columns, at or after the
 * public ones of the user, is one of them. Where most records have the same owner, PostgreSQL would look for those of every
 * other user in the whole table.
 */
const hasPublic = (table: string, ...flags: string[]): Sql => {
  const [columns, start] = [raw([...flags, "id"].join(", ")), raw(`${flags.map(() => "0, ").join("")}0`)];
  const isPublic = raw(flags.map((flag) => `${flag} = 0`).join(" AND "));
  return sql`coalesce((
  SELECT CASE WHEN owner_id = users.id AND ${isPublic} THEN 1 ELSE 0 END FROM ${found(table)}
  WHERE trash_id IS NULL AND (owner_id, ${columns}) >= (users.id, ${start})
  ORDER BY owner_id, ${columns} LIMIT 1), 0) = 1`;
};

/** Users who have published something. Readers who only comment, and authors who have not begun, have no page. */
const isShown = sql`(
  ${hasPublic("posts", "is_page", "is_private")}
  OR ${hasPublic("photos", "is_private")}
  OR (${hasPublic("albums", "is_private")} AND EXISTS (
    SELECT 1 FROM ${found("albums")} JOIN album_counts ON album_id = albums.id AND seen_by = 0 AND album_counts.photos > 0
    WHERE albums.owner_id = users.id AND albums.is_private = 0 AND albums.trash_id IS NULL)))`;

type Shown = { id: number; username: string };

/** Few may be shown of very many. */
const examinedAtOnce = 1000;

export async function hasPublished(db: Reader, userID: number): Promise<boolean> {
  return (await findPublished(db, [userID])).has(userID);
}

/** Those of the users who have published something. */
export async function findPublished(db: Reader, userIDs: number[]): Promise<Set<number>> {
  const wanted = [...new Set(userIDs)];
  const rows = await inChunks(wanted, (some) =>
    db.all<{ id: number }>(sql`SELECT id FROM users WHERE id IN (${list(some)}) AND ${isShown}`),
  );
  if (rows.length < wanted.length) for (const table of ["posts", "photos", "albums"]) noteMissing(table);
  return new Set(rows.map(({ id }) => id));
}

export async function countShownUsers(db: Reader): Promise<number> {
  let count = 0;
  for await (const some of listShownUsers(db, { after: 0, last: Number.MAX_SAFE_INTEGER })) count += some.length;
  return count;
}

/** Those with ids above `after`, up to `last`. */
export async function* listShownUsers(
  db: Reader,
  { after, last }: { after: number; last: number },
): AsyncGenerator<Shown[]> {
  // Who is shown next has only added something.
  for (const table of ["posts", "photos", "albums"]) noteMissing(table);
  const newest = await db.get<{ id: number | null }>(sql`SELECT max(id) AS id FROM users`);
  const end = Math.min(last, newest?.id ?? 0);
  for (let start = after; start < end; start += examinedAtOnce) {
    await nextTurn();
    yield await db.all<Shown>(sql`
      SELECT id, username FROM users
      WHERE id > ${start} AND id <= ${Math.min(start + examinedAtOnce, end)} AND ${isShown} ORDER BY id`);
  }
}
