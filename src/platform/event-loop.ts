import { setImmediate } from "node:timers/promises";

let last: Promise<unknown> = Promise.resolve();

/**
 * Resolves in a later turn of the event loop, one caller per turn. Long work is split into slices of at most about 30
 * ms and calls this before each slice. Other requests then wait for at most one slice, even if many searches run at the
 * same time. Awaiting a query on SQLite does not yield to the event loop.
 */
export function nextTurn(): Promise<unknown> {
  last = last.then(() => setImmediate());
  return last;
}
