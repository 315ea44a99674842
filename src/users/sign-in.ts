import { Problem } from "../errors.ts";
import { checkPassword } from "../platform/auth/passwords.ts";
import type { Tokens } from "../platform/auth/tokens.ts";
import type { Database } from "../platform/database/database.ts";
import type { RateLimit } from "../platform/limits/rate-limit.ts";
import { addSession, findUserByName } from "./store.ts";
import { type User, usernameKey } from "./user.ts";

const day = 86_400_000;

export type SignIn = (name: string, password: string, address: string) => Promise<SignedIn>;
export type SignedIn = { token: string; expiresAt: string; user: User };

/** Ten wrong passwords for a name; from then on one try every half a minute. */
export const signInRate = { perSecond: 1 / 30, burst: 10 };

/**
 * Checks a password and opens a session. Wrong passwords for a name use up its bucket in `tries`, from however many
 * addresses they come. An address that has signed in to that name before, on this copy of the server, has a bucket of
 * its own, so that strangers cannot lock the owner out.
 */
export function createSignIn(db: Database, tokens: Tokens, tries: RateLimit): SignIn {
  const familiar = createFamiliarity(10_000);

  return async (name, password, address) => {
    const key = usernameKey(name);
    const place = `${key} ${address}`;
    const bucket = familiar.has(place) ? place : key;
    const verdict = await tries.take(bucket);
    if (!verdict.allowed) throw tooManyTries(verdict.retryAfterMs);

    const found = await findUserByName(db, name);
    const fits = await checkPassword(password, found?.passwordHash ?? null);
    if (!found || !fits) throw new Problem("unauthorized", "The username or the password is wrong.");
    await tries.giveBack(bucket);
    familiar.add(place);

    const { passwordHash: _, ...user } = found;
    const now = Date.now();
    const expires = now + day;
    const tokenID = crypto.randomUUID();
    await addSession(db, tokenID, user.id, expires);
    const claims = { sub: String(user.id), jti: tokenID, iat: Math.floor(now / 1000), exp: Math.floor(expires / 1000) };
    return { token: tokens.sign(claims), expiresAt: new Date(claims.exp * 1000).toISOString(), user };
  };
}

function tooManyTries(milliseconds: number): Problem {
  const seconds = Math.ceil(milliseconds / 1000);
  return new Problem("limited", `Too many wrong passwords for this name: wait ${seconds} seconds.`, {
    headers: { "Retry-After": String(seconds) },
  });
}

/** The last `size` places, oldest forgotten first. */
function createFamiliarity(size: number) {
  const places = new Set<string>();
  return {
    has: (place: string) => places.has(place),
    add(place: string) {
      places.delete(place);
      places.add(place);
      if (places.size > size) for (const oldest of places) return void places.delete(oldest);
    },
  };
}
