import type { Database, Queries } from "./database.ts";

type Engine = Database["engine"];

/** Gets what a driver has made to send statements, and returns what is used in its place. */
export type Observer = <Made extends Partial<Queries>>(engine: Engine, queries: Made) => Made;

let observers: readonly Observer[] = [];

/** Called by the drivers. Does nothing unless tests or traces observe what is sent and what comes back. */
export function observed<Made extends Partial<Queries>>(engine: Engine, queries: Made): Made {
  let made = queries;
  for (const observer of observers) made = observer(engine, made);
  return made;
}

/** Applies to what is opened from now on. Returns what undoes it. */
export function observe(observer: Observer): () => void {
  observers = [...observers, observer];
  return () => {
    observers = observers.filter((other) => other !== observer);
  };
}
