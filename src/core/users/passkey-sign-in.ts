import { noPasswordHash } from "../../platform/auth/passwords.ts";
import type { Database } from "../../platform/database/database.ts";
import { Problem } from "../../platform/errors.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import type { Log } from "../../platform/log.ts";
import { createOpenSession, type SignedIn } from "./open-session.ts";
import { lifetimes } from "./session.ts";
import { findUser } from "./store.ts";
import { createPasskeyCheck } from "../passkeys/check.ts";
import type { Assertion } from "../passkeys/passkey.ts";

export type SignInWithPasskey = (response: Assertion, exchange: Exchange, lifetime?: number) => Promise<SignedIn>;

/** Signing in with a passkey alone, without a name or a password. It is two factors in one: the device, and its owner. */
export function createPasskeySignIn(deps: { db: Database; secret: string; log: Log }): SignInWithPasskey {
  const { check } = createPasskeyCheck(deps);
  const openSession = createOpenSession(deps.db, deps.secret);
  return async (response, exchange, lifetime = lifetimes.token) => {
    const { userID, note } = await check(response, exchange, null);
    const account = await findUser(deps.db, userID);
    // Somebody who is being removed cannot sign in.
    const canSignIn = account !== null && account.passwordHash !== noPasswordHash;
    const opened = canSignIn && (await openSession({ account, sender: exchange, lifetime, also: note }));
    if (!opened) throw new Problem("unauthorized", "The passkey was not accepted. Try again.");
    return opened;
  };
}
