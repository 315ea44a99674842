import { invalid, Problem } from "../../errors.ts";
import type { Exchange } from "./exchange.ts";

/** Ends requests that make no progress: the body stopped arriving, or the handler hangs. */
export function createWatch(timeoutMs = 30_000) {
  const open = new Map<Exchange, (problem: Problem) => void>();

  const timer = setInterval(() => {
    const tooLongAgo = performance.now() - timeoutMs;
    for (const [exchange, giveUp] of open) {
      if (exchange.lastProgress > tooLongAgo) continue;
      exchange.abandoned = true;
      if (exchange.stopReceiving) giveUp(invalid("The upload stalled before the request body was complete."));
      else giveUp(new Problem("unavailable", "The server took too long to process this request; try again."));
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
