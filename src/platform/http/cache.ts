import type { Operation } from "../metrics/metrics.ts";
import type { Answer } from "./answer.ts";

const maxBytes = 32 * 2 ** 20;

/** A response and the operation that it belongs to. */
export type Kept = { answer: Answer; operation: Operation };

export type AnswerCache = {
  find(key: string): Kept | undefined;
  /** `readAt` is the generation before the data was read. If it has changed since, the response may be outdated. */
  keep(key: string, kept: Kept, readAt: number): void;
};

/** Cached public responses. Any write empties the cache, so that it can be simple and is never stale. */
export function createAnswerCache(generation: () => number): AnswerCache {
  const answers = new Map<string, Kept>();
  let validAt = generation();
  let bytes = 0;

  function refresh(): void {
    if (validAt === generation()) return;
    validAt = generation();
    answers.clear();
    bytes = 0;
  }

  return {
    find(key) {
      refresh();
      return answers.get(key);
    },
    keep(key, kept, readAt) {
      refresh();
      if (readAt !== validAt || answers.has(key)) return;
      bytes += sizeOf(key, kept);
      answers.set(key, kept);
      // The oldest entries are evicted, so a client that requests many unusual URLs displaces the others only for a
      // while.
      for (const [oldest, old] of answers) {
        if (bytes <= maxBytes) break;
        answers.delete(oldest);
        bytes -= sizeOf(oldest, old);
      }
    },
  };
}

/** Including its compressed forms, approximately. */
const sizeOf = (key: string, { answer }: Kept) => answer.plain.body.length * 2 + key.length * 2 + 1000;
