import { missing } from "../../platform/errors.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import type { Page } from "../../platform/database/lists.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { sql } from "../../platform/database/sql.ts";
import type { Caller } from "../../platform/http/route.ts";
import { endPending } from "../account-mail/store.ts";
import { removeTicketsOf } from "../factors/tickets.ts";
import { removeKeysOf } from "../keys/store.ts";
import { lacksFactor } from "../settings/needed-factors.ts";
import { type Session } from "./session.ts";

/** How long a use of a session is not stored again, so that reading writes nothing. */
const seenPrecision = 3_600_000;

type NewSession = { tokenID: string; expiresAt: number; client: string | null; address: string | null };

/** Returns false, and adds nothing, if the password has changed since `account` was read. */
export async function addSession(
  tx: Queries,
  account: { id: number; passwordHash: string },
  { tokenID, expiresAt, client, address }: NewSession,
): Promise<boolean> {
  const now = sql`CAST(${Date.now()} AS BIGINT)`;
  const added = await tx.run(sql`
    INSERT INTO sessions (token_id, user_id, expires_at, created_at, seen_at, client, address)
    SELECT CAST(${tokenID} AS TEXT), id, CAST(${expiresAt} AS BIGINT), ${now}, ${now}, CAST(${client} AS TEXT),
      CAST(${address} AS TEXT)
    FROM users WHERE id = ${account.id} AND password_hash = ${account.passwordHash} ${tx.forShare}`);
  return added > 0;
}

/**
 * The current user of a session: a changed role applies from the next request on. At `seenUntil` it is time to store that the
 * session was used.
 */
export async function findCaller(
  db: Reader,
  tokenID: string,
  userID: number,
): Promise<{ caller: Caller; expiresAt: number; seenUntil: number } | null> {
  const now = Date.now();
  type Row = Omit<Caller, "needsFactor"> & { expiresAt: number; seenAt: number | null; lacksFactor: number };
  const row = await db.get<Row>(sql`
    SELECT users.id, users.username, users.role, sessions.token_id AS "tokenID", sessions.expires_at AS "expiresAt",
      sessions.seen_at AS "seenAt", ${lacksFactor} AS "lacksFactor"
    FROM sessions JOIN users ON users.id = sessions.user_id
    WHERE sessions.token_id = ${tokenID} AND users.id = ${userID} AND sessions.expires_at > ${now}`);
  if (!row) return null;
  const { expiresAt, seenAt, lacksFactor: isLacking, ...known } = row;
  const caller: Caller = isLacking ? { ...known, needsFactor: true } : known;
  return { caller, expiresAt, seenUntil: (seenAt ?? 0) + seenPrecision };
}

export async function noteSeen(db: Database, tokenID: string): Promise<void> {
  const now = Date.now();
  await db.transaction((tx) =>
    tx.run(sql`
      UPDATE sessions SET seen_at = ${now}
      WHERE token_id = ${tokenID} AND seen_at <= ${now - seenPrecision}`),
  );
}

type SessionRow = {
  id: number;
  token_id: string;
  expires_at: number;
  created_at: number;
  seen_at: number;
  client: string | null;
  address: string | null;
};

/** The sessions of the caller: the current one first, then the newest. */
export async function listSessions(
  db: Reader,
  { id, tokenID }: Caller,
  { offset, size }: Page,
): Promise<{ items: Session[]; total: number }> {
  const isOpen = sql`user_id = ${id} AND expires_at > ${Date.now()}`;
  const rows = await db.all<SessionRow>(sql`
    SELECT id, token_id, expires_at, created_at, seen_at, client, address FROM sessions WHERE ${isOpen}
    ORDER BY CASE token_id WHEN ${tokenID} THEN 0 ELSE 1 END, id DESC LIMIT ${size} OFFSET ${offset}`);
  const all = await db.get<{ count: number }>(sql`SELECT count(*) AS count FROM sessions WHERE ${isOpen}`);
  return { items: rows.map((row) => toSession(row, tokenID)), total: all?.count ?? 0 };
}

/** The token of a session. Throws if the user has no such session. */
export async function getTokenID(db: Reader, userID: number, id: number): Promise<string> {
  const row = await db.get<{ tokenID: string }>(sql`
    SELECT token_id AS "tokenID" FROM sessions
    WHERE id = ${id} AND user_id = ${userID} AND expires_at > ${Date.now()}`);
  if (!row) throw missing(`session ${id}`);
  return row.tokenID;
}

export async function revokeSession(tx: Queries, tokenID: string): Promise<void> {
  await tx.run(sql`DELETE FROM sessions WHERE token_id = ${tokenID}`);
}

/** From the next request on, nothing that knows no password acts for the user: every session and every app key is revoked. */
export async function revokeEverything(tx: Queries, userID: number): Promise<void> {
  await revokeSessions(tx, userID);
  await removeTicketsOf(tx, userID);
  await removeKeysOf(tx, userID);
}

/**
 * Revokes every session of the user, except the one with this token, and ends what others may have begun with them: an address
 * that waits to be confirmed.
 */
export async function revokeSessions(tx: Queries, userID: number, keptTokenID = ""): Promise<void> {
  await endPending(tx, userID);
  await tx.run(sql`DELETE FROM sessions WHERE user_id = ${userID} AND token_id <> ${keptTokenID}`);
}

export function removeExpiredSessions(db: Database): Promise<number> {
  return removeRows(db, "sessions", sql`expires_at <= ${Date.now()}`);
}

function toSession(row: SessionRow, currentTokenID: string): Session {
  return {
    id: row.id,
    createdAt: new Date(row.created_at).toISOString(),
    lastSeenAt: new Date(row.seen_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
    client: row.client,
    address: row.address,
    isCurrent: row.token_id === currentTokenID,
  };
}
