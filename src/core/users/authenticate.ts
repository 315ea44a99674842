import type { Tokens } from "../../platform/auth/tokens.ts";
import type { Database } from "../../platform/database/database.ts";
import { collectReads } from "../../platform/database/generations.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { Authenticate } from "../../platform/http/token.ts";
import { createRemembered } from "../../platform/remembered.ts";
import { isStorable } from "../../platform/text.ts";
import type { KeyLimits } from "../keys/limits.ts";
import { findKeyCaller, isKey, noteKeyUsed } from "../keys/store.ts";
import { isForBrowser } from "./session.ts";
import { findCaller, noteSeen } from "./sessions.ts";

const mostRemembered = 1000;

/** Who a token belongs to, until when this is so, and from when on its use is to be stored. */
type Found = { caller: Caller; expiresAt: number; notedUntil: number; note: () => Promise<void> };

/** Until a time, or until what it was read from is written. */
type Known = { caller: Caller; until: number; readAt: number; reads: ReadonlySet<string> };

/**
 * A token is valid if this server signed it and its session exists: signing out or changing the password revokes the session.
 * An app key is valid while it is stored. That they were used is stored now and then. No request waits for that, and no
 * request fails by it.
 */
export function authenticateWith(db: Database, tokens: Tokens, limits: KeyLimits): Authenticate {
  const noting = new Set<string>();
  const remembered = createRemembered<Known>(mostRemembered);

  function noteOnce(tokenID: string, note: () => Promise<void>): void {
    if (noting.has(tokenID)) return;
    noting.add(tokenID);
    note()
      // The next request tries again.
      .catch(() => {})
      .finally(() => noting.delete(tokenID));
  }

  async function findSession(token: string): Promise<Found | null> {
    const claims = tokens.verify(token);
    if (!claims || !/^[1-9]\d{0,14}$/.test(claims.sub) || !isStorable(claims.jti)) return null;
    const found = await findCaller(db, claims.jti, Number(claims.sub));
    if (!found) return null;
    const { expiresAt, seenUntil } = found;
    const caller: Caller = isForBrowser(claims) ? { ...found.caller, isInBrowser: true } : found.caller;
    const end = Math.min(claims.exp * 1000, expiresAt);
    return { caller, expiresAt: end, notedUntil: seenUntil, note: () => noteSeen(db, claims.jti) };
  }

  async function findKey(key: string, address: string): Promise<Found | null> {
    const found = await findKeyCaller(db, limits, key);
    if (!found) return null;
    const { caller, expiresAt, usedUntil } = found;
    return { caller, expiresAt, notedUntil: usedUntil, note: () => noteKeyUsed(db, caller.key.id, address) };
  }

  async function find(token: string, address: string): Promise<Known | null> {
    const readAt = db.generation();
    const reads = new Set<string>();
    const found = await collectReads(reads, () => (isKey(token) ? findKey(token, address) : findSession(token)));
    if (!found) return null;
    const { caller, expiresAt, notedUntil, note } = found;
    if (notedUntil <= Date.now()) noteOnce(caller.tokenID, note);
    return { caller, until: Math.min(expiresAt, notedUntil), readAt, reads };
  }

  /** On a database that other servers write to, to know that nothing has changed takes as long as to read it again. */
  function recall(token: string): Known | null {
    if (db.isShared) return null;
    void db.fresh(1);
    const known = remembered.get(token);
    return known && known.until > Date.now() && db.lastWrite(known.reads) <= known.readAt ? known : null;
  }

  return async (token, address) => {
    const recalled = recall(token);
    const known = recalled ?? (await find(token, address));
    if (known && !recalled) remembered.set(token, known);
    return known?.caller ?? null;
  };
}
