import type { Database } from "../../platform/database/database.ts";
import { limitKey } from "../../platform/http/address.ts";
import { createRateLimit } from "../../platform/limits/rate-limit.ts";
import type { Log } from "../../platform/log.ts";
import { addVisits, type Visits } from "./store.ts";

const visitSeconds = 1800;
const flushMilliseconds = 5000;

export type VisitCounter = {
  /** Counts a request through a link, unless it belongs to a visit that has begun. */
  count(shareID: number, address: string): void;
  /** Stores what was counted. */
  close(): Promise<void>;
};

/** Visits are counted in memory and stored every few seconds, so that reading through a link is not a write. */
export function createVisitCounter(db: Database, log: Log): VisitCounter {
  const begun = createRateLimit({ perSecond: 1 / visitSeconds, burst: 1 });
  let counted = new Map<number, Visits>();
  let storing = Promise.resolve();
  const timer = setInterval(() => void store(), flushMilliseconds);
  timer.unref();

  return {
    count(shareID, address) {
      if (begun.take(`${shareID} ${limitKey(address)}`).allowed) add(shareID, 1, Date.now());
    },
    async close() {
      clearInterval(timer);
      await store();
    },
  };

  function add(shareID: number, uses: number, lastUsedAt: number): void {
    const before = counted.get(shareID);
    counted.set(shareID, {
      uses: (before?.uses ?? 0) + uses,
      lastUsedAt: Math.max(before?.lastUsedAt ?? 0, lastUsedAt),
    });
  }

  function store(): Promise<void> {
    return (storing = storing.then(storeCounted));
  }

  async function storeCounted(): Promise<void> {
    if (counted.size === 0) return;
    const visits = counted;
    counted = new Map();
    try {
      await addVisits(db, visits);
    } catch (error) {
      log.warn("visits were not stored", { reason: (error as Error).message });
      for (const [id, { uses, lastUsedAt }] of visits) add(id, uses, lastUsedAt);
    }
  }
}
