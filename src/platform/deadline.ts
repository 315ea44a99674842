import { AsyncLocalStorage } from "node:async_hooks";

/** How long a request has waited for backends so far. All its steps share one time limit. */
export type Waited = { milliseconds: number };

const current = new AsyncLocalStorage<Waited | null>();

/** Runs a request, or anything else whose steps share one time limit. */
export const withSharedDeadline = <Result>(work: () => Result): Result => current.run({ milliseconds: 0 }, work);

/** Runs work that a request has started but does not wait for, and that may take longer than the request. */
export const withoutSharedDeadline = <Result>(work: () => Result): Result => current.run(null, work);

/** How long the current request has waited so far. Outside of a request, every step has the whole time limit. */
export const waitedBefore = (): Waited => current.getStore() ?? { milliseconds: 0 };
