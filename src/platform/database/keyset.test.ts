// Runs on the embedded engines only: it opens each engine itself.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { makeDatabase } from "../../../tests/kit/engine.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";
import type { Database } from "./database.ts";
import {
  byID,
  type KeysetList,
  type KeysetPage,
  type KeysetRequest,
  listByKey,
  type Order,
  type Position,
  type Sort,
} from "./keyset.ts";
import { openPostgres } from "./postgres.ts";
import { joined, sql } from "./sql.ts";
import { openSqlite } from "./sqlite.ts";

const scratch = useScratch();

const engines: Record<string, () => Promise<Database>> = {
  sqlite: () => openSqlite(join(scratch, `${crypto.randomUUID()}.db`)),
};
if (process.env.TEST_DATABASE_URL) engines.postgres = async () => openPostgres(await makeDatabase());

const byContentTime: Sort = { column: "content_at", type: "integer", isNullable: true };
type Row = { id: number; content_at: number | null };

describe.each(Object.entries(engines))("lists by key on %s", (_name, open) => {
  test.each<Order>(["asc", "desc"])(
    "are sorted by a column, then by id, and rows without a value come last (%s)",
    async (order) => {
      const db = await open();
      const values = Array.from({ length: 60 }, (_, index) => (index % 4 === 0 ? null : (index * 7) % 11));
      await fill(db, values);
      const rows = await db.all<Row>(sql`SELECT id, content_at FROM files`);
      const sign = order === "asc" ? 1 : -1;
      const expected = rows.toSorted((a, b) => {
        if (a.content_at === null || b.content_at === null)
          return Number(a.content_at === null) - Number(b.content_at === null) || sign * (a.id - b.id);
        return sign * (a.content_at - b.content_at || a.id - b.id);
      });
      for (const size of [1, 4, 45, 60, 100]) {
        const seen: number[] = [];
        let after: Position | null = null;
        do {
          const page: KeysetPage<Row> = await listByKey<Row>(
            db,
            { sort: byContentTime, order, after, size },
            files(db),
          );
          seen.push(...(await Array.fromAsync(page.items)).flat().map(({ id }) => id));
          after = page.next;
        } while (after);
        expect(seen).toEqual(expected.map(({ id }) => id));
      }
      await db.close();
    },
  );

  test("records that were deleted after their keys were read are left out, and large ones are read by themselves", async () => {
    const db = await open();
    await fill(db, [1, 2, 3, 4, 5, 6]);
    const asked: number[][] = [];
    const list = files(db, asked);
    const request: KeysetRequest = { sort: byID, order: "asc", after: null, size: 5 };
    const page = await listByKey<Row>(db, request, { ...list, bytes: sql`content_at * 100000` });
    await db.transaction((tx) => tx.run(sql`DELETE FROM files WHERE content_at = 4`));
    const seen = (await Array.fromAsync(page.items)).flat().map(({ content_at: time }) => time);
    expect(seen).toEqual([1, 2, 3, 5]);
    expect(asked.map(({ length }) => length)).toEqual([3, 2]);
    await db.close();
  });
});

const files = (db: Database, asked: number[][] = []): KeysetList<Row> => ({
  table: "files",
  where: [sql`parent_id = 0`],
  atOnce: 7,
  async find(ids: number[]) {
    asked.push(ids);
    const rows = await db.all<Row>(sql`SELECT id, content_at FROM files`);
    return new Map(rows.filter(({ id }) => ids.includes(id)).map((row) => [row.id, row]));
  },
});

async function fill(db: Database, times: (number | null)[]): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(sql`
      INSERT INTO users (username, username_key, username_skeleton, password_hash, role, created_at, updated_at)
      VALUES ('a', 'a', 'a', 'x', 'author', 1, 1)`);
    const rows = times.map((time, index) => sql`(0, 1, 1, 1, ${`${index}`}, ${`${index}`}, ${`${index}`}, ${time})`);
    await tx.run(sql`
      INSERT INTO files (parent_id, owner_id, created_at, updated_at, name, name_key, order_key, content_at)
      VALUES ${joined(rows)}`);
  });
}
