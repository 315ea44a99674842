import { z } from "zod";
import { raw, sql, type Sql, unindexed } from "../../platform/database/sql.ts";
import { type Grant, isGuest, type Limit, type Reach, type Viewer } from "../../platform/http/route.ts";

export const visibilitySchema = z.enum(["public", "private"]).meta({
  description: "Whether everyone can see the record, or only its owner and admins.",
  example: "public",
});

export type Visibility = z.output<typeof visibilitySchema>;

/** The column `is_private` of a record. */
export const toFlag = (visibility: Visibility): 0 | 1 => (visibility === "private" ? 1 : 0);
export const toVisibility = (isPrivate: number): Visibility => (isPrivate === 0 ? "public" : "private");

/** SQL for the `is_private` of new records for which none was chosen: 1 or 0. */
const defaultIsPrivate = sql`(
  SELECT count(*) FROM site_settings WHERE name = 'defaultVisibility' AND value = '"private"')`;

/** The flag of a new record. Without a choice it is the site's default. */
export const flagFor = (visibility: Visibility | undefined): Sql =>
  visibility === undefined ? defaultIsPrivate : sql`${toFlag(visibility)}`;

/** For work that the server does itself, after it was checked that the caller may ask for it. */
export const seesEverything: NonNullable<Viewer> = { id: 0, role: "admin" };

/** The condition of rows that everyone may see. */
export const isPublic = sql`is_private = 0`;
export const isPrivate = sql`is_private = 1`;

/**
 * What stands before the names of the columns `id`, `is_private` and `owner_id` in a statement: `photos.`, or nothing. With a
 * prefix, the rows are found by other columns, and no database looks for them by the condition. Without one, it may use an
 * index.
 */
export type Prefix = typeof thisTable | `${string}.` | `${string}_`;
export const thisTable = "";

/**
 * The condition of rows that the viewer may see: for everyone but their owner and admins, private records do not exist. Lists of
 * photos have the same rule as a number, `seen_by` (`content/albums/seen-by.ts`, `content/photos/lists/entries.ts`).
 */
export function isVisibleTo(viewer: Viewer, prefix: Prefix): Sql {
  return viewer?.limit ? nothing : conditionFor(viewer, columnsOf(prefix), undefined);
}

/**
 * The same, and the records of this kind that the viewer's grant reaches. For a viewer with a limit, only those of what they may
 * see that the limit reaches.
 */
export function isVisibleOrGrantedTo(viewer: Viewer, prefix: Prefix, kind: string): Sql {
  const columns = columnsOf(prefix);
  if (!viewer?.limit) return conditionFor(viewer, columns, viewer?.grant?.reach[kind]);
  const reach = viewer.limit.reach[kind];
  return reach
    ? sql`(${conditionFor(withoutLimit(viewer), columns, undefined)} AND ${reach.includes(columns.id)})`
    : nothing;
}

const nothing = sql`1 = 0`;

/** For what is checked against the limit of a viewer elsewhere, or has been. */
export function withoutLimit<Limited extends { limit?: Limit }>({ limit: _, ...viewer }: Limited) {
  return viewer;
}

function conditionFor(viewer: Viewer, { id, ownerID, isForEveryone }: Columns, reach: Reach | undefined): Sql {
  if (viewer?.role === "admin") return sql`1 = 1`;
  if (!viewer) return isForEveryone;
  const isOwn = !isGuest(viewer) ? sql`OR ${ownerID} = ${viewer.id}` : sql``;
  const isReached =
    viewer.grant && reach ? sql`OR (${ownerID} = ${viewer.grant.ownerID} AND ${reach.includes(id)})` : sql``;
  return sql`(${isForEveryone} ${isOwn} ${isReached})`;
}

type Columns = { id: Sql; ownerID: Sql; isForEveryone: Sql };
const known = new Map<Prefix, Columns>();

/** The same pieces for the same prefix, because drivers recognize a prepared statement by its text. */
function columnsOf(prefix: Prefix): Columns {
  let columns = known.get(prefix);
  if (!columns) {
    const column = (name: string) => (prefix === thisTable ? raw(name) : unindexed(prefix + name));
    const isForEveryone = sql`${column("is_private")} = 0`;
    known.set(prefix, (columns = { id: raw(`${prefix}id`), ownerID: column("owner_id"), isForEveryone }));
  }
  return columns;
}

/** Records with these ids, which are few. */
export const reachOf = (ids: Sql): Reach => ({ ids, includes: (id) => sql`${id} IN (${ids})` });

/** What the owner of a grant sees, without being an admin. */
export const granterOf = ({ ownerID }: Grant): NonNullable<Viewer> => ({ id: ownerID, role: "reader" });

/** The viewer without a grant that allows no downloads. */
export function asDownloader(viewer: Viewer): Viewer {
  return viewer?.grant?.allowDownload === false ? withoutGrant(viewer) : viewer;
}

function withoutGrant({ grant: _, ...viewer }: NonNullable<Viewer>): Viewer {
  return isGuest(viewer) ? null : viewer;
}
