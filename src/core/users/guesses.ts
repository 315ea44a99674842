import { Problem } from "../../platform/errors.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";

/** Ten wrong passwords, then one attempt every 30 seconds. */
export const guessRate = { perSecond: 1 / 30, burst: 10 };

/** Ten wrong codes, then one attempt every ten minutes: few enough that six digits are not found by chance. */
export const factorGuessRate = { perSecond: 1 / 600, burst: 10 };

/**
 * Checks a password or a code, unless too many checks in this bucket have failed recently: then it throws an error that says how long
 * to wait. What is correct is not counted.
 */
export async function limitGuesses(
  guesses: RateLimit,
  bucket: string,
  check: () => Promise<boolean>,
): Promise<boolean> {
  const verdict = await guesses.take(bucket);
  if (!verdict.allowed) throw tooManyGuesses(verdict.retryAfterMs);
  const isCorrect = await check();
  if (isCorrect) await guesses.giveBack(bucket);
  return isCorrect;
}

export function tooManyGuesses(milliseconds: number): Problem {
  const seconds = Math.ceil(milliseconds / 1000);
  return new Problem("limited", `Too many wrong attempts: wait ${seconds} seconds.`, {
    headers: { "Retry-After": String(seconds) },
  });
}
