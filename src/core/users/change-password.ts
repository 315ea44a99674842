import { invalid, unauthorized } from "../../platform/errors.ts";
import { checkPassword, hashPassword } from "../../platform/auth/passwords.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import type { AccountMails } from "../account-mail/mails.ts";
import { endPasswordLinks } from "../account-mail/links.ts";
import { limitGuesses } from "./guesses.ts";
import { checkNewPassword } from "./new-password.ts";
import { findUser, replacePassword } from "./store.ts";
import type { User } from "./user.ts";

type ChangePassword = (caller: Caller, oldPassword: string, newPassword: string) => Promise<void>;

/**
 * Wrong old passwords are counted per session. Somebody who has stolen a token can neither guess the password with it nor
 * prevent its owner from signing in and changing the password, which revokes the stolen session.
 */
export function createPasswordChange(db: Database, guesses: RateLimit, mails: AccountMails): ChangePassword {
  const tell =
    ({ id, username }: User) =>
    async (tx: Queries) => {
      await endPasswordLinks(tx, id);
      await mails.tell(tx, id, { name: "passwordChanged", words: [username] });
    };
  return async (caller, oldPassword, newPassword) => {
    const account = await findUser(db, caller.id);
    if (!account) throw unauthorized("This account no longer exists.");
    const isCorrect = await limitGuesses(guesses, `session:${caller.tokenID}`, () =>
      checkPassword(oldPassword, account.passwordHash),
    );
    if (isCorrect) await checkNewPassword(db, { username: account.username, password: newPassword }, "newPassword");
    const isChanged =
      isCorrect &&
      (await replacePassword(db, account, await hashPassword(newPassword), {
        keptTokenID: caller.tokenID,
        also: tell(account),
      }));
    if (!isChanged) throw invalid(`"oldPassword" is not the current password.`, "oldPassword");
  };
}
