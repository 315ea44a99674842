import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Sent } from "./observation.ts";
import { findCalls, findWrongRows, isTyped, rowsOfCalls } from "./row-types.ts";
import { findOtherRows } from "./touched-rows.ts";
import { findUnknownTables } from "./touched-tables.ts";
import { isExpectedUnseen } from "./unseen.ts";
import { findForeignWrites } from "./writers.ts";
import { root } from "../kit/root.ts";

/*
 * Compares what the tests have observed with what the code says: `node bin/bun tests/observed/check.ts [--complete] DIR`.
 * After a complete run, it names the calls of which no row was seen. That depends on what happened at the same time, so it is
 * not a failure.
 */

async function main(words: string[]): Promise<void> {
  const isComplete = words[0] === "--complete";
  const observations = readObservations(words.at(-1) ?? "");
  const calls = findCalls(root);
  const typed = calls.filter(isTyped);
  const rows = rowsOfCalls(typed, observations);
  const unseen = typed.filter((call) => !rows.has(call) && !isExpectedUnseen(call));
  const sqlite = await findUnknownTables("sqlite", observations);
  const postgres = await findUnknownTables("postgres", observations);
  const rowsByID = await findOtherRows(observations);
  const findings = [
    report("These columns do not have the type that the code says, or are missing:", findWrongRows(root, calls, rows)),
    report("These statements touch tables that the response cache does not know of:", [
      ...sqlite.wrong.map((line) => `SQLite ${line}`),
      ...postgres.wrong.map((line) => `PostgreSQL ${line}`),
    ]),
    report("These statements touch other rows than the response cache knows of:", rowsByID.wrong),
    report("Only the module that owns a table may write to it:", await findForeignWrites(observations)),
  ];
  const notSeen = "No test has seen a row of these calls: write one, or add the call to tests/observed/unseen.ts:";
  if (isComplete)
    report(
      notSeen,
      unseen.map(({ at }) => at),
    );
  console.log(
    `Rows of ${rows.size} of ${typed.length} calls were compared with their types, and the tables of ${sqlite.count} statements on SQLite and ${postgres.count} on PostgreSQL with their plans. ${rowsByID.count} statements touch rows by their ids.`,
  );
  process.exit(findings.includes(false) ? 1 : 0);
}

function readObservations(directory: string): Sent[] {
  return readdirSync(directory).flatMap((name) =>
    readFileSync(join(directory, name), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Sent),
  );
}

function report(title: string, lines: string[]): boolean {
  if (lines.length > 0) console.error([title, ...lines.map((line) => `  ${line}`)].join("\n"));
  return lines.length === 0;
}

await main(process.argv.slice(2));
