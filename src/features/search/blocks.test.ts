import { afterAll, beforeAll, expect, test } from "bun:test";
import { readConfig } from "../../config.ts";
import { openDatabase } from "../../engines.ts";
import type { Database } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { parseQuery } from "../../platform/search/query.ts";
import { indexSomeWaiting, sqliteCandidates } from "../../platform/search/sqlite.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";

const directory = useScratch();
let db: Database;

beforeAll(async () => {
  db = await openDatabase(readConfig({ DATA_DIR: directory }));
  // More documents with both words than one query reads, far from each other, and other documents between and after them.
  await addDocuments(1, 1500, "oyster catcher");
  await addDocuments(1_000_000, 1, "plover");
  await addDocuments(2_000_000, 1500, "oyster");
  await addDocuments(3_000_000, 1500, "catcher oyster");
  await addDocuments(6_000_000, 1, "gull");
  while (await indexSomeWaiting(db));
});
afterAll(() => db.close());

async function addDocuments(first: number, count: number, words: string): Promise<void> {
  const numbers = sql`
    WITH RECURSIVE numbers (id) AS (SELECT ${first} UNION ALL SELECT id + 1 FROM numbers WHERE id < ${first + count - 1})`;
  await db.transaction((tx) =>
    tx.run(sql`
      INSERT INTO documents (id, kind, record_id, title_words, text_words)
      ${numbers} SELECT id, 'post', id, ${` ${words} `}, ' ' FROM numbers`),
  );
}

/** The candidates, and how many statements it took to find them. */
async function find(text: string): Promise<{ ids: number[]; statements: number }> {
  let statements = 0;
  const counting: Database = { ...db, all: (query) => (statements++, db.all(query)) };
  const wanted = { query: parseQuery(text), kind: undefined, viewerID: null, isAdmin: false };
  const ids: number[] = [];
  for await (const some of sqliteCandidates(counting, wanted, "title")) ids.push(...some);
  return { ids, statements };
}

const range = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + count - 1 - index);

test("documents are found in all blocks, newest first", async () => {
  const { ids } = await find("oyster catcher");
  expect(ids).toEqual([...range(3_000_000, 1500), ...range(1, 1500)]);
});

test("blocks in which one of the words is missing cost nothing", async () => {
  const { statements } = await find("oyster catcher");
  // There are 46 blocks.
  expect(statements).toBeLessThan(25);
});

test("all documents with a rare word are candidates", async () => {
  expect(await find("oyster plover")).toMatchObject({ ids: [1_000_000] });
});
