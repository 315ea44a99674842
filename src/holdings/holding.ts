import type { Reader } from "../platform/database/database.ts";
import { raw, sql, type Sql } from "../platform/database/sql.ts";
import { nextTurn } from "../platform/event-loop.ts";

/** What the bytes are, besides the fields for kinds of records. */
type Part =
  "images" | "videos" | "otherFiles" | "directories" | "trash" | "versions" | "posters" | "texts" | "unfinishedUploads";

/** A part of what an owner stores, for the storage report. Several can be added up. */
export type Holding = {
  ownerID: number;
  part: Part;
  count: number;
  bytes: number;
  /** For files that are not in the trash: when they were uploaded, in UTC, such as `2026-06`. */
  month?: string;
};

/** Few enough for a statement of a few milliseconds. */
const rowsAtOnce = 2000;

/** The holdings of one part from the rows of a table, which has the columns `id` and `owner_id`. */
export async function* readHoldings(
  db: Reader,
  part: Part,
  { table, bytes, where = "1 = 1" }: { table: string; bytes: string; where?: string },
): AsyncGenerator<Holding[]> {
  const read = (some: Sql) =>
    db.all<Omit<Holding, "part" | "month">>(sql`
      SELECT owner_id AS "ownerID", count(*) AS count, CAST(sum(${raw(bytes)}) AS BIGINT) AS bytes FROM ${raw(table)}
      WHERE ${raw(where)} AND ${some} GROUP BY 1`);
  for await (const rows of readByID(db, table, read)) {
    yield rows.map((row) => ({ ...row, part }));
  }
}

/** What `read` returns for some rows of a table at a time: `some` is a condition on `id`. Other requests run in between. */
export async function* readByID<Row>(
  db: Reader,
  table: string,
  read: (some: Sql) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  const newest = await db.get<{ id: number | null }>(sql`SELECT max(id) AS id FROM ${raw(table)}`);
  for (let last = 0; last < (newest?.id ?? 0); last += rowsAtOnce) {
    await nextTurn();
    yield await read(sql`id BETWEEN ${last + 1} AND ${last + rowsAtOnce}`);
  }
}
