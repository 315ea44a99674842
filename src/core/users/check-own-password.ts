import { checkPassword } from "../../platform/auth/passwords.ts";
import type { Database } from "../../platform/database/database.ts";
import { Problem, unauthorized } from "../../platform/errors.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import { limitGuesses } from "./guesses.ts";
import { type Account, findUser } from "./store.ts";

/** Asks the caller for the password again. Wrong passwords are counted as for a change of the password. */
export async function checkOwnPassword(
  db: Database,
  guesses: RateLimit,
  caller: Caller,
  password: string,
): Promise<Account> {
  const account = await findUser(db, caller.id);
  if (!account) throw unauthorized("This account no longer exists.");
  const isCorrect = await limitGuesses(guesses, `session:${caller.tokenID}`, () =>
    checkPassword(password, account.passwordHash),
  );
  if (!isCorrect) throw wrongPassword();
  return account;
}

export const wrongPassword = () => new Problem("unauthorized", "The password is wrong.", { field: "password" });
