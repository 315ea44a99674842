import { z } from "zod";
import { raw, sql, type Sql } from "./platform/database/sql.ts";
import { type Grant, isGuest, type Viewer } from "./platform/http/route.ts";
import { defaultIsPrivate } from "./settings/store.ts";

export const visibilitySchema = z.enum(["public", "private"]).meta({
  description: "Whether everyone can see the record, or only its owner and admins.",
  example: "public",
});

export type Visibility = z.output<typeof visibilitySchema>;

/** The column `is_private` of a record. */
export const toFlag = (visibility: Visibility): 0 | 1 => (visibility === "private" ? 1 : 0);
export const toVisibility = (isPrivate: number): Visibility => (isPrivate === 0 ? "public" : "private");

/** The flag of a new record. Without a choice it is the site's default. */
export const flagFor = (visibility: Visibility | undefined): Sql =>
  visibility === undefined ? defaultIsPrivate : sql`${toFlag(visibility)}`;

/** For work that the server does itself, after it was checked that the caller may ask for it. */
export const seesEverything: NonNullable<Viewer> = { id: 0, role: "admin" };

/**
 * The condition of rows that the viewer may see: for everyone but their owner and admins, private records do not exist.
 * For rows that are found by other columns, `columns` is what stands before the names of the columns `id`, `is_private`
 * and `owner_id`, such as `photos.`. The condition is then written so that no database looks for rows by it.
 * With `kind`, the viewer also sees the records of this kind that a grant reaches.
 */
export function isVisibleTo(viewer: Viewer, columns = "", kind?: string): Sql {
  if (viewer?.role === "admin") return sql`1 = 1`;
  const isPublic = raw(`${columns}is_private${columns === "" ? "" : " + 0"} = 0`);
  if (!viewer) return isPublic;
  const ownerID = raw(`${columns}owner_id${columns === "" ? "" : " + 0"}`);
  const isOwn = !isGuest(viewer) ? sql`OR ${ownerID} = ${viewer.id}` : sql``;
  const reached = kind === undefined ? undefined : viewer.grant?.reach[kind];
  const isReached =
    viewer.grant && reached
      ? sql`OR (${ownerID} = ${viewer.grant.ownerID} AND ${raw(`${columns}id`)} IN (${reached}))`
      : sql``;
  return sql`(${isPublic} ${isOwn} ${isReached})`;
}

/** What the owner of a grant sees, without being an admin. */
export const granterOf = ({ ownerID }: Grant): NonNullable<Viewer> => ({ id: ownerID, role: "reader" });

/** The viewer without a grant that allows no downloads. */
export function asDownloader(viewer: Viewer): Viewer {
  return viewer?.grant?.allowDownload === false ? withoutGrant(viewer) : viewer;
}

function withoutGrant({ grant: _, ...viewer }: NonNullable<Viewer>): Viewer {
  return isGuest(viewer) ? null : viewer;
}
