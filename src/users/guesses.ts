import { Problem } from "../errors.ts";
import type { RateLimit } from "../platform/limits/rate-limit.ts";

/** Ten wrong passwords; from then on one try every half a minute. */
export const guessRate = { perSecond: 1 / 30, burst: 10 };

/**
 * Runs one check of a password, unless too many in this bucket have failed lately: then it throws, and says how long to
 * wait. A right password costs nothing.
 */
export async function limitGuesses(
  guesses: RateLimit,
  bucket: string,
  check: () => Promise<boolean>,
): Promise<boolean> {
  const verdict = await guesses.take(bucket);
  if (!verdict.allowed) throw tooManyGuesses(verdict.retryAfterMs);
  const isRight = await check();
  if (isRight) await guesses.giveBack(bucket);
  return isRight;
}

function tooManyGuesses(milliseconds: number): Problem {
  const seconds = Math.ceil(milliseconds / 1000);
  return new Problem("limited", `Too many wrong passwords: wait ${seconds} seconds.`, {
    headers: { "Retry-After": String(seconds) },
  });
}
