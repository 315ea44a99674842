import { recordActivity } from "../activity/record.ts";
import { hashPassword } from "../../platform/auth/passwords.ts";
import { createToken, hashToken, isToken } from "../../platform/auth/link-tokens.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { sql } from "../../platform/database/sql.ts";
import { Problem } from "../../platform/errors.ts";
import { addressKey, parseAddress } from "../../platform/mail/address.ts";
import { endPasswordLinks } from "../account-mail/store.ts";
import { revokeEverything, revokeSessions } from "../users/sessions.ts";
import { activityOf, findUser } from "../users/store.ts";
import { type User, usernameKey } from "../users/user.ts";

const hour = 3_600_000;
export const linkLifetime = hour;
const adminLifetime = 24 * hour;
/** More than this many links of an account in an hour are not sent, so that nobody can fill a mailbox. */
const mostPerHour = 3;
/** Accounts that share an address: a family, not a crowd. */
const mostAccounts = 5;

/** The path of the page on which a password is set. */
export const passwordPage = (token: string): string => `/password/new?token=${token}`;

/** Those who are meant by a username or a confirmed address. */
export async function findMeant(
  db: Reader,
  text: string,
): Promise<{ id: number; username: string; address: string }[]> {
  const address = parseAddress(text);
  const isAddress = address === null ? sql`1 = 0` : sql`address_key = ${addressKey(address)}`;
  return db.all(sql`
    SELECT users.id, username, address FROM users JOIN user_addresses ON user_id = users.id
    WHERE address IS NOT NULL AND (username_key = ${usernameKey(text)} OR ${isAddress})
    ORDER BY users.id LIMIT ${mostAccounts}`);
}

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

export const adminLinkExpiry = (): string => new Date(Date.now() + adminLifetime).toISOString();

const isValid = (token: string) =>
  sql`token_hash = ${hashToken(token)} AND is_ended = 0 AND expires_at > ${Date.now()}`;

/** Whose password a token sets; null if it is not valid. */
export async function findLinkUser(db: Reader, token: string): Promise<User | null> {
  const row = isToken(token)
    ? await db.get<{ user_id: number }>(sql`SELECT user_id FROM password_links WHERE ${isValid(token)}`)
    : null;
  return row && findUser(db, row.user_id);
}

/** The same for every reason. */
export const invalidLink = () =>
  new Problem("forbidden", "This link is not valid: it was used, a newer one was sent, or it has expired.", {
    field: "token",
  });

/**
 * Sets a new password, once for each link, and signs the person out everywhere. A link of an admin is for an account that was
 * lost: its app keys go, too. Nobody is signed in by it, so a second factor is still asked for. `also` runs in the same transaction.
 */
export async function usePasswordLink(
  db: Database,
  token: string,
  password: string,
  also: (tx: Queries, user: User) => Promise<void>,
): Promise<void> {
  // Only a valid link costs a hash.
  if (!(await findLinkUser(db, token))) throw invalidLink();
  const passwordHash = await hashPassword(password);
  await db.transaction(async (tx) => {
    const link = await tx.get<{ user_id: number; is_by_admin: number }>(sql`
      UPDATE password_links SET is_ended = 1 WHERE ${isValid(token)} RETURNING user_id, is_by_admin`);
    const user = link && (await findUser(tx, link.user_id));
    if (!link || !user) throw invalidLink();
    await endPasswordLinks(tx, user.id);
    await tx.run(sql`
      UPDATE users SET password_hash = ${passwordHash}, updated_at = ${Date.now()} WHERE id = ${user.id}`);
    if (link.is_by_admin) await revokeEverything(tx, user.id);
    else await revokeSessions(tx, user.id);
    recordActivity(tx, user.id, "passwordChanged", activityOf(user));
    await also(tx, user);
  });
}

export const removeOldLinks = (db: Database): Promise<number> =>
  removeRows(db, "password_links", sql`expires_at <= ${Date.now() - hour}`);
