import { invalid, unauthorized } from "../../platform/errors.ts";
import { checkPassword, hashPassword } from "../../platform/auth/passwords.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import { limitGuesses } from "./guesses.ts";
import { checkNewPassword } from "./new-password.ts";
import { findUser, replacePassword } from "./store.ts";

type ChangePassword = (caller: Caller, oldPassword: string, newPassword: string) => Promise<void>;

/**
 * Wrong old passwords are counted per session. Somebody who has stolen a token can neither guess the password with it nor
 * prevent its owner from signing in and changing the password, which revokes the stolen session.
 */
export function createPasswordChange(db: Database, guesses: RateLimit): ChangePassword {
  return async (caller, oldPassword, newPassword) => {
    const account = await findUser(db, caller.id);
    if (!account) throw unauthorized("This account no longer exists.");
    const isCorrect = await limitGuesses(guesses, `session:${caller.tokenID}`, () =>
      checkPassword(oldPassword, account.passwordHash),
    );
    if (isCorrect) await checkNewPassword(db, { username: account.username, password: newPassword }, "newPassword");
    const isChanged =
      isCorrect && (await replacePassword(db, account, await hashPassword(newPassword), caller.tokenID));
    if (!isChanged) throw invalid(`"oldPassword" is not the current password.`, "oldPassword");
  };
}
