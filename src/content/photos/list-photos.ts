import { invalid } from "../../platform/errors.ts";
import type { Reader } from "../../platform/database/database.ts";
import {
  type KeysetPage,
  type KeysetRequest,
  type Position,
  readRecords,
  takeUntilFull,
} from "../../platform/database/keyset.ts";
import { ordinaryPage } from "../../platform/database/slices.ts";
import { inChunks, joined, list, sql, type Sql } from "../../platform/database/sql.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { isWanted } from "../../core/users/owner.ts";
import { findInBox, toBox } from "./lists/box.ts";
import {
  byTakenAt,
  flagsOf,
  isAlbumVisible,
  isOnlyOwner,
  type PhotoQuery,
  type Plan,
  planFor,
  scopeOf,
  toOwnerQuery,
} from "./lists/filters.ts";
import { everyOwner, type Month, monthOf, readMonths } from "./lists/months.ts";
import type { Photo } from "./photo.ts";
import { type Scanned, scan } from "./lists/scan.ts";
import { findPhotos, photosAtOnce } from "./store.ts";

/** A request examines about this many photos. If few of them match, its page ends early, and there is a next one. */
const maxExamined = 10_000;
const maxCounted = 100_000;

export async function listPhotosByKey(
  db: Reader,
  viewer: Viewer,
  query: PhotoQuery,
  request: KeysetRequest,
): Promise<KeysetPage<Photo>> {
  const plan = await prepare(db, viewer, query, request);
  const found: Scanned[] = [];
  const rest = await examine(plan ? scan(db, plan, request, request.size + 1) : [], maxExamined, (rows) => {
    found.push(...rows.filter(({ isMatch }) => isMatch));
    return found.length > request.size;
  });
  const page = takeUntilFull(await measure(db, found.slice(0, request.size)));
  const find = (ids: number[]) => findPhotos(db, viewer, ids);
  const items = readRecords(page, { atOnce: request.atOnce ?? photosAtOnce, find });
  return { items, next: found.length > page.length ? (page.at(-1) ?? null) : rest };
}

/** With the bytes of their descriptions: those of an ordinary page are never too many. */
async function measure(db: Reader, rows: Scanned[]) {
  const measured =
    rows.length <= ordinaryPage
      ? []
      : await inChunks(rows, (some) =>
          db.all<{ id: number; bytes: number }>(sql`
            SELECT id, octet_length(description) AS bytes FROM photos
            WHERE id IN (${list(some.map(({ id }) => id))})`),
        );
  const bytes = new Map(measured.map((row) => [row.id, row.bytes]));
  return rows.map((row) => ({ ...row, bytes: bytes.get(row.id) ?? 0 }));
}

/** The months in which photos were taken, newest first. Counts of all photos, and of one owner's, are stored. */
export async function readTimeline(db: Reader, viewer: Viewer, query: PhotoQuery): Promise<Month[]> {
  if (isOnlyOwner(query)) return readMonths(db, storedCountsFor(viewer, query));
  const { items, next } = await countByMonth(db, viewer, query, null);
  if (!next) return items;
  throw invalid(`More than ${maxCounted} photos match: choose a time with "from" and "to", or read it by cursor.`);
}

/** The same by cursor. The last month of a page may go on in the next one. */
export async function readTimelineByKey(db: Reader, viewer: Viewer, query: PhotoQuery, after: Position | null) {
  if (isOnlyOwner(query)) return { items: await readTimeline(db, viewer, query), next: null };
  return countByMonth(db, viewer, query, after);
}

async function countByMonth(db: Reader, viewer: Viewer, query: PhotoQuery, after: Position | null) {
  const request = { sort: byTakenAt, order: "desc", after } as const;
  const plan = await prepare(db, viewer, query, request);
  const counts = new Map<string, number>();
  const dated = plan && !plan.isUndated ? { ...plan, dates: plan.dates ?? sql`taken_at IS NOT NULL` } : null;
  const next = await examine(dated ? scan(db, dated, request, rowsAtOnce) : [], maxCounted, (rows) => {
    for (const { key, isMatch } of rows) {
      const month = monthOf(key as number);
      if (isMatch) counts.set(month, 1 + (counts.get(month) ?? 0));
    }
    return false;
  });
  return { items: [...counts].map(([month, count]): Month => ({ month, count })), next };
}

const rowsAtOnce = 1000;

/** Null if the filters find nothing. */
async function prepare(
  db: Reader,
  viewer: Viewer,
  query: PhotoQuery,
  { sort }: Pick<KeysetRequest, "sort">,
): Promise<Plan | null> {
  const { albumID, bbox } = query;
  const among = bbox === undefined ? null : await findInBox(db, toBox(bbox), scopeOf(viewer, query));
  const plan = planFor(viewer, query, sort, among);
  return albumID === undefined || (await isAlbumVisible(db, viewer, albumID)) ? plan : null;
}

/** Passes rows on until `take` has enough. Returns the position of the last row if there may be more after it. */
async function examine(
  slices: AsyncIterable<Scanned[]> | [],
  most: number,
  take: (rows: Scanned[]) => boolean,
): Promise<Position | null> {
  let examined = 0;
  for await (const rows of slices) {
    examined += rows.length;
    if (take(rows) || examined >= most) {
      const last = rows.at(-1);
      return last ? { id: last.id, key: last.key } : null;
    }
  }
  return null;
}

function storedCountsFor(viewer: Viewer, query: PhotoQuery): Sql {
  isWanted(viewer, toOwnerQuery(query));
  const ownerID = query.owner === "me" ? viewer?.id : Number(query.owner ?? everyOwner);
  const flags = flagsOf(query).map((flag) => sql`${flag}`);
  return sql`owner_id = ${ownerID ?? everyOwner} AND is_private IN (${joined(flags)})`;
}
