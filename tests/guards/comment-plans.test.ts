// How the engines find the comments on one record, and those that moderators decide about, on a site with many of both.
import { SQL } from "bun";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openDatabase } from "../../src/engines.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { observe } from "../../src/platform/database/observe.ts";
import { print } from "../../src/platform/database/postgres-statements.ts";
import { raw, type Sql, sql } from "../../src/platform/database/sql.ts";
import { client, uncached } from "../kit/client.ts";
import { createPeople } from "../kit/people.ts";
import { serverConfig, startServer, type TestServer } from "../kit/server.ts";
import { explainPlan } from "../sql/plans.ts";

const commentCount = 12_000;
const recordCount = 300;
/** A comment is on a post, a photo or an album in turn, and every 40th is not visible. */
const numbers = Array.from({ length: commentCount }, (_, index) => index + 1);
const isVisible = (n: number) => n % 40 !== 0;
const statusOf = "CASE WHEN n % 80 = 0 THEN 'hidden' WHEN n % 40 = 0 THEN 'waiting' ELSE 'visible' END";
const recordOf = (n: number) => 1 + (Math.floor(n / 3) % recordCount);

let server: TestServer;
let db: Database;
let people: Awaited<ReturnType<typeof createPeople>>;
let sent: Sql[] = [];

beforeAll(async () => {
  const stop = observe((_engine, queries) => ({
    ...queries,
    ...(queries.all && { all: <Row>(query: Sql) => (sent.push(query), queries.all!<Row>(query)) }),
  }));
  server = await startServer();
  stop();
  people = await createPeople(server);
  await people.admin.put("/api/v1/settings", { photoComments: true });
  const config = await serverConfig(server);
  db = await openDatabase(config);
  await db.transaction(
    async (tx) => {
      for (const statement of fillings(people.owner.userID)) await tx.run(statement);
    },
    { isCopy: true },
  );
  if (config.database.engine !== "postgres") return;
  // It plans by statistics.
  const connection = new SQL(config.database.url, { max: 1 });
  await connection.unsafe("VACUUM ANALYZE users, posts, photos, albums, comments");
  await connection.close();
}, 180_000);
afterAll(async () => {
  await db.close();
  await server.close();
});

function fillings(owner: number): Sql[] {
  const insert = (into: string, count: number, columns: string) => sql`
    INSERT INTO ${raw(into)}
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${raw(String(count))})
    SELECT ${raw(columns)} FROM numbers`;
  const record = `1 + (n / 3) % ${recordCount}`;
  return [
    insert(
      "files (id, parent_id, owner_id, size, created_at, updated_at, sha256, content_type, name, name_key, order_key)",
      1,
      `n, 0, ${owner}, 1, n, n, 'hash', 'image/jpeg', 'f', 'f', '1f'`,
    ),
    insert(
      "posts (id, owner_id, created_at, updated_at, title, content, slug, status, published_at)",
      recordCount,
      `n, ${owner}, n, n, 'Post', 'Text', 'post-' || n, 'published', n`,
    ),
    insert(
      "photos (id, owner_id, file_id, width, height, created_at, updated_at, title, description)",
      recordCount,
      `n, ${owner}, 1, 4, 3, n, n, 'Photo', ''`,
    ),
    insert("albums (id, owner_id, created_at, updated_at, name)", recordCount, `n, ${owner}, n, n, 'Album'`),
    insert(
      "comments (id, post_id, photo_id, album_id, owner_id, created_at, updated_at, content, status)",
      commentCount,
      `n, CASE n % 3 WHEN 0 THEN ${record} END, CASE n % 3 WHEN 1 THEN ${record} END, CASE n % 3 WHEN 2 THEN ${record} END,
        ${owner}, n, n, 'Text', ${statusOf}`,
    ),
  ];
}

/** The ids that a request lists, and the plans of the statements that chose them. */
async function read(who: "guest" | "admin" | "owner", path: string) {
  const sender = who === "guest" ? client(server) : people[who];
  sent = [];
  const { body } = await sender.get<{ id: number }[]>(`/api/v1/comments${path}`, who === "guest" ? uncached : {});
  const chosen = sent.filter(({ text }) => /FROM comments\b[^]*ORDER BY/.test(print(text)));
  const plans = await Promise.all(chosen.map(async (query) => (await explainPlan(db, query)).join("\n")));
  return { ids: body.map(({ id }) => id), plans };
}

const kinds = [
  { kind: "post", parameter: "blogPostID", turn: 0 },
  { kind: "photo", parameter: "photoID", turn: 1 },
  { kind: "album", parameter: "albumID", turn: 2 },
];

test.each(kinds)("the comments on a $kind are read from its index, and are all", async ({ kind, parameter, turn }) => {
  const expected = numbers.filter((n) => n % 3 === turn && recordOf(n) === 7 && isVisible(n));
  for (const more of ["", "&cursor=&pageSize=100"]) {
    const { ids, plans } = await read("guest", `?${parameter}=7${more}`);
    expect(ids).toEqual(expected);
    expect(plans).toEqual([expect.stringContaining(`comments_by_${kind}`)]);
    expect(plans[0]).not.toContain("comments_by_status");
  }
});

test.each(["waiting", "hidden"])("comments that are %s are read from the index by status", async (status) => {
  for (const who of ["admin", "owner"] as const) {
    const { ids, plans } = await read(who, `/queue?status=${status}&pageSize=100`);
    const isWanted = (n: number) => n % 80 === (status === "hidden" ? 0 : 40);
    expect(ids).toEqual(numbers.filter(isWanted).slice(0, 100));
    expect(plans).toEqual([expect.stringContaining("comments_by_status")]);
  }
});
