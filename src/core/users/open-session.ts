import { createTokens } from "../../platform/auth/tokens.ts";
import type { Queries } from "../../platform/database/database.ts";
import { limitKey } from "../../platform/http/address.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import { keyedHash, randomBytes } from "../../platform/secrets.ts";
import { describeClient } from "./describe-client.ts";
import { rememberAddress } from "./familiar-addresses.ts";
import { addSession } from "./sessions.ts";
import type { Account } from "./store.ts";
import type { User } from "./user.ts";

/** Where a request comes from. When somebody was signed in, it gets the user, whom the log then names. */
export type Sender = Pick<Exchange, "address" | "request" | "callerID">;
export type SignedIn = { token: string; expiresAt: string; user: User };

/** `lifetimeMs` is how long the session lasts; `seenAt` is when the user last signed in from there, if that is known. */
type Opening = { sender: Sender; lifetimeMs: number; seenAt: number | null };
type OpenSession = (tx: Queries, account: Account, opening: Opening) => Promise<SignedIn | null>;

/** The address of a sender as it is stored: a keyed hash, which has a fixed length and reveals nothing. */
export const hashAddress = (secret: string, { address }: Pick<Sender, "address">): string =>
  keyedHash(secret, `address:${limitKey(address)}`);

/**
 * Opens a session for somebody who has proved who they are. `secret` signs the token. Returns null if the password has
 * changed since `account` was read.
 */
export function createOpenSession(secret: string): OpenSession {
  const tokens = createTokens(secret);
  return async (tx, account, { sender, lifetimeMs, seenAt }) => {
    const now = Date.now();
    // Tokens have times in whole seconds.
    const expires = Math.floor((now + lifetimeMs) / 1000) * 1000;
    // 128 bits; a UUID has fewer.
    const tokenID = randomBytes(16).toString("base64url");
    const client = describeClient(sender.request.headers.get("user-agent"));
    const session = { tokenID, expiresAt: expires, client, address: sender.address || null };
    if (!(await addSession(tx, account, session))) return null;
    await rememberAddress(tx, account.id, hashAddress(secret, sender), seenAt);
    const { passwordHash: _, ...user } = account;
    sender.callerID = user.id;
    const claims = { sub: String(user.id), jti: tokenID, iat: Math.floor(now / 1000), exp: expires / 1000 };
    return { token: tokens.sign(claims), expiresAt: new Date(expires).toISOString(), user };
  };
}
