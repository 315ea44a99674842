import { busy, invalid, type Problem } from "../errors.ts";
import { withSharedDeadline } from "../deadline.ts";
import { nextTurn } from "../event-loop.ts";
import type { Exchange } from "./exchange.ts";
import type { Route } from "./route.ts";

/**
 * Starts the work of a request. All its waits for backends share one time limit. Many pages at once do not make other requests
 * wait for all of them.
 */
export function startWork<Result>({ limit }: Route, work: () => Promise<Result>): Promise<Result> {
  const start = () => withSharedDeadline(work);
  return limit === "pages" ? nextTurn().then(start) : start();
}

/** Ends requests that make no progress: the body stopped arriving, or the handler hangs. */
export function createWatch(timeoutMs = 30_000) {
  const open = new Map<Exchange, (problem: Problem) => void>();

  const timer = setInterval(() => {
    const tooLongAgo = performance.now() - timeoutMs;
    for (const [exchange, giveUp] of open) {
      if (exchange.lastProgress > tooLongAgo) continue;
      exchange.abandoned = true;
      if (exchange.stopReceiving) giveUp(invalid("The upload stalled before the request body was complete."));
      else giveUp(busy("The server took too long to process this request; try again."));
      exchange.stopReceiving?.();
    }
  }, timeoutMs / 30);
  timer.unref();

  return {
    /** Settles as `work` does, or fails when it makes no progress for `timeoutMs`. */
    guard<Result>(exchange: Exchange, work: Promise<Result>): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        open.set(exchange, reject);
        work.then(resolve, reject).finally(() => open.delete(exchange));
      });
    },
    close: () => clearInterval(timer),
  };
}
