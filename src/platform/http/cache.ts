import type { Operation } from "../metrics/metrics.ts";
import type { Answer } from "./answer.ts";

const maxBytes = 32 * 2 ** 20;

/** An answer, and the operation that it is the answer of. */
export type Kept = { answer: Answer; operation: Operation };

export type AnswerCache = {
  find(key: string): Kept | undefined;
  /** `readAt` is the generation before the answer was read: if it has passed since, the answer may be out of date. */
  keep(key: string, kept: Kept, readAt: number): void;
};

/** Public answers as they were last read. Any write anywhere empties it: it can be small and never wrong. */
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
      // The oldest make room: whoever asks for addresses that nobody else does pushes out only for a while.
      for (const [oldest, old] of answers) {
        if (bytes <= maxBytes) break;
        answers.delete(oldest);
        bytes -= sizeOf(oldest, old);
      }
    },
  };
}

/** With its compressed forms, about. */
const sizeOf = (key: string, { answer }: Kept) => answer.plain.body.length * 2 + key.length * 2 + 1000;
