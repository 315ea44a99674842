import { isTOTPCode } from "../../platform/auth/totp.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { Problem } from "../../platform/errors.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import type { AccountMails } from "../account-mail/mails.ts";
import { takeRecoveryCode } from "../factors/recovery-codes.ts";
import { countAttempt, findTicketUser, removeTicket } from "../factors/tickets.ts";
import { takeTOTPCode } from "../factors/totp-store.ts";
import { findSeenAt, hashAddress, rememberAddress } from "./familiar-addresses.ts";
import { limitGuesses } from "./guesses.ts";
import { noteFactor } from "./note-factor.ts";
import { createOpenSessionIn, type Sender, type SignedIn } from "./open-session.ts";
import { type Account, findUser } from "./store.ts";

export type SecondStepDeps = { db: Database; secret: string; factorGuesses: RateLimit; mails: AccountMails };

/** Whether somebody has proved to have the second factor of this account, in the transaction that opens the session. */
type CheckFactor = (tx: Queries, account: Account) => Promise<boolean>;
type Attempt = { ticket: string; sender: Sender; lifetime: number };

/** The second step of a sign-in whose password was right: with a code, or with whatever `check` checks. */
export type SecondStep = {
  complete(attempt: Attempt, check: CheckFactor): Promise<SignedIn>;
  completeWithCode(attempt: Attempt, code: string): Promise<SignedIn>;
};

/**
 * The ticket ends with its use, with a change of the password, and after a few wrong codes. Wrong codes are counted for the
 * account, and for each address from which the user has signed in before, as for passwords. All failures look alike.
 */
export function createSecondStep(deps: SecondStepDeps): SecondStep {
  const { db, secret, factorGuesses } = deps;
  const openSession = createOpenSessionIn(secret);

  async function complete({ ticket, sender, lifetime }: Attempt, check: CheckFactor): Promise<SignedIn> {
    const userID = await findTicketUser(db, ticket);
    if (userID === null) throw refused();
    const address = hashAddress(secret, sender.address);
    const seenAt = await findSeenAt(db, userID, address);
    let opened: SignedIn | null = null;
    await limitGuesses(factorGuesses, seenAt ? `factor:${userID}:${address}` : `factor:${userID}`, async () => {
      opened = await db.transaction(async (tx) => {
        const account = await findUser(tx, userID);
        if (!account || !(await countAttempt(tx, ticket, account)) || !(await check(tx, account))) return null;
        await removeTicket(tx, ticket);
        await rememberAddress(tx, userID, address, seenAt);
        return openSession(tx, { account, sender, lifetime });
      });
      return opened !== null;
    });
    if (!opened) throw refused();
    return opened;
  }

  return {
    complete,
    completeWithCode: (attempt, code) => complete(attempt, (tx, account) => takeCode(tx, deps, account, code)),
  };
}

/** Uses up a code of an authenticator app, or a recovery code: they are told apart by their form. */
export async function takeCode(
  tx: Queries,
  { secret, mails }: Pick<SecondStepDeps, "secret" | "mails">,
  user: Pick<Account, "id" | "username">,
  code: string,
): Promise<boolean> {
  const digits = code.replaceAll(/\s/g, "");
  if (isTOTPCode(digits)) return takeTOTPCode(tx, secret, user.id, digits);
  const isTaken = await takeRecoveryCode(tx, user.id, code);
  if (isTaken) await noteFactor(tx, mails, user, "recoveryCodeUsed");
  return isTaken;
}

const refused = () =>
  new Problem("unauthorized", "The code is wrong or was used already, or the sign-in took too long. Sign in again.");
