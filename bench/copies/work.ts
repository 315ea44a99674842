import { measureWork } from "../../tests/budget/postgres.ts";
import { progress } from "../rounds.ts";
import { layOut } from "../table.ts";

/** Prints what PostgreSQL does for each kind of request. Throws if it plans one of them at each execution. */
export async function countWork(): Promise<void> {
  progress("counting what PostgreSQL does");
  const measured = await measureWork();
  const rows = [...measured].map(([kind, { plans, statements, pages, log, planned, executed, first }]) => [
    kind,
    ...[plans, statements, pages, log].map((number) => number.toFixed(0)),
    ...[planned, executed, first].map((milliseconds) => milliseconds.toFixed(2)),
  ]);
  const head = ["PostgreSQL, per request", "plans", "statements", "pages", "bytes of log", "ms planned", "ms executed"];
  console.log(`\n${layOut([[...head, "ms at first"], ...rows])}\n`);
  const planned = [...measured].filter(([, { plans }]) => plans >= 0.5).map(([kind]) => kind);
  if (planned.length > 0) throw new Error(`PostgreSQL plans at each execution: ${planned.join(", ")}`);
}
