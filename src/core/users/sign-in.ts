import { Problem } from "../../platform/errors.ts";
import { checkPassword } from "../../platform/auth/passwords.ts";
import type { Database } from "../../platform/database/database.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import { keyedHash } from "../../platform/secrets.ts";
import { listFactors } from "../factors/factors.ts";
import { createTicket } from "../factors/tickets.ts";
import { findAccountAt, hashAddress, rememberAddress } from "./familiar-addresses.ts";
import { limitGuesses } from "./guesses.ts";
import { createOpenSession, type Sender, type SignedIn } from "./open-session.ts";
import { lifetimes } from "./session.ts";
import { usernameKey } from "./user.ts";

export type Credentials = { username: string; password: string };
export type SignIn = (sent: Credentials, sender: Sender, lifetime?: number) => Promise<SignedIn>;

/**
 * Checks a password and opens a session. Wrong passwords for a name share one bucket, whichever addresses they come from.
 * An address from which the user has signed in before has its own bucket, so that strangers cannot lock the user out. Names
 * and addresses are stored as keyed hashes, which have a fixed length and reveal nothing. For an account with a second
 * factor, it throws a problem with a ticket for the second step instead.
 */
export function createSignIn(db: Database, secret: string, guesses: RateLimit): SignIn {
  const openSession = createOpenSession(db, secret);

  return async ({ username: name, password }, sender, lifetime = lifetimes.token) => {
    const address = hashAddress(secret, sender.address);
    const { account, seenAt } = await findAccountAt(db, name, address);
    const named = `name:${keyedHash(secret, `name:${usernameKey(name)}`)}`;
    const bucket = account && seenAt ? `address:${account.id}:${address}` : named;
    const isCorrect = await limitGuesses(guesses, bucket, () => checkPassword(password, account?.passwordHash ?? null));
    if (!account || !isCorrect) throw wrongCredentials();

    const factors = await listFactors(db, account.id);
    if (factors.length > 0) {
      const ticket = await db.transaction((tx) => createTicket(tx, account));
      throw new Problem("factor_required", "The password is right. Now take the second step of signing in.", {
        details: { ticket, factors },
      });
    }
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
