import { availableParallelism } from "node:os";
import { Problem } from "../errors.ts";
import { late } from "../once.ts";

// argon2id is the library's default algorithm; the cost is OWASP's first recommendation.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A well-formed hash with the same cost that no password has, for users who do not exist or cannot sign in. */
export const noPasswordHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

export const hashPassword = (password: string): Promise<string> =>
  limitConcurrency(async () => (await loadArgon2()).hash(password.normalize("NFC"), cost));

/** Takes the same time for an unknown user name: without a hash it checks one that no password has, and the result is false. */
export async function checkPassword(password: string, hashed: string | null): Promise<boolean> {
  const { verify } = await loadArgon2();
  const fits = await limitConcurrency(() => verify(hashed ?? noPasswordHash, password.normalize("NFC")));
  return fits && hashed !== null;
}

/** Loaded with the first password, so that the start does not wait for it. */
const loadArgon2 = late(() => import("@node-rs/argon2"));

/** Hashing uses much processor time: one core always stays free for other requests. */
const atOnce = Math.max(1, availableParallelism() - 1);
const maxWaiting = 200;
const waiting: (() => void)[] = [];
let running = 0;

async function limitConcurrency<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waiting.length >= maxWaiting) {
    throw new Problem("limited", "Too many people are signing in right now; try again in a few seconds.", {
      headers: { "Retry-After": "5" },
    });
  }
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
