import type { Reader } from "../../../platform/database/database.ts";
import { byID, type KeysetRequest, type Position } from "../../../platform/database/keyset.ts";
import { firstOf, inChunks, joinedBy, list, raw, sql, type Sql } from "../../../platform/database/sql.ts";
import { nextTurn } from "../../../platform/event-loop.ts";
import type { Plan } from "./filters.ts";

export type Scanned = Position & { isMatch: boolean };

/** Rows of one statement, if not all of them match. */
const [fewest, most] = [200, 1000];

/**
 * The rows of a plan after a position, in the order of the list, as long as the caller asks for more of them. `wanted` is
 * how many the caller expects to need. Other requests run between two statements.
 */
export async function* scan(
  db: Reader,
  plan: Plan,
  { sort, order, after }: Omit<KeysetRequest, "size">,
  wanted: number,
): AsyncGenerator<Scanned[]> {
  if (plan.among) {
    yield await readAmong(db, plan, plan.among, { sort, order, after });
    return;
  }
  let size = plan.matching ? Math.max(wanted, fewest) : wanted;
  for (let position = after; ;) {
    const rows = await readRows(db, plan, { sort, order, after: position, size });
    yield rows;
    if (rows.length < size) return;
    position = rows.at(-1) ?? position;
    size = Math.max(size, most);
    await nextTurn();
  }
}

/** Photos without a date come last in both directions. */
async function readRows(db: Reader, plan: Plan, request: KeysetRequest): Promise<Scanned[]> {
  const { sort, order, after, size } = request;
  const id = idOf(plan);
  const beyond = order === "asc" ? sql`>` : sql`<`;
  if (sort === byID) return readRanges(db, plan, request, after ? sql`${id} ${beyond} ${after.id}` : sql`1 = 1`);
  if (plan.isUndated || after?.key === null) {
    const undated = sql`taken_at IS NULL`;
    return readRanges(db, plan, request, after ? sql`${undated} AND ${id} ${beyond} ${after.id}` : undated);
  }
  const start = after ? sql`(taken_at, ${id}) ${beyond} (${after.key}, ${after.id})` : sql`taken_at IS NOT NULL`;
  const dated = await readRanges(db, plan, request, plan.dates ? sql`${plan.dates} AND ${start}` : start);
  if (plan.dates || dated.length === size) return dated;
  const rest = { ...request, size: size - dated.length };
  return [...dated, ...(await readRanges(db, plan, rest, sql`taken_at IS NULL`))];
}

/** `is_match` only if the plan has a condition on the rows. */
type Row = { id: number; sort_key: number | null; is_match?: number };

/** The first rows of all ranges together. */
async function readRanges(
  db: Reader,
  plan: Plan,
  { sort, order, size }: KeysetRequest,
  start: Sql,
): Promise<Scanned[]> {
  const id = idOf(plan);
  const direction = order === "asc" ? sql`ASC` : sql`DESC`;
  // Also where all dates are null: PostgreSQL then reads the index of dates.
  const orderBy = sort === byID ? sql`${id} ${direction}` : sql`taken_at ${direction}, ${id} ${direction}`;
  const found = await Promise.all(
    plan.ranges.map((range) => {
      const selected = sql`
        SELECT ${id} AS id, ${sort === byID ? id : sql`taken_at`} AS sort_key FROM ${raw(plan.table)}
        WHERE ${range} AND ${start} ORDER BY ${orderBy}`;
      const chosen = firstOf(selected, size);
      if (!plan.matching) return db.all<Row>(chosen);
      return db.all<Row>(sql`
        SELECT chosen.id, chosen.sort_key, CASE WHEN ${plan.matching} THEN 1 ELSE 0 END AS is_match
        FROM (${chosen}) AS chosen JOIN photos ON photos.id = chosen.id`);
    }),
  );
  const sign = order === "asc" ? 1 : -1;
  return found
    .flat()
    .toSorted((one, other) => sign * ((one.sort_key ?? 0) - (other.sort_key ?? 0) || one.id - other.id))
    .slice(0, size)
    .map(({ id, sort_key: key, is_match }) => ({ id, key, isMatch: plan.matching === null || is_match === 1 }));
}

/** All of few photos that match, in the order of the list. */
async function readAmong(
  db: Reader,
  { ranges, dates, isUndated, matching }: Plan,
  ids: number[],
  { sort, order, after }: Omit<KeysetRequest, "size">,
): Promise<Scanned[]> {
  const conditions = [...(dates ? [dates] : []), ...(isUndated ? [sql`taken_at IS NULL`] : []), matching ?? sql`1 = 1`];
  const isMatch = joinedBy(" AND ", conditions);
  const rows = await inChunks(ids, async (some) => {
    const found = await Promise.all(
      ranges.map((range) =>
        db.all<Row>(sql`
          SELECT id, ${sort === byID ? sql`id` : sql`taken_at`} AS sort_key FROM photos
          WHERE id IN (${list(some)}) AND ${range} AND ${isMatch}`),
      ),
    );
    return found.flat();
  });
  const sign = order === "asc" ? 1 : -1;
  // Photos without a date come last in both directions.
  const compare = (one: Position, other: Position) =>
    sort === byID
      ? sign * (one.id - other.id)
      : Number(one.key === null) - Number(other.key === null) ||
        sign * (Number(one.key) - Number(other.key) || one.id - other.id);
  return rows
    .map(({ id, sort_key: key }) => ({ id, key, isMatch: true }))
    .filter((row) => after === null || compare(row, after) > 0)
    .toSorted(compare);
}

const idOf = ({ table }: Plan): Sql => raw(table === "photos" ? "id" : "photo_id");
