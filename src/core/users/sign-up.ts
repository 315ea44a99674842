import type { Database } from "../../platform/database/database.ts";
import type { Role } from "../../platform/http/route.ts";
import type { FixedSettings } from "../settings/store.ts";
import { invalidInvitation } from "./invitation.ts";
import { findInvitedRole, takeInvitation } from "./invitations.ts";
import { hashNewPassword } from "./new-password.ts";
import { checkNameIsFree, insertLocked, lockUsers } from "./store.ts";
import type { Credentials } from "./sign-in.ts";
import type { User } from "./user.ts";

type NewAccount = Credentials & { invitation?: string | undefined };

/** `transaction` adds the account. */
type Deps = { db: Database; transaction: Database["transaction"]; fixed: FixedSettings };

/** `warning` is about a weak password. */
export type SignedUp = { user: User; warning: string | null };

/**
 * Creates an account with the usual role, or with that of the invitation. Throws if the name, or one that looks like it, is
 * taken, if the invitation is not valid, and if the password has to be strong and is not.
 */
export async function signUp({ db, transaction, fixed }: Deps, account: NewAccount, usual: Role): Promise<SignedUp> {
  const { username, password, invitation } = account;
  // Checked before the slow hash, and again when the account is added.
  const role = invitation === undefined ? usual : await findInvitedRole(db, invitation);
  if (role === null) throw invalidInvitation();
  await checkNameIsFree(db, username);
  const hashed = await hashNewPassword(db, fixed, { username, password, role });
  return transaction(async (tx) => {
    await lockUsers(tx);
    if (invitation !== undefined) await takeInvitation(tx, invitation);
    const user = await insertLocked(tx, { name: username, password: hashed, role, action: "signedUp" });
    return { user, warning: hashed.warning };
  });
}
