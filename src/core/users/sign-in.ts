import { Problem } from "../../platform/errors.ts";
import { checkPassword } from "../../platform/auth/passwords.ts";
import type { Database } from "../../platform/database/database.ts";
import { limitKey } from "../../platform/http/address.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import { keyedHash } from "../../platform/secrets.ts";
import { findAccountAt, rememberAddress } from "./familiar-addresses.ts";
import { limitGuesses } from "./guesses.ts";
import { lifetimes } from "./session.ts";
import { createOpenSession, type Sender, type SignedIn } from "./open-session.ts";
import { usernameKey } from "./user.ts";

export type Credentials = { username: string; password: string };
export type SignIn = (sent: Credentials, sender: Sender, lifetime?: number) => Promise<SignedIn>;

/**
 * Checks a password and opens a session. Wrong passwords for a name share one bucket, whichever addresses they come from.
 * An address from which the user has signed in before has its own bucket, so that strangers cannot lock the user out. Names
 * and addresses are stored as keyed hashes, which have a fixed length and reveal nothing.
 */
export function createSignIn(db: Database, secret: string, guesses: RateLimit): SignIn {
  const openSession = createOpenSession(db, secret);
  const hash = (kind: "name" | "address", value: string) => keyedHash(secret, `${kind}:${value}`);

  return async ({ username: name, password }, sender, lifetime = lifetimes.token) => {
    const address = hash("address", limitKey(sender.address));
    const { account, seenAt } = await findAccountAt(db, name, address);
    const bucket = account && seenAt ? `address:${account.id}:${address}` : `name:${hash("name", usernameKey(name))}`;
    const isCorrect = await limitGuesses(guesses, bucket, () => checkPassword(password, account?.passwordHash ?? null));
    if (!account || !isCorrect) throw wrongCredentials();

    const opened = await openSession({
      account,
      sender,
      lifetime,
      also: (tx) => rememberAddress(tx, account.id, address, seenAt),
    });
    // The password was changed while it was being checked.
    if (!opened) throw wrongCredentials();
    return opened;
  };
}

function wrongCredentials(): Problem {
  return new Problem("unauthorized", "The username or the password is wrong.");
}
