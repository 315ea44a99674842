import { Problem } from "../../platform/errors.ts";
import { checkPassword } from "../../platform/auth/passwords.ts";
import { createTokens } from "../../platform/auth/tokens.ts";
import type { Database } from "../../platform/database/database.ts";
import { limitKey } from "../../platform/http/address.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import { keyedHash, randomBytes } from "../../platform/secrets.ts";
import { describeClient } from "./describe-client.ts";
import { findAccountAt, rememberAddress } from "./familiar-addresses.ts";
import { limitGuesses } from "./guesses.ts";
import { lifetimes } from "./session.ts";
import { addSession } from "./sessions.ts";
import { type User, usernameKey } from "./user.ts";

export type Credentials = { username: string; password: string };
export type SignIn = (sent: Credentials, sender: Sender, lifetime?: number) => Promise<SignedIn>;
/** Where a request comes from. When the password was right, it gets the user, whom the log then names. */
type Sender = Pick<Exchange, "address" | "request" | "callerID">;
export type SignedIn = { token: string; expiresAt: string; user: User };

/**
 * Checks a password and opens a session. Wrong passwords for a name share one bucket, whichever addresses they come from.
 * An address from which the user has signed in before has its own bucket, so that strangers cannot lock the user out. Names
 * and addresses are stored as keyed hashes, which have a fixed length and reveal nothing.
 */
export function createSignIn(db: Database, secret: string, guesses: RateLimit): SignIn {
  const tokens = createTokens(secret);
  const hash = (kind: "name" | "address", value: string) => keyedHash(secret, `${kind}:${value}`);

  return async ({ username: name, password }, sender, lifetime = lifetimes.token) => {
    const address = hash("address", limitKey(sender.address));
    const { account, seenAt } = await findAccountAt(db, name, address);
    const bucket = account && seenAt ? `address:${account.id}:${address}` : `name:${hash("name", usernameKey(name))}`;
    const isCorrect = await limitGuesses(guesses, bucket, () => checkPassword(password, account?.passwordHash ?? null));
    if (!account || !isCorrect) throw wrongCredentials();

    const now = Date.now();
    // Tokens have times in whole seconds.
    const expires = Math.floor((now + lifetime) / 1000) * 1000;
    // 128 bits; a UUID has fewer.
    const tokenID = randomBytes(16).toString("base64url");
    const client = describeClient(sender.request.headers.get("user-agent"));
    const session = { tokenID, expiresAt: expires, client, address: sender.address || null };
    const isOpened = await db.transaction(async (tx) => {
      if (!(await addSession(tx, account, session))) return false;
      await rememberAddress(tx, account.id, address, seenAt);
      return true;
    });
    // The password was changed while it was being checked.
    if (!isOpened) throw wrongCredentials();

    const { passwordHash: _, ...user } = account;
    sender.callerID = user.id;
    const claims = { sub: String(user.id), jti: tokenID, iat: Math.floor(now / 1000), exp: expires / 1000 };
    return { token: tokens.sign(claims), expiresAt: new Date(expires).toISOString(), user };
  };
}

function wrongCredentials(): Problem {
  return new Problem("unauthorized", "The username or the password is wrong.");
}
