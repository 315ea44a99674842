import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { openSqlite } from "../../platform/database/sqlite.ts";
import type { Caller } from "../../platform/http/route.ts";
import { readChanges, readEnd } from "./feed.ts";
import { byTime, listActivity } from "./store.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";

const scratch = useScratch();

const filters = [
  {},
  { kind: "photo" },
  { recordID: 1 },
  { actor: 1 },
  { from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" },
];

test("the activity is read from an index, whatever the filter and whoever reads it", async () => {
  const db = await openSqlite(join(scratch, "plans.db"));
  const plans: string[] = [];
  const explain = async (query: Parameters<Reader["all"]>[0]) => {
    const steps = await db.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${query}`);
    plans.push(steps.map(({ detail }) => detail).join("; "));
  };
  const explaining: Reader = {
    all: async <Found>(query: Parameters<Reader["all"]>[0]) => (await explain(query), db.all<Found>(query)),
    get: async <Found>(query: Parameters<Reader["all"]>[0]) => (await explain(query), db.get<Found>(query)),
  };
  const request = { sort: byTime, order: "desc", after: { id: 5, key: 5 }, size: 10 } as const;
  for (const role of ["admin", "author"] as const) {
    const caller: Caller = { id: 1, username: "ada", role, tokenID: "" };
    for (const query of filters) await listActivity(explaining, new Map(), { caller, query }, request);
  }
  await readChanges(explaining, { transactionID: 0, id: 5 }, 10);
  await readEnd(explaining);
  expect(plans).toHaveLength(2 * filters.length + 2);
  for (const plan of plans.slice(0, filters.length)) expect(plan).not.toContain("TEMP B-TREE");
  for (const plan of plans) {
    expect(plan).toMatch(/(SEARCH|SCAN) activity USING (COVERING )?INDEX activity_/);
    expect(plan.replace(/SCAN activity(_horizon|.* USING)/g, "")).not.toContain("SCAN activity");
  }
  await db.close();
});
