import type { Database, Queries } from "./database.ts";

type Engine = Database["engine"];

/** Gets what a driver has made to send statements, and returns what is used in its place. */
type Observer = <Made extends Partial<Queries>>(engine: Engine, queries: Made) => Made;

let current: Observer = (_engine, queries) => queries;

/** Called by the drivers. Does nothing unless tests observe what is sent and what comes back. */
export const observed: Observer = (engine, queries) => current(engine, queries);

/** For tests: applies to what is opened from now on. Returns what undoes it. */
export function observe(observer: Observer): () => void {
  const before = current;
  current = (engine, queries) => observer(engine, before(engine, queries));
  return () => {
    current = before;
  };
}
