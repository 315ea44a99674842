import { hashPassword } from "../platform/auth/passwords.ts";
import type { Database } from "../platform/database/database.ts";
import type { Role } from "../platform/http/route.ts";
import { checkNameIsFree, signUpUser } from "./store.ts";
import type { Credentials } from "./sign-in.ts";
import type { User } from "./user.ts";

/** Throws if the name, or one that looks like it, is taken. */
export async function signUp(db: Database, { username, password }: Credentials, role: Role): Promise<User> {
  // Checked before the slow hash, and again when the account is added.
  await checkNameIsFree(db, username);
  return signUpUser(db, username, await hashPassword(password), role);
}
