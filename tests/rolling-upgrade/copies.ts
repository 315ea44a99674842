import type { serve } from "../kit/spawn.ts";

export type Copy = Awaited<ReturnType<typeof serve>>;
export type Copies = ReturnType<typeof createCopies>;

/** What a proxy knows of the copies: it sends each request to the next one, and none to a copy that is about to stop. */
export function createCopies() {
  const running = new Map<Copy, Set<Promise<unknown>>>();
  let turn = 0;

  return {
    add(copy: Copy): void {
      running.set(copy, new Set());
    },
    next(): Copy {
      const all = [...running.keys()];
      return all[turn++ % all.length] as Copy;
    },
    /** One request, or several to the same copy. A copy is stopped when they have ended. */
    async use<Result>(work: (copy: Copy) => Promise<Result>): Promise<Result> {
      const copy = this.next();
      const working = work(copy);
      const others = running.get(copy) as Set<Promise<unknown>>;
      others.add(working);
      try {
        return await working;
      } finally {
        others.delete(working);
      }
    },
    /** First no new requests, then the stop. */
    async remove(copy: Copy): Promise<void> {
      const left = running.get(copy) ?? new Set();
      running.delete(copy);
      await Promise.allSettled(left);
      await copy.close();
    },
    async removeAll(): Promise<void> {
      for (const copy of running.keys()) await this.remove(copy);
    },
  };
}
