import { AsyncLocalStorage } from "node:async_hooks";

/** How long a request has waited for backends so far. All its steps share one time limit. */
type Waited = {
  milliseconds(): number;
  /** Begins to wait; returns how to end it. Waits at the same time count once. */
  begin(): () => void;
};

const current = new AsyncLocalStorage<Waited | null>();

/** Runs a request, or anything else whose steps share one time limit. */
export const withSharedDeadline = <Result>(work: () => Result): Result => current.run(createWaited(), work);

/** Runs work that a request has started but does not wait for, and that may take longer than the request. */
export const withoutSharedDeadline = <Result>(work: () => Result): Result => current.run(null, work);

/** How long the current request has waited so far. Outside of a request, every step has the whole time limit. */
export const waitedBefore = (): Waited => current.getStore() ?? createWaited();

function createWaited(): Waited {
  let total = 0;
  let running = 0;
  let since = 0;
  return {
    milliseconds: () => total + (running > 0 ? performance.now() - since : 0),
    begin() {
      if (running++ === 0) since = performance.now();
      return () => {
        if (--running === 0) total += performance.now() - since;
      };
    },
  };
}
