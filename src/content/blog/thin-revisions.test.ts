import { expect, test } from "bun:test";
import { withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sql } from "../../platform/database/sql.ts";
import { readUsage } from "../../core/storage/quota.ts";
import { storedBytes } from "../../core/storage/stored-bytes.ts";
import { thinRevisions } from "./thin-revisions.ts";
import { testLong } from "../../../tests/kit/long.ts";

const blog = "/api/v1/blog";
const hour = 3_600_000;
const day = 24 * hour;
const now = Date.UTC(2026, 10, 16, 12);

const server = useServer();
const owner = server.person("owner");

/** A post that was saved at these times, the first one first. */
async function savedAt(times: number[], publishedAt: number | null = null): Promise<number> {
  const { body: post } = await owner.post(blog, { title: "Post", content: "0", publishedAt: null });
  for (let number = 1; number < times.length; number++) await owner.put(`${blog}/${post.id}`, { content: `${number}` });
  await withDatabase(server, (db) =>
    db.transaction(async (tx) => {
      for (const [index, time] of times.entries()) {
        await tx.run(
          sql`UPDATE post_revisions SET created_at = ${time} WHERE post_id = ${post.id} AND number = ${index + 1}`,
        );
      }
      await tx.run(sql`
        UPDATE posts SET revised_at = ${times.at(-1) ?? 0}, published_at = ${publishedAt} WHERE id = ${post.id}`);
    }),
  );
  return post.id;
}

const thin = () => withDatabase(server, (db) => thinRevisions(db, new AbortController().signal, now));
const numbers = async (id: number): Promise<number[]> =>
  (await owner.get(`${blog}/${id}/revisions`)).body.map(({ number }: any) => number).toReversed();
const every = (step: number, count: number, from: number) =>
  Array.from({ length: count }, (_, index) => from + index * step);

testLong("all revisions of the last day are kept, then one per hour, per day and per week", async () => {
  const lately = await savedAt(every(10 * 60_000, 20, now - day + 60_000));
  const hourly = await savedAt([...every(10 * 60_000, 18, now - 3 * day), now]);
  const daily = await savedAt([...every(6 * hour, 12, now - 20 * day - 12 * hour), now]);
  const weekly = await savedAt([...every(day, 29, Date.UTC(2026, 0, 1)), now]);
  await thin();
  expect(await numbers(lately)).toEqual(every(1, 20, 1));
  // The first one, the last one of each hour, and the post as it is now.
  expect(await numbers(hourly)).toEqual([1, 6, 12, 18, 19]);
  expect(await numbers(daily)).toEqual([1, 4, 8, 12, 13]);
  // Weeks begin on Thursdays, as 1 January 2026 is.
  expect(await numbers(weekly)).toEqual([1, 7, 14, 21, 28, 29, 30]);
  await thin();
  expect(await numbers(weekly)).toEqual([1, 7, 14, 21, 28, 29, 30]);
});

test("the text that was published is kept", async () => {
  const times = [...every(60_000, 10, now - 100 * day), now];
  const id = await savedAt(times, (times[4] as number) + 30_000);
  const before = await withDatabase(server, async (db) => (await readUsage(db, owner.userID))?.stored ?? 0);
  await thin();
  expect(await numbers(id)).toEqual([1, 5, 10, 11]);
  expect((await owner.get(`${blog}/${id}/revisions/5`)).body.content).toBe("4");
  const { after, differences } = await withDatabase(server, async (db) => ({
    after: (await readUsage(db, owner.userID))?.stored ?? 0,
    differences: await storedBytes.rebuild(db),
  }));
  expect([before - after, differences]).toEqual([7, 0]);
});

test("many revisions are thinned in steps, and a stop ends it", async () => {
  const id = await savedAt([now - 100 * day, now]);
  await withDatabase(server, async (db) => {
    await db.transaction((tx) =>
      tx.run(sql`
        INSERT INTO post_revisions (post_id, number, created_at, tags, title, content)
        SELECT CAST(${id} AS BIGINT), n + 1, CAST(${now - 100 * day} AS BIGINT) + n * 1000, '[]', 'x', 'x'
        FROM (WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200)
          SELECT n FROM numbers) AS numbers`),
    );
    await thinRevisions(db, AbortSignal.abort(), now);
    const count = async () => (await db.all(sql`SELECT number FROM post_revisions WHERE post_id = ${id}`)).length;
    expect(await count()).toBe(1201);
    await thinRevisions(db, new AbortController().signal, now);
    expect(await count()).toBe(2);
  });
});
