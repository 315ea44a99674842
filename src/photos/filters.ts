import { z } from "zod";
import { invalid } from "../errors.ts";
import { sql, type Sql } from "../platform/database/sql.ts";
import { byID, type Sort } from "../platform/database/keyset.ts";
import type { Reader } from "../platform/database/database.ts";
import type { Viewer } from "../platform/http/route.ts";
import { line, queryInteger } from "../platform/http/validate.ts";
import { tagQuery } from "../tags.ts";
import { isLive } from "../trash/trash.ts";
import { isWanted, ownerQuery } from "../users/owner.ts";
import { isVisibleTo } from "../visibility.ts";
import { cameraKey } from "./facts.ts";
import { listNames } from "./lists.ts";

const timeSchema = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);
const queryTime = z.string().refine((value) => timeSchema.safeParse(value).success, {
  error: "must be a date such as 2026-06-01, or a time with its zone such as 2026-06-01T12:00:00Z",
});

const byCursor = "The list is then read by cursor.";

/** The filters of photos, which can be combined. */
export const photoQuery = z.object({
  ...ownerQuery.shape,
  ...tagQuery.shape,
  favourite: z
    .enum(["true", "false"])
    .optional()
    .meta({ description: `Only your favourites, or only other photos. ${byCursor}` }),
  from: queryTime.optional().meta({
    description: `Only photos taken at this time or later: a date, or a time with its zone. ${byCursor}`,
    example: "2026-06-01",
  }),
  to: queryTime.optional().meta({
    description: `Only photos taken before this time. ${byCursor}`,
    example: "2026-07-01",
  }),
  camera: line(200)
    .optional()
    .meta({ description: `Only photos of this camera (\`exif.model\`). ${byCursor}`, example: "X-T5" }),
  albumID: queryInteger(Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({ description: `Only photos in this album. ${byCursor}`, example: 3 }),
  kind: z
    .enum(["image", "video"])
    .optional()
    .meta({ description: `Only images, or only videos. ${byCursor}` }),
});

export type PhotoQuery = z.output<typeof photoQuery>;

export const byTakenAt: Sort = { column: "taken_at", type: "integer", isNullable: true };
export const photoSorts = { createdAt: byID, takenAt: byTakenAt };

/**
 * How a filtered list is read: rows of one or two ranges of an index, in the order of the list, and a condition on `photos`
 * that not all of these rows meet. The viewer may see every row of the ranges, so how many there are tells nothing.
 */
export type Plan = {
  table: "photos" | "photo_lists";
  ranges: Sql[];
  /** On the column `taken_at` of the table; null for every date, and for none. */
  dates: Sql | null;
  matching: Sql | null;
};

export function planFor(viewer: Viewer, query: PhotoQuery, sort: Sort): Plan {
  const wanted = isWanted(viewer, query);
  const lists = listsOf(viewer, query);
  // A list has the private photos of each owner in a range of its own.
  const leading = query.visibility === "all" ? undefined : lists[0];
  const rest = leading === undefined ? lists : lists.slice(1);
  const dates = datesOf(query);
  const isByDate = sort === byTakenAt;
  const matching = [
    ...rest.map(isIn),
    ...(query.favourite === "false" ? [sql`NOT ${isIn(listNames.favourites(viewer?.id ?? 0))}`] : []),
    ...(dates && !isByDate ? [dates] : []),
    ...(leading && query.owner !== undefined ? wanted : []),
  ];
  return {
    table: leading ? "photo_lists" : "photos",
    ranges: leading ? rangesOfList(viewer, query, leading) : rangesOfPhotos(viewer, query, wanted),
    dates: isByDate ? dates : null,
    matching: matching.length === 0 ? null : matching.reduce((all, one) => sql`${all} AND ${one}`),
  };
}

/** Whether the filters leave out nothing but other owners. */
export const isOnlyOwner = ({ owner: _, visibility: __, ...others }: PhotoQuery): boolean =>
  Object.values(others).every((value) => value === undefined);

/** The lists in which a photo must be: first those that are usually short. */
function listsOf(viewer: Viewer, { favourite, albumID, tag, camera, kind }: PhotoQuery): string[] {
  return [
    ...(favourite === "true" ? [listNames.favourites(viewer?.id ?? 0)] : []),
    ...(albumID === undefined ? [] : [listNames.album(albumID)]),
    ...(tag === undefined ? [] : [listNames.tag(tag)]),
    ...(camera === undefined ? [] : [listNames.camera(cameraKey(camera))]),
    ...(kind === undefined ? [] : [listNames.kind(kind)]),
  ];
}

const isIn = (name: string): Sql =>
  sql`EXISTS (SELECT 1 FROM photo_lists WHERE photo_lists.photo_id = photos.id AND photo_lists.list = ${name})`;

/** An album that the viewer may not see has no photos for them. */
export async function isAlbumVisible(db: Reader, viewer: Viewer, id: number): Promise<boolean> {
  return (await db.get(sql`SELECT id FROM albums WHERE id = ${id} AND ${isLive} AND ${isVisibleTo(viewer)}`)) !== null;
}

/** The public photos of a list, and the viewer's private ones with `owner=me`. */
function rangesOfList(viewer: Viewer, { owner }: PhotoQuery, name: string): Sql[] {
  const seenBy = owner === "me" && viewer ? [0, viewer.id] : [0];
  return seenBy.map((id) => sql`list = ${name} AND seen_by = ${id}`);
}

function rangesOfPhotos(viewer: Viewer, { owner, visibility }: PhotoQuery, wanted: Sql[]): Sql[] {
  const where = [isLive, ...wanted].reduce((all, one) => sql`${all} AND ${one}`);
  const isWhole = visibility === "all" || (owner === "me" && viewer !== null);
  return isWhole ? [0, 1].map((flag) => sql`${where} AND is_private = ${flag}`) : [where];
}

function datesOf(query: PhotoQuery): Sql | null {
  const [from, to] = [query.from, query.to].map((time) => (time === undefined ? null : Date.parse(time)));
  if (from != null && to != null && from >= to) throw invalid(`"from" must be before "to".`, "from");
  if (from == null) return to == null ? null : sql`taken_at < ${to}`;
  return to == null ? sql`taken_at >= ${from}` : sql`taken_at >= ${from} AND taken_at < ${to}`;
}
