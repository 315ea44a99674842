import { createToken, hashToken, isToken } from "../../platform/auth/link-tokens.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { sql } from "../../platform/database/sql.ts";
import { hashOfText } from "../../platform/hash.ts";

const lifetimeMs = 5 * 60_000;
const maxAttempts = 5;

type Account = { id: number; passwordHash: string };

/** What a sign-in whose password was right continues with. It is stored as a hash. */
export async function createTicket(tx: Queries, account: Account): Promise<string> {
  const ticket = createToken();
  await tx.run(sql`DELETE FROM signin_tickets WHERE user_id = ${account.id} AND expires_at <= ${Date.now()}`);
  await tx.run(sql`
    INSERT INTO signin_tickets (ticket_hash, user_id, password_tag, attempts, expires_at)
    VALUES (${hashToken(ticket)}, ${account.id}, ${tagOf(account)}, 0, ${Date.now() + lifetimeMs})`);
  return ticket;
}

const isOpen = (ticket: string) => sql`
  ticket_hash = ${hashToken(ticket)} AND expires_at > ${Date.now()} AND attempts < ${maxAttempts}`;

/** Whose ticket it is; null if it can no longer be used. */
export async function findTicketUser(db: Reader, ticket: string): Promise<number | null> {
  if (!isToken(ticket)) return null;
  const row = await db.get<{ userID: number }>(sql`
    SELECT user_id AS "userID" FROM signin_tickets WHERE ${isOpen(ticket)}`);
  return row?.userID ?? null;
}

/**
 * Counts an attempt with the ticket of this account. False if there were too many, and if the password was changed since the
 * ticket was made. Until the transaction ends, others who use the ticket wait.
 */
export async function countAttempt(tx: Queries, ticket: string, account: Account): Promise<boolean> {
  const counted = await tx.run(sql`
    UPDATE signin_tickets SET attempts = attempts + 1
    WHERE ${isOpen(ticket)} AND user_id = ${account.id} AND password_tag = ${tagOf(account)}`);
  return counted > 0;
}

export async function removeTicket(tx: Queries, ticket: string): Promise<void> {
  await tx.run(sql`DELETE FROM signin_tickets WHERE ticket_hash = ${hashToken(ticket)}`);
}

export async function removeTicketsOf(tx: Queries, userID: number): Promise<void> {
  await tx.run(sql`DELETE FROM signin_tickets WHERE user_id = ${userID}`);
}

export const removeExpiredTickets = (db: Database): Promise<number> =>
  removeRows(db, "signin_tickets", sql`expires_at <= ${Date.now()}`, "ticket_hash");

/** The stored hash of a password is never the same again, even for the same password. */
const tagOf = ({ passwordHash }: Account): string => hashOfText(passwordHash);
