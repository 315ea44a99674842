import type { Tokens } from "../../platform/auth/tokens.ts";
import type { Database } from "../../platform/database/database.ts";
import { collectReads } from "../../platform/database/generations.ts";
import type { Caller } from "../../platform/http/route.ts";
import { createRemembered } from "../../platform/remembered.ts";
import { isStorable } from "../../platform/text.ts";
import { findCaller, noteSeen } from "./sessions.ts";

const mostRemembered = 1000;

/** Until a time, or until what it was read from is written. */
type Known = { caller: Caller; until: number; readAt: number; reads: ReadonlySet<string> };

/**
 * A token is valid if this server signed it and its session exists: signing out or changing the password revokes the session.
 * That a session was used is stored now and then. No request waits for that, and no request fails by it.
 */
export function authenticateWith(db: Database, tokens: Tokens): (token: string) => Promise<Caller | null> {
  const noting = new Set<string>();
  const remembered = createRemembered<Known>(mostRemembered);

  function note(tokenID: string): void {
    if (noting.has(tokenID)) return;
    noting.add(tokenID);
    noteSeen(db, tokenID)
      // The next request tries again.
      .catch(() => {})
      .finally(() => noting.delete(tokenID));
  }

  async function find(token: string): Promise<Known | null> {
    const readAt = db.generation();
    const claims = tokens.verify(token);
    if (!claims || !/^[1-9]\d{0,14}$/.test(claims.sub) || !isStorable(claims.jti)) return null;
    const reads = new Set<string>();
    const found = await collectReads(reads, () => findCaller(db, claims.jti, Number(claims.sub)));
    if (!found) return null;
    const { caller, expiresAt, seenUntil } = found;
    if (seenUntil <= Date.now()) note(claims.jti);
    return { caller, until: Math.min(claims.exp * 1000, expiresAt, seenUntil), readAt, reads };
  }

  /** On a database that other servers write to, to know that nothing has changed takes as long as to read it again. */
  function recall(token: string): Known | null {
    if (db.isShared) return null;
    void db.fresh(1);
    const known = remembered.get(token);
    return known && known.until > Date.now() && db.lastWrite(known.reads) <= known.readAt ? known : null;
  }

  return async (token) => {
    const recalled = recall(token);
    const known = recalled ?? (await find(token));
    if (known && !recalled) remembered.set(token, known);
    return known?.caller ?? null;
  };
}
