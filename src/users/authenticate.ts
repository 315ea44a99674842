import type { Tokens } from "../platform/auth/tokens.ts";
import type { Reader } from "../platform/database/database.ts";
import type { Caller } from "../platform/http/route.ts";
import { isStorable } from "../platform/text.ts";
import { findCaller } from "./store.ts";

/** A token is valid if this server signed it and its session exists: signing out or changing the password ends the session. */
export function authenticateWith(db: Reader, tokens: Tokens): (token: string) => Promise<Caller | null> {
  return async (token) => {
    const claims = tokens.verify(token);
    if (!claims || !/^[1-9]\d{0,14}$/.test(claims.sub) || !isStorable(claims.jti)) return null;
    return findCaller(db, claims.jti, Number(claims.sub));
  };
}
