import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { Problem } from "../../errors.ts";

// argon2id is the library's default algorithm; the cost is OWASP's first recommendation.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password.normalize("NFC"), cost));

/** Takes as long for a name nobody has: without a hash it works on one that no password fits. */
export async function checkPassword(password: string, hashed: string | null): Promise<boolean> {
  const known = hashed ?? (await nobody());
  const fits = await inTurn(() => verify(known, password.normalize("NFC")));
  return fits && hashed !== null;
}

let nobodysHash: Promise<string> | null = null;

export function nobody(): Promise<string> {
  return (nobodysHash ??= hashPassword(crypto.randomUUID()));
}

/** Hashing is heavy: one core always stays free for other requests. */
const atOnce = Math.max(1, availableParallelism() - 1);
const mostWaiting = 200;
const waiting: (() => void)[] = [];
let running = 0;

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waiting.length >= mostWaiting) {
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
