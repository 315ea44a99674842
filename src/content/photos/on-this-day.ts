import { z } from "zod";
import type { Reader } from "../../platform/database/database.ts";
import { sql, type Sql } from "../../platform/database/sql.ts";
import { type Caller, type Route, route } from "../../platform/http/route.ts";
import { isLive } from "../../core/trash/trash.ts";
import { photoSchema } from "./photo.ts";
import { findPhotos } from "./store.ts";

const maxYears = 20;
const photosOfYear = 8;
const maxCounted = 1000;
/** So many days are looked at, and so many months for them: only every fourth February has a leap day. */
const [maxDays, maxMonths] = [40, 160];

const memorySchema = z
  .object({
    year: z.int().meta({ example: 2021 }),
    count: z.int().meta({ description: `At most ${maxCounted} are counted.`, example: 12 }),
    photos: z
      .array(photoSchema)
      .meta({ description: `The first photos of the day, at most ${photosOfYear}.`, example: [] }),
  })
  .meta({ id: "PhotoMemory", description: "Your photos of one day." });

type Memory = z.output<typeof memorySchema>;

const day = z.iso
  .date({ error: "must be a date such as 2026-06-12" })
  .refine((value) => Number(value.slice(0, 4)) >= 1000, { error: "must be after the year 999" })
  .optional()
  .meta({
    description: "The day whose earlier years are read, such as today where you are. Without it, today in UTC.",
    example: "2026-06-12",
  });

export const onThisDayRoute = (db: Reader): Route =>
  route({
    method: "GET",
    path: "/api/v1/photos/on-this-day",
    name: "readOnThisDay",
    tag: "Photos",
    summary: "List your photos of this day in earlier years",
    details: `The newest year first, at most ${maxYears} years that have photos. The days are those of \`takenAt\`, as in the timeline. Photos of 29 February belong to 28 February in years without this day.`,
    role: "reader",
    query: z.object({ day }),
    response: z.array(memorySchema),
    handle: ({ query, caller }) => readOnThisDay(db, caller, query.day ?? new Date().toISOString().slice(0, 10)),
  });

async function readOnThisDay(db: Reader, caller: Caller, day: string): Promise<Memory[]> {
  const days = await findDays(db, caller, day);
  const read = await Promise.all(days.map(async (one) => ({ ...one, ids: await findFirst(db, caller, one) })));
  const shown = read.filter(({ ids }) => ids.length > 0).slice(0, maxYears);
  const [photos, counts] = await Promise.all([
    findPhotos(
      db,
      caller,
      shown.flatMap(({ ids }) => ids),
    ),
    Promise.all(shown.map((one) => countPhotos(db, caller, one))),
  ]);
  return shown.map(({ year, ids }, index) => ({
    year,
    count: counts[index] as number,
    photos: ids.flatMap((id) => photos.get(id) ?? []),
  }));
}

/** `end` is the first millisecond that is not part of it. */
type Day = { year: number; start: number; end: number };

/** The same day in those earlier years in whose month the caller has taken photos. */
async function findDays(db: Reader, { id }: Caller, day: string): Promise<Day[]> {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const rows = await db.all<{ month: string }>(sql`
    SELECT month FROM photo_months
    WHERE owner_id = ${id} AND is_private IN (0, 1) AND month < ${day.slice(0, 4)} AND substr(month, 6) = ${day.slice(5, 7)}
    GROUP BY month HAVING sum(photos) <> 0 ORDER BY month DESC LIMIT ${maxMonths}`);
  const isLeapDay = month === 2 && date === 29;
  const takesLeapDay = month === 2 && date === 28 && !isLeapYear(year);
  return rows
    .map((row) => Number(row.month.slice(0, 4)))
    .filter((earlier) => !isLeapDay || isLeapYear(earlier))
    .slice(0, maxDays)
    .map((earlier) => ({
      year: earlier,
      start: Date.UTC(earlier, month - 1, date),
      end: takesLeapDay ? Date.UTC(earlier, 2) : Date.UTC(earlier, month - 1, date + 1),
    }));
}

const isLeapYear = (year: number) => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;

/** In the order in which they were taken. */
async function findFirst(db: Reader, caller: Caller, day: Day): Promise<number[]> {
  const first = (flag: Sql) => sql`
    SELECT * FROM (
      SELECT id, taken_at FROM photos WHERE ${isOfDay(caller, flag, day)} ORDER BY taken_at, id LIMIT ${photosOfYear}) AS first`;
  const rows = await db.all<{ id: number; taken_at: number }>(sql`${first(sql`0`)} UNION ALL ${first(sql`1`)}`);
  return rows
    .toSorted((one, other) => one.taken_at - other.taken_at || one.id - other.id)
    .slice(0, photosOfYear)
    .map(({ id }) => id);
}

async function countPhotos(db: Reader, caller: Caller, day: Day & { ids: number[] }): Promise<number> {
  if (day.ids.length < photosOfYear) return day.ids.length;
  const row = await db.get<{ count: number }>(sql`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM photos WHERE ${isOfDay(caller, sql`0`, day)}
      UNION ALL SELECT 1 FROM photos WHERE ${isOfDay(caller, sql`1`, day)} LIMIT ${maxCounted}) AS counted`);
  return row?.count ?? 0;
}

/** A range of an index of photos. */
const isOfDay = ({ id }: Caller, flag: Sql, { start, end }: Day): Sql =>
  sql`owner_id = ${id} AND is_private = ${flag} AND taken_at >= ${start} AND taken_at < ${end} AND ${isLive}`;
