import { AsyncLocalStorage } from "node:async_hooks";

/** How long one request has waited for back ends so far: they share the time that it has for them. */
export type Waited = { milliseconds: number };

const current = new AsyncLocalStorage<Waited | null>();

/** Runs a request, or anything else whose steps share their time. */
export const withSharedDeadline = <Result>(work: () => Result): Result => current.run({ milliseconds: 0 }, work);

/** Runs what a request has begun and does not wait for: it may go on for long after it. */
export const withoutSharedDeadline = <Result>(work: () => Result): Result => current.run(null, work);

/** What the running request has waited before. Outside of one, every step has the whole time for itself. */
export const waitedBefore = (): Waited => current.getStore() ?? { milliseconds: 0 };
