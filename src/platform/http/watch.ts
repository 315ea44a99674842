import { invalid, Problem } from "../../errors.ts";
import type { Exchange } from "./exchange.ts";

/** Answers for requests in which nothing moves any more: a body that stopped coming, or a handler that hangs. */
export function createWatch(patience = 30_000) {
  const open = new Map<Exchange, (problem: Problem) => void>();

  const timer = setInterval(() => {
    const tooLongAgo = performance.now() - patience;
    for (const [exchange, giveUp] of open) {
      if (exchange.lastProgress > tooLongAgo) continue;
      exchange.abandoned = true;
      if (exchange.stopReceiving) giveUp(invalid("The body stopped coming."));
      else giveUp(new Problem("unavailable", "The server took too long over this request; try again."));
      exchange.stopReceiving?.();
    }
  }, patience / 30);
  timer.unref();

  return {
    /** Settles as `work` does, or fails when it stands still for longer than the patience lasts. */
    guard<Result>(exchange: Exchange, work: Promise<Result>): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        open.set(exchange, reject);
        work.then(resolve, reject).finally(() => open.delete(exchange));
      });
    },
    close: () => clearInterval(timer),
  };
}
