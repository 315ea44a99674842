import { createToken, hashToken, isToken } from "../../platform/auth/link-tokens.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { sql } from "../../platform/database/sql.ts";

const hour = 3_600_000;
export const linkLifetime = hour;
const adminLifetime = 24 * hour;
/** More than this many links of an account in an hour are not sent, so that nobody can fill a mailbox. */
const mostPerHour = 3;

/** The path of the page on which a password is set. */
export const passwordPage = (token: string): string => `/password/new?token=${token}`;

export const adminLinkExpiry = (): string => new Date(Date.now() + adminLifetime).toISOString();

/** Ends older links of the account, and returns the token of the new one; null if there were too many. */
export async function addPasswordLink(tx: Queries, userID: number, isByAdmin: boolean): Promise<string | null> {
  await tx.lock(`password links ${userID}`);
  const now = Date.now();
  const recent = await tx.get<{ count: number }>(sql`
    SELECT count(*) AS count FROM password_links
    WHERE user_id = ${userID} AND created_at > ${now - hour} AND is_by_admin = 0`);
  if (!isByAdmin && (recent?.count ?? 0) >= mostPerHour) return null;
  const token = createToken();
  await endPasswordLinks(tx, userID);
  await tx.run(sql`
    INSERT INTO password_links (user_id, token_hash, is_by_admin, created_at, expires_at, is_ended)
    VALUES (${userID}, ${hashToken(token)}, ${isByAdmin ? 1 : 0}, ${now},
      ${now + (isByAdmin ? adminLifetime : linkLifetime)}, 0)`);
  return token;
}

const isValid = (token: string) =>
  sql`token_hash = ${hashToken(token)} AND is_ended = 0 AND expires_at > ${Date.now()}`;

/** Whose password a token sets; null if it is not valid. */
export async function findLinkOwner(db: Reader, token: string): Promise<number | null> {
  const row = isToken(token)
    ? await db.get<{ user_id: number }>(sql`SELECT user_id FROM password_links WHERE ${isValid(token)}`)
    : null;
  return row?.user_id ?? null;
}

/** Uses a link up, and ends all others of the account. Of two who use it at the same moment, one gets null. */
export async function takePasswordLink(
  tx: Queries,
  token: string,
): Promise<{ userID: number; isByAdmin: boolean } | null> {
  const link = await tx.get<{ user_id: number; is_by_admin: number }>(sql`
    UPDATE password_links SET is_ended = 1 WHERE ${isValid(token)} RETURNING user_id, is_by_admin`);
  if (!link) return null;
  await endPasswordLinks(tx, link.user_id);
  return { userID: link.user_id, isByAdmin: link.is_by_admin === 1 };
}

/** Links that were made before no longer work. */
export async function endPasswordLinks(tx: Queries, userID: number): Promise<void> {
  await tx.run(sql`UPDATE password_links SET is_ended = 1 WHERE user_id = ${userID} AND is_ended = 0`);
}

export const removeOldLinks = (db: Database): Promise<number> =>
  removeRows(db, "password_links", sql`expires_at <= ${Date.now() - hour}`);
