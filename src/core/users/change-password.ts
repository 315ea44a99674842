import { invalid, unauthorized } from "../../platform/errors.ts";
import { checkPassword } from "../../platform/auth/passwords.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import type { AccountMails } from "../account-mail/mails.ts";
import { endPasswordLinks } from "../account-mail/links.ts";
import type { FixedSettings } from "../settings/store.ts";
import { limitGuesses } from "./guesses.ts";
import { hashNewPassword } from "./new-password.ts";
import { findUser, replacePassword } from "./store.ts";
import type { User } from "./user.ts";

/** Returns the warning about a weak password, or null. */
type ChangePassword = (caller: Caller, oldPassword: string, newPassword: string) => Promise<string | null>;

type Deps = { db: Database; fixed: FixedSettings; guesses: RateLimit; mails: AccountMails };

/**
 * Wrong old passwords are counted per session. Somebody who has stolen a token can neither guess the password with it nor
 * prevent its owner from signing in and changing the password, which revokes the stolen session.
 */
export function createPasswordChange({ db, fixed, guesses, mails }: Deps): ChangePassword {
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
    if (!isCorrect) throw wrongPassword();
    const hashed = await hashNewPassword(db, fixed, { ...account, password: newPassword }, "newPassword");
    const isChanged = await replacePassword(db, account, hashed, {
      keptTokenID: caller.tokenID,
      also: tell(account),
    });
    if (!isChanged) throw wrongPassword();
    return hashed.warning;
  };
}

const wrongPassword = () => invalid(`"oldPassword" is not the current password.`, "oldPassword");
