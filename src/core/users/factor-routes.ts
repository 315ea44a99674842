import { totpURI } from "../../platform/auth/totp.ts";
import type { Queries } from "../../platform/database/database.ts";
import { invalid } from "../../platform/errors.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { type Caller, type Route, route } from "../../platform/http/route.ts";
import { toISO } from "../../platform/http/times.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import {
  codeSchema,
  confirmedSchema,
  factorsSchema,
  newTOTPSchema,
  passwordAndCodeSchema,
  passwordSchema,
  recoveryCodesSchema,
  renewalSchema,
  secondStepSchema,
} from "../factors/factor.ts";
import { countRecoveryCodes, listFactors, tidyRecoveryCodes } from "../factors/factors.ts";
import { addFirstRecoveryCodes, renewRecoveryCodes } from "../factors/recovery-codes.ts";
import { beginTOTP, confirmTOTP, findTOTP, removeTOTP } from "../factors/totp-store.ts";
import { isFactorNeeded } from "../settings/needed-factors.ts";
import { checkOwnPassword } from "./check-own-password.ts";
import { limitGuesses } from "./guesses.ts";
import { noteFactor } from "./note-factor.ts";
import { createSecondStep, type SecondStepDeps, takeCode } from "./second-step.ts";
import { lifetimes } from "./session.ts";
import { signedInSchema } from "./user.ts";

const tag = "Accounts";
const path = "/api/v1/account";

type Deps = SecondStepDeps & { guesses: RateLimit; readSiteName: () => Promise<string> };

/** Short enough for a QR code that is easily read. */
const shortName = (name: string): string => Array.from(name).slice(0, 30).join("");

/** The second step of signing in, and what it needs: the authenticator app and the recovery codes of the caller. */
export function factorRoutes({ db, secret, guesses, factorGuesses, mails, readSiteName }: Deps): Route[] {
  const { completeWithCode } = createSecondStep({ db, secret, factorGuesses, mails });
  const own = { tag, role: "reader", scope: "session", withoutFactor: true } as const;
  const changing = { ...own, noIdempotency: "token", whenFull: () => true } as const;

  /** Wrong codes are counted for the session, so that whoever has stolen it cannot lock the user out. */
  async function checkCode(caller: Caller, check: (tx: Queries) => Promise<boolean>): Promise<void> {
    const isRight = () => db.transaction(check);
    if (!(await limitGuesses(factorGuesses, `session:${caller.tokenID}`, isRight)))
      throw invalid("This code is wrong, or was used already. Wait for the next one.", "code");
  }

  return [
    route({
      method: "POST",
      path: "/api/v1/signin/factor",
      name: "signInWithCode",
      tag,
      summary: "Take the second step of signing in, with a code",
      details:
        "With the `ticket` of `POST /signin`, which is valid for five minutes and five attempts. Each code works once.",
      body: secondStepSchema,
      noIdempotency: "token",
      whenFull: () => true,
      response: signedInSchema,
      statuses: { 401: "The code is wrong or was used already, or the ticket is no longer valid" },
      handle: ({ body: { ticket, code }, exchange }) =>
        completeWithCode({ ticket, sender: exchange, lifetime: lifetimes.token }, code),
    }),

    route({
      ...own,
      method: "GET",
      path: `${path}/factors`,
      name: "readFactors",
      summary: "Read which second factors you have",
      response: factorsSchema,
      async handle({ caller }) {
        return {
          totpSince: toISO(await findTOTP(db, caller.id)),
          recoveryCodesLeft: await countRecoveryCodes(db, caller.id),
          isRequired: await isFactorNeeded(db, caller.id),
        };
      },
    }),

    route({
      ...changing,
      method: "POST",
      path: `${path}/totp`,
      name: "beginTOTP",
      summary: "Begin to use an authenticator app",
      details: "Its codes are asked for as soon as you have confirmed one of them.",
      body: passwordSchema,
      response: newTOTPSchema,
      statuses: { 401: "The password is wrong", 409: "You use an authenticator app already" },
      async handle({ caller, body: { password } }) {
        const { username } = await checkOwnPassword(db, guesses, caller, password);
        const created = await db.transaction((tx) => beginTOTP(tx, secret, caller.id));
        return {
          secret: created,
          uri: totpURI(created, { issuer: shortName(await readSiteName()), account: username }),
        };
      },
    }),

    route({
      ...changing,
      method: "POST",
      path: `${path}/totp/confirmation`,
      name: "confirmTOTP",
      summary: "Confirm the authenticator app with a code",
      details: "From now on, signing in asks for a code. Other sessions remain.",
      body: codeSchema,
      response: confirmedSchema,
      statuses: { 409: "No authenticator app waits for a code" },
      async handle({ caller, body: { code } }) {
        let recoveryCodes: string[] | null = null;
        await checkCode(caller, async (tx) => {
          if (!(await confirmTOTP(tx, secret, caller.id, code.replaceAll(/\s/g, "")))) return false;
          recoveryCodes = await addFirstRecoveryCodes(tx, caller.id);
          await noteFactor(tx, mails, caller, "factorAdded");
          return true;
        });
        return { recoveryCodes };
      },
    }),

    route({
      ...changing,
      method: "POST",
      path: `${path}/totp/removal`,
      name: "removeTOTP",
      summary: "Stop using the authenticator app",
      details: "Without another second factor, the recovery codes are removed, too.",
      body: passwordAndCodeSchema,
      response: messageSchema,
      statuses: { 401: "The password is wrong" },
      async handle({ caller, body: { password, code } }) {
        await checkOwnPassword(db, guesses, caller, password);
        await checkCode(caller, async (tx) => {
          if (!(await takeCode(tx, { secret, mails }, caller, code))) return false;
          if ((await removeTOTP(tx, caller.id)) === 0) return false;
          await tidyRecoveryCodes(tx, caller.id);
          await noteFactor(tx, mails, caller, "factorRemoved");
          return true;
        });
        return { message: "Codes of the authenticator app are no longer asked for." };
      },
    }),

    route({
      ...changing,
      method: "POST",
      path: `${path}/recovery-codes`,
      name: "renewRecoveryCodes",
      summary: "Make new recovery codes",
      details: "All earlier ones stop working.",
      body: renewalSchema,
      response: recoveryCodesSchema,
      statuses: { 401: "The password is wrong" },
      async handle({ caller, body: { password, code = "" } }) {
        await checkOwnPassword(db, guesses, caller, password);
        const factors = await listFactors(db, caller.id);
        if (factors.length === 0) throw invalid("Recovery codes need a second factor: set one up first.");
        let recoveryCodes: string[] = [];
        await checkCode(caller, async (tx) => {
          if (factors.includes("totp") && !(await takeCode(tx, { secret, mails }, caller, code))) return false;
          recoveryCodes = await renewRecoveryCodes(tx, caller.id);
          return true;
        });
        return { recoveryCodes };
      },
    }),
  ];
}
