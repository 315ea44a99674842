import { nextTurn } from "../event-loop.ts";
import type { Reader } from "./database.ts";
import { raw, sql, type Sql } from "./sql.ts";

/** A search for rows reads at most this many rows. */
const readAtOnce = 20_000;

export type Rows = { table: string; where: Sql; atOnce: number };

/** The ids of the rows, some at a time. The condition must not be one by which a database looks for rows. */
export async function* listIDs(db: Reader, { table, where, atOnce }: Rows): AsyncGenerator<number[]> {
  const newest = await db.get<{ id: number | null }>(sql`SELECT max(id) AS id FROM ${raw(table)}`);
  for (let after = 0; after < (newest?.id ?? 0);) {
    const rows = await db.all<{ id: number }>(sql`
      SELECT id FROM ${raw(table)} WHERE id > ${after} AND id <= ${after + readAtOnce} AND ${where}
      ORDER BY id LIMIT ${atOnce}`);
    if (rows.length > 0) yield rows.map(({ id }) => id);
    after = rows.length === atOnce ? (rows.at(-1)?.id ?? after) : after + readAtOnce;
    await nextTurn();
  }
}
