import { beforeAll, expect, test } from "bun:test";
import { visitPages } from "../../../tests/kit/cursors.ts";
import { metricsToken, measureDatabaseCost } from "../../../tests/kit/database-cost.ts";
import { uncached } from "../../../tests/kit/client.ts";
import { withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { type Sql, sql } from "../../platform/database/sql.ts";

const photos = "/api/v1/photos";
const count = 25_000;

const server = useServer({ METRICS_TOKEN: metricsToken });
const { guest } = server;
const owner = server.person("owner");
beforeAll(async () => {
  await withDatabase(server, async (db) => {
    // Several transactions: one for all takes longer than it may on a busy machine.
    const run = (...queries: Sql[]) =>
      db.transaction(
        async (tx) => {
          for (const query of queries) await tx.run(query);
        },
        { isLong: true },
      );
    await run(
      sql`
        WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${count})
        INSERT INTO photos (id, owner_id, file_id, width, height, created_at, updated_at, title, description, taken_at, kind, is_untitled)
        SELECT number, ${owner.userID}, 1, 1, 1, 0, 0, 'x', '', number * CAST(86400000 AS BIGINT), 'image', 0 FROM numbers`,
      // The job that indexes photos for the search has nothing to do: its statements would be counted, too.
      sql`INSERT INTO documents (kind, record_id, title_words, text_words) SELECT 'photo', id, ' x ', ' ' FROM photos`,
      ...(db.engine === "sqlite" ? [sql`DELETE FROM documents_waiting`] : []),
    );
    for (const [list, where] of [
      ["kind:image", sql`1 = 1`],
      ["tag:sea", sql`1 = 1`],
      ["camera:rare", sql`id = 3`],
    ] as const) {
      await run(sql`
        INSERT INTO photo_lists (photo_id, list, seen_by, taken_at)
        SELECT id, CAST(${list} AS TEXT), 0, taken_at FROM photos WHERE ${where}`);
    }
    // PostgreSQL would do this by itself, but later.
    if (db.engine === "postgres") await run(sql`ANALYZE`);
  });
});

test("combined filters examine a limited number of photos per request, and the next page goes on", async () => {
  for (const sort of ["createdAt", "takenAt"]) {
    const pages = await visitPages(guest, `${photos}?tag=sea&camera=rare&sort=${sort}`, 10);
    expect(pages.flat().map(({ id }) => id)).toEqual([3]);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.length).toBeLessThan(6);
  }
  const { headers, body } = await guest.get(`${photos}?tag=sea&camera=rare`);
  expect([body, headers.get("link")]).toEqual([[], expect.stringContaining('rel="next"')]);
});

test("a list by one filter reads only its page", async () => {
  for (const query of ["tag=sea", "kind=image", "camera=rare", "sort=takenAt", "sort=takenAt&tag=sea", "owner=1"]) {
    const measure = async () => {
      const send = async () => expect((await guest.get(`${photos}?${query}`, uncached)).status).toBe(200);
      return (await measureDatabaseCost(server.url, 15, send)).statements;
    };
    let statements = await measure();
    // A job can run for a while, and its statements are counted, too.
    for (let round = 0; round < 20 && statements > 2; round++) {
      await Bun.sleep(100);
      statements = await measure();
    }
    expect([query, statements]).toEqual([query, 2]);
  }
});

test("the timeline of many photos is counted in parts, and complete", async () => {
  const { status, body } = await guest.get(`${photos}/timeline?tag=sea`);
  expect([status, body.reduce((sum: number, { count }: any) => sum + count, 0)]).toEqual([200, count]);
  expect(body.at(-1)).toEqual({ month: "1970-01", count: 30 });
});
