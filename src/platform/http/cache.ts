import type { Answer } from "./answer.ts";

const maxBytes = 32 * 2 ** 20;

export type AnswerCache = {
  find(key: string): Answer | undefined;
  /** `readAt` is the generation before the answer was read: if it has passed since, the answer may be out of date. */
  keep(key: string, answer: Answer, readAt: number): void;
};

/** Public answers as they were last read. Any write anywhere empties it: it can be small and never wrong. */
export function createAnswerCache(generation: () => number): AnswerCache {
  const answers = new Map<string, Answer>();
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
    keep(key, answer, readAt) {
      refresh();
      if (readAt !== validAt || answers.has(key)) return;
      bytes += sizeOf(answer);
      answers.set(key, answer);
      // The oldest make room: whoever asks for addresses that nobody else does pushes out only for a while.
      for (const [oldest, old] of answers) {
        if (bytes <= maxBytes) break;
        answers.delete(oldest);
        bytes -= sizeOf(old);
      }
    },
  };
}

/** With its compressed forms, about. */
const sizeOf = (answer: Answer) => answer.plain.body.length * 2 + 1000;
