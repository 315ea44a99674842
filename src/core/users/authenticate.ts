import type { Tokens } from "../../platform/auth/tokens.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Caller } from "../../platform/http/route.ts";
import { isStorable } from "../../platform/text.ts";
import { findCaller, noteSeen } from "./sessions.ts";

/**
 * A token is valid if this server signed it and its session exists: signing out or changing the password revokes the session.
 * That a session was used is stored now and then. No request waits for that, and no request fails by it.
 */
export function authenticateWith(db: Database, tokens: Tokens): (token: string) => Promise<Caller | null> {
  const noting = new Set<string>();

  function note(tokenID: string): void {
    if (noting.has(tokenID)) return;
    noting.add(tokenID);
    noteSeen(db, tokenID)
      // The next request tries again.
      .catch(() => {})
      .finally(() => noting.delete(tokenID));
  }

  return async (token) => {
    const claims = tokens.verify(token);
    if (!claims || !/^[1-9]\d{0,14}$/.test(claims.sub) || !isStorable(claims.jti)) return null;
    const found = await findCaller(db, claims.jti, Number(claims.sub));
    if (found && !found.isSeenLately) note(claims.jti);
    return found?.caller ?? null;
  };
}
