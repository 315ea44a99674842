import { hashPassword } from "../../platform/auth/passwords.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Role } from "../../platform/http/route.ts";
import { invalidInvitation } from "./invitation.ts";
import { findInvitedRole, takeInvitation } from "./invitations.ts";
import { checkNewPassword } from "./new-password.ts";
import { addMissingSkeletons, checkNameIsFree, insertLocked, lockUsers } from "./store.ts";
import type { Credentials } from "./sign-in.ts";
import type { User } from "./user.ts";

type NewAccount = Credentials & { invitation?: string | undefined };

/** `transaction` adds the account. */
type Deps = { db: Database; transaction: Database["transaction"] };

/**
 * Creates an account with this role, or with that of the invitation. Throws if the name, or one that looks like it, is
 * taken, and if the invitation is not valid.
 */
export async function signUp({ db, transaction }: Deps, account: NewAccount, role: Role): Promise<User> {
  const { username, password, invitation } = account;
  // Checked before the slow hash, and again when the account is added.
  if (invitation !== undefined && !(await findInvitedRole(db, invitation))) throw invalidInvitation();
  await checkNameIsFree(db, username);
  await checkNewPassword(db, account);
  const passwordHash = await hashPassword(password);
  await addMissingSkeletons(db);
  return transaction(async (tx) => {
    await lockUsers(tx);
    const given = invitation === undefined ? role : await takeInvitation(tx, invitation);
    return insertLocked(tx, { name: username, passwordHash, role: given, action: "signedUp" });
  });
}
