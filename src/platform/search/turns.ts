import { setImmediate } from "node:timers/promises";

let last: Promise<unknown> = Promise.resolve();

/**
 * Resolves in a later turn of the event loop, for one caller per turn. Long work is split into slices of at most about 30 ms,
 * and calls this before each slice. Other requests then wait for one slice at most, even when many searches run at the same
 * time. Awaiting a query on SQLite does not give the event loop a turn.
 */
export function nextTurn(): Promise<unknown> {
  last = last.then(() => setImmediate());
  return last;
}
