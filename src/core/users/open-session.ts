import { createTokens } from "../../platform/auth/tokens.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import { randomBytes } from "../../platform/secrets.ts";
import { describeClient } from "./describe-client.ts";
import { addSession } from "./sessions.ts";
import type { Account } from "./store.ts";
import type { User } from "./user.ts";

/** Where a request comes from. When the person is known, it gets the user, whom the log then names. */
export type Sender = Pick<Exchange, "address" | "request" | "callerID">;
export type SignedIn = { token: string; expiresAt: string; user: User };
type Opening = { account: Account; sender: Sender; lifetime: number };

/** Null if the password has changed since the account was read. */
type OpenSessionIn = (tx: Queries, opening: Opening) => Promise<SignedIn | null>;

/** Opens the session of somebody who has shown who they are, in the transaction that has checked it. `secret` signs the token. */
export function createOpenSessionIn(secret: string): OpenSessionIn {
  const tokens = createTokens(secret);
  return async (tx, { account, sender, lifetime }) => {
    const now = Date.now();
    // Tokens have times in whole seconds.
    const expires = Math.floor((now + lifetime) / 1000) * 1000;
    // 128 bits; a UUID has fewer.
    const tokenID = randomBytes(16).toString("base64url");
    const client = describeClient(sender.request.headers.get("user-agent"));
    const session = { tokenID, expiresAt: expires, client, address: sender.address || null };
    if (!(await addSession(tx, account, session))) return null;
    const { passwordHash: _, ...user } = account;
    sender.callerID = user.id;
    const claims = { sub: String(user.id), jti: tokenID, iat: Math.floor(now / 1000), exp: expires / 1000 };
    return { token: tokens.sign(claims), expiresAt: new Date(expires).toISOString(), user };
  };
}

/** `also` is what else is written with the session; if it throws, no session is opened. */
type OpenSession = (opening: Opening & { also?: (tx: Queries) => Promise<void> }) => Promise<SignedIn | null>;

export function createOpenSession(db: Database, secret: string): OpenSession {
  const openIn = createOpenSessionIn(secret);
  return ({ also, ...opening }) =>
    db.transaction(async (tx) => {
      const opened = await openIn(tx, opening);
      if (opened) await also?.(tx);
      return opened;
    });
}
