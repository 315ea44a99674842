// Runs on the embedded engines only: it starts a PostgreSQL of its own, whose statements nothing else counts.
import { expect } from "bun:test";
import { columns, measureWork, readWork, writeWork } from "../budget/postgres.ts";
import { needs } from "../kit/optional.ts";
import { postgresPrograms } from "../kit/servers/daemons.ts";

/*
 * What PostgreSQL does for a request, counted by itself. After a change, `npm run budget` writes the numbers again; the
 * difference is part of the review.
 */

const { test } = needs("PostgreSQL", postgresPrograms !== null);

test("PostgreSQL plans no request anew, and does as much for each as the budget says", async () => {
  const measured = await measureWork();
  if (process.env.WRITE_BUDGET === "true") writeWork(measured);
  const budget = readWork();
  expect([...budget.keys()]).toEqual([...measured.keys()]);
  const others: string[] = [];
  for (const [kind, work] of measured) {
    for (const name of columns) {
      const expected = budget.get(kind)?.[name] ?? Number.NaN;
      const tolerance = name === "pages" || name === "log" ? Math.max(3, 0.15 * expected) : 0.3;
      if (!(Math.abs(work[name] - expected) <= tolerance))
        others.push(`${kind}: ${work[name]} ${name}, not ${expected}`);
    }
  }
  expect(others, "If this is intended, run: npm run budget").toEqual([]);
});
