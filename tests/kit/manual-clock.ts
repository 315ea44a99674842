import type { Clock } from "../../studio/lib/clock.ts";

/** A clock that stands still until the test lets time pass. */
export function createManualClock(): Clock & { pass(milliseconds: number): void } {
  let now = 1_800_000_000_000;
  const waiting = new Set<{ at: number; act: () => void }>();
  return {
    now: () => now,
    after(milliseconds, act) {
      const timer = { at: now + milliseconds, act };
      waiting.add(timer);
      return () => void waiting.delete(timer);
    },
    /** Does what is due meanwhile, in its order. */
    pass(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        const [next] = [...waiting].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at);
        if (!next) break;
        waiting.delete(next);
        now = next.at;
        next.act();
      }
      now = end;
    },
  };
}
