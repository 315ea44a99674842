import type { Reader } from "../../platform/database/database.ts";
import { list, sql } from "../../platform/database/sql.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { isVisibleTo, thisTable } from "../../core/records/visibility.ts";
import { isListed, isLive } from "../../core/trash/trash.ts";
import { type PostLink, postLinkColumns, type PostLinkRow, toPostLink } from "./rows.ts";
import { isPage } from "./store.ts";

/** Those of the pages that everyone may see. Most menus have none: it costs a statement only where there is one. */
export async function findMenuPages(db: Reader, ids: number[]): Promise<Map<number, PostLink>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all<PostLinkRow>(
    sql`SELECT ${postLinkColumns} FROM posts WHERE id IN (${list(ids)}) AND ${isListed} AND ${isPage}`,
  );
  return new Map(rows.map((row) => [row.id, toPostLink(row)]));
}

/** Those of the posts and pages that the viewer may see. */
export async function findPostLinksSeenBy(db: Reader, viewer: Viewer, ids: number[]): Promise<Map<number, PostLink>> {
  const rows = await db.all<PostLinkRow>(sql`
    SELECT ${postLinkColumns} FROM posts WHERE id IN (${list(ids)}) AND ${isLive} AND ${isVisibleTo(viewer, thisTable)}`);
  return new Map(rows.map((row) => [row.id, toPostLink(row)]));
}

/** How many pages everyone may see. */
export async function countPages(db: Reader): Promise<number> {
  const row = await db.get<{ pages: number }>(sql`SELECT count(*) AS pages FROM posts WHERE ${isListed} AND ${isPage}`);
  return row?.pages ?? 0;
}

/** Those of these posts, in the trash or not, that are pages. */
export async function findPages(db: Reader, ids: number[]): Promise<Set<number>> {
  const rows = await db.all<{ id: number }>(sql`SELECT id FROM posts WHERE id IN (${list(ids)}) AND ${isPage}`);
  return new Set(rows.map(({ id }) => id));
}
