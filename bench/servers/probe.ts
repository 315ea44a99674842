// Loaded into a server before its own program: measures the turns of its event loop and its statements, both in processor
// time of the main thread, and reports them on a socket in its data directory.
import { Database, type Statement } from "bun:sqlite";
import { join } from "node:path";
import { createThreadClock } from "../thread-clock.ts";

/** `most` and `total` are milliseconds. */
export type StatementTime = { text: string; count: number; total: number; most: number };
export type Report = { longestTurn: number; statements: StatementTime[] };

const now = createThreadClock();

let longestTurn = 0;
let lastTick = now();
// Between two ticks is one turn of the event loop, or several that are shorter than a millisecond together.
const timer = setInterval(() => {
  const time = now();
  longestTurn = Math.max(longestTurn, time - lastTick);
  lastTick = time;
}, 1);
timer.unref();

const times = new Map<string, StatementTime>();
const prepare = Database.prototype.prepare;
Database.prototype.prepare = function (this: Database, ...words: Parameters<typeof prepare>) {
  const statement = prepare.apply(this, words) as Statement;
  const text = words[0];
  for (const name of ["all", "get", "run"] as const) {
    const original = statement[name].bind(statement) as (...values: unknown[]) => unknown;
    const timed = (...values: unknown[]) => {
      const started = now();
      const result = original(...values);
      record(text, now() - started);
      return result;
    };
    Object.defineProperty(statement, name, { value: timed });
  }
  return statement;
} as typeof prepare;

function record(text: string, taken: number): void {
  const known = times.get(text) ?? { text, count: 0, total: 0, most: 0 };
  times.set(text, { text, count: known.count + 1, total: known.total + taken, most: Math.max(known.most, taken) });
}

/** What was measured since the last report. */
function report(): Response {
  const measured: Report = { longestTurn, statements: [...times.values()] };
  longestTurn = 0;
  times.clear();
  lastTick = now();
  return Response.json(measured);
}

Bun.serve({ unix: join(process.env.DATA_DIR ?? "", "probe.sock"), development: false, fetch: report }).unref();
