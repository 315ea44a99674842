import { z } from "zod";
import { invalid } from "../../../platform/errors.ts";
import { sql, type Sql } from "../../../platform/database/sql.ts";
import { byID, type Sort } from "../../../platform/database/keyset.ts";
import type { Reader } from "../../../platform/database/database.ts";
import type { Viewer } from "../../../platform/http/route.ts";
import { line, queryInteger } from "../../../platform/http/validate.ts";
import { tagQuery } from "../../../core/records/tags.ts";
import { isLive } from "../../../core/trash/trash.ts";
import { isWanted, type OwnerQuery, ownerQuery } from "../../../core/users/owner.ts";
import { isVisibleTo, thisTable } from "../../../core/records/visibility.ts";
import { isPlacedIn, queryBox, type Scope, toBox } from "./box.ts";
import { cameraKey } from "./facts.ts";
import { listNames, noAlbumOf } from "./entries.ts";

const timeSchema = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);
export const queryTime = z.string().refine((value) => timeSchema.safeParse(value).success, {
  error: "must be a date such as 2026-06-01, or a time with its zone such as 2026-06-01T12:00:00Z",
});

const byCursor = "The list is then read by cursor.";

/** The filters of photos, which can be combined. */
export const photoQuery = z.object({
  ...ownerQuery.shape,
  visibility: z
    .enum(["all", "public", "private"])
    .optional()
    .meta({
      description: `Only public or only private photos; with \`all\`, both. Private photos of others are for admins. ${byCursor}`,
    }),
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
  dated: z
    .enum(["true", "false"])
    .optional()
    .meta({ description: `Only photos whose \`takenAt\` is known, or only those without one. ${byCursor}` }),
  camera: line(200)
    .optional()
    .meta({ description: `Only photos of this camera (\`exif.model\`). ${byCursor}`, example: "X-T5" }),
  albumID: queryInteger(Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({ description: `Only photos in this album. ${byCursor}`, example: 3 }),
  inAlbum: z
    .enum(["true", "false"])
    .optional()
    .meta({
      description: `Only photos in one of the owner's albums, or only those in none of them. Needs \`owner=me\`, except for admins. ${byCursor}`,
    }),
  untitled: z
    .enum(["true", "false"])
    .optional()
    .meta({
      description: `Only photos whose titles are names of files (\`isUntitled\`), or only those with other titles. Needs \`owner\`. ${byCursor}`,
    }),
  kind: z
    .enum(["image", "video"])
    .optional()
    .meta({ description: `Only images, or only videos. ${byCursor}` }),
  bbox: queryBox.optional().meta({
    description: `Only photos that were taken in this area: west, south, east and north in degrees. Where west is greater than east, the area crosses the date line. Finds places that everyone may see, or with \`owner=me\` all of your own. ${byCursor}`,
    example: "-9.5,38.6,-9,38.9",
  }),
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
  /** Only rows without a date, instead of `dates`. */
  isUndated: boolean;
  matching: Sql | null;
  /** The only photos that are examined, if they are few: the ranges are then conditions on them. */
  among: number[] | null;
};

/** `among` are the photos in the area that is asked for, if they are few. */
export function planFor(viewer: Viewer, query: PhotoQuery, sort: Sort, among: number[] | null): Plan {
  const wanted = isWanted(viewer, toOwnerQuery(query));
  checkInAlbum(viewer, query);
  if (query.untitled !== undefined && query.owner === undefined) {
    throw invalid(`"untitled" needs "owner".`, "untitled");
  }
  const lists = listsOf(viewer, query);
  // A list has the private photos of each owner in a range of its own.
  const leading = isForAdmins(query) || among ? undefined : lists[0];
  const rest = leading === undefined ? lists : lists.slice(1);
  const dates = datesOf(query);
  const isUndated = query.dated === "false";
  const isByDate = sort === byTakenAt;
  const matching = [
    ...rest.map(isIn),
    ...(query.favourite === "false" ? [sql`NOT ${isIn(listNames.favourites(viewer?.id ?? 0))}`] : []),
    ...(query.inAlbum === "true" ? [sql`NOT ${isWithoutAlbum}`] : []),
    ...(query.inAlbum === "false" && query.owner !== "me" ? [isWithoutAlbum] : []),
    ...(query.untitled === "false" ? [sql`photos.is_untitled = 0`] : []),
    ...(dates && !isByDate ? [dates] : []),
    ...(isUndated && !isByDate ? [sql`taken_at IS NULL`] : []),
    ...(leading && query.owner !== undefined ? wanted : []),
    ...(query.bbox !== undefined && !among ? [isPlacedIn(toBox(query.bbox), scopeOf(viewer, query))] : []),
  ];
  return {
    table: leading ? "photo_lists" : "photos",
    ranges: leading ? rangesOfList(viewer, query, leading) : rangesOfPhotos(query, wanted),
    dates: isByDate ? dates : null,
    isUndated: isByDate && isUndated,
    matching: matching.length === 0 ? null : matching.reduce((all, one) => sql`${all} AND ${one}`),
    among,
  };
}

/** Whose places an area is compared with. */
export const scopeOf = (viewer: Viewer, { owner }: PhotoQuery): Scope =>
  owner === "me" && viewer ? { ownerID: viewer.id } : "everyone";

/** The values of `is_private` that the photos have. */
export function flagsOf({ owner, visibility }: PhotoQuery): number[] {
  if (visibility === "private") return [1];
  return visibility === "all" || (visibility === undefined && owner === "me") ? [0, 1] : [0];
}

export function toOwnerQuery({ owner, visibility }: PhotoQuery): OwnerQuery {
  const isOwn = visibility === "private" && owner === "me";
  return { owner, visibility: visibility === "public" || isOwn ? undefined : visibility };
}

/** Whether private photos of others are asked for. */
const isForAdmins = (query: PhotoQuery): boolean => toOwnerQuery(query).visibility !== undefined;

/** Whether the filters leave out nothing but other owners. */
export const isOnlyOwner = ({ owner: _, visibility: __, ...others }: PhotoQuery): boolean =>
  Object.values(others).every((value) => value === undefined);

/** The lists in which a photo must be: first those that are usually short. */
function listsOf(viewer: Viewer, query: PhotoQuery): string[] {
  const { owner, favourite, albumID, inAlbum, untitled, tag, camera, kind } = query;
  const ownerID = owner === "me" ? (viewer?.id ?? 0) : Number(owner ?? 0);
  return [
    ...(favourite === "true" ? [listNames.favourites(viewer?.id ?? 0)] : []),
    ...(albumID === undefined ? [] : [listNames.album(albumID)]),
    ...(tag === undefined ? [] : [listNames.tag(tag)]),
    ...(camera === undefined ? [] : [listNames.camera(cameraKey(camera))]),
    ...(inAlbum === "false" && owner === "me" ? [listNames.noAlbum(viewer?.id ?? 0)] : []),
    ...(untitled === "true" ? [listNames.untitled(ownerID)] : []),
    ...(kind === undefined ? [] : [listNames.kind(kind)]),
  ];
}

/** The condition of rows of `photos` in this list. */
export const isIn = (name: string): Sql =>
  sql`EXISTS (SELECT 1 FROM photo_lists WHERE photo_lists.photo_id = photos.id AND photo_lists.list = ${name})`;

const isWithoutAlbum = sql`EXISTS (
  SELECT 1 FROM photo_lists WHERE photo_lists.photo_id = photos.id AND photo_lists.list = ${noAlbumOf(sql`photos.owner_id`)})`;

/** For others, it would tell which photos are in private albums. */
function checkInAlbum(viewer: Viewer, { inAlbum, owner }: PhotoQuery): void {
  if (inAlbum === undefined || owner === "me" || viewer?.role === "admin") return;
  throw invalid(`"inAlbum" needs "owner=me".`, "inAlbum");
}

/** An album that the viewer may not see has no photos for them. */
export async function isAlbumVisible(db: Reader, viewer: Viewer, id: number): Promise<boolean> {
  const isSeen = sql`${isLive} AND ${isVisibleTo(viewer, thisTable)}`;
  return (await db.get(sql`SELECT id FROM albums WHERE id = ${id} AND ${isSeen}`)) !== null;
}

/** The public photos of a list, and the viewer's private ones with `owner=me`. */
function rangesOfList(viewer: Viewer, query: PhotoQuery, name: string): Sql[] {
  return flagsOf(query).map((flag) => sql`list = ${name} AND seen_by = ${flag === 0 ? 0 : (viewer?.id ?? 0)}`);
}

function rangesOfPhotos(query: PhotoQuery, wanted: Sql[]): Sql[] {
  const where = [isLive, ...wanted].reduce((all, one) => sql`${all} AND ${one}`);
  const isWhole = query.owner === "me" || isForAdmins(query);
  return isWhole ? flagsOf(query).map((flag) => sql`${where} AND is_private = ${flag}`) : [where];
}

function datesOf(query: PhotoQuery): Sql | null {
  const [from, to] = [query.from, query.to].map((time) => (time === undefined ? null : Date.parse(time)));
  if (from != null && to != null && from >= to) throw invalid(`"from" must be before "to".`, "from");
  if (query.dated === "false" && (from != null || to != null))
    throw invalid(`"dated=false" cannot be combined with "from" or "to".`, "dated");
  const anyTime = query.dated === "true" ? sql`taken_at IS NOT NULL` : null;
  if (from == null) return to == null ? anyTime : sql`taken_at < ${to}`;
  return to == null ? sql`taken_at >= ${from}` : sql`taken_at >= ${from} AND taken_at < ${to}`;
}
