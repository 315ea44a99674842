import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { Problem } from "../../platform/errors.ts";
import { addressKey, parseAddress } from "../../platform/mail/address.ts";
import { findLinkOwner, takePasswordLink } from "../account-mail/links.ts";
import type { FixedSettings } from "../settings/store.ts";
import { hashNewPassword } from "../users/new-password.ts";
import { findUser, setForgottenPassword } from "../users/store.ts";
import { type User, usernameKey } from "../users/user.ts";

/** Accounts that share an address: a family, not a crowd. */
const mostAccounts = 5;

type Meant = { id: number; username: string; address: string };

/** Those who are meant by a username or a confirmed address. */
export async function findMeant(db: Reader, text: string): Promise<Meant[]> {
  const address = parseAddress(text);
  const isAddress = address === null ? sql`1 = 0` : sql`address_key = ${addressKey(address)}`;
  return db.all<Meant>(sql`
    SELECT users.id, username, address FROM users JOIN user_addresses ON user_id = users.id
    WHERE address IS NOT NULL AND (username_key = ${usernameKey(text)} OR ${isAddress})
    ORDER BY users.id LIMIT ${mostAccounts}`);
}

/** Whose password a token sets; null if it is not valid. */
export async function findLinkUser(db: Reader, token: string): Promise<User | null> {
  const id = await findLinkOwner(db, token);
  return id === null ? null : findUser(db, id);
}

/** The same for every reason. */
const invalidLink = () =>
  new Problem("forbidden", "This link is not valid: it was used, a newer one was sent, or it has expired.", {
    field: "token",
  });

/**
 * Sets a new password, once for each link, and signs the person out everywhere. A link of an admin is for an account that was
 * lost: its app keys go, too. Nobody is signed in by it, so a second factor is still asked for. `also` runs in the same transaction.
 * Returns the warning about a weak password, or null.
 */
export async function usePasswordLink(
  { db, fixed }: { db: Database; fixed: FixedSettings },
  token: string,
  password: string,
  also: (tx: Queries, user: User) => Promise<void>,
): Promise<string | null> {
  // Only a valid link costs a hash.
  const owner = await findLinkUser(db, token);
  if (!owner) throw invalidLink();
  const hashed = await hashNewPassword(db, fixed, { ...owner, password }, "newPassword");
  await db.transaction(async (tx) => {
    const link = await takePasswordLink(tx, token);
    const user = link && (await findUser(tx, link.userID));
    if (!user) throw invalidLink();
    await setForgottenPassword(tx, user, hashed, { keepsKeys: !link.isByAdmin });
    await also(tx, user);
  });
  return hashed.warning;
}
