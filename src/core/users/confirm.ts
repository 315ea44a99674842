import { z } from "zod";
import { checkPassword } from "../../platform/auth/passwords.ts";
import type { Database, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { Problem, unauthorized } from "../../platform/errors.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { type Caller, type Route, route } from "../../platform/http/route.ts";
import { text } from "../../platform/http/validate.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import { limitGuesses } from "./guesses.ts";
import { findUser } from "./store.ts";

/** How long after signing in, or after giving the password again, a session may change how the account is protected. */
const freshFor = 600_000;

/**
 * Throws if the person has neither signed in nor given the password within the last ten minutes: a browser that was left
 * alone, or a stolen cookie, is not enough to add a passkey.
 */
export async function requireFresh(db: Reader, { tokenID }: Caller): Promise<void> {
  const since = Date.now() - freshFor;
  const fresh = await db.get(sql`
    SELECT id FROM sessions WHERE token_id = ${tokenID} AND (created_at > ${since} OR confirmed_at > ${since})`);
  if (fresh) return;
  throw new Problem("unauthorized", "Confirm that it is you: send your password to /api/v1/me/confirmation first.", {
    field: "password",
  });
}

const bodySchema = z
  .object({ password: text(256).meta({ format: "password", example: "correct horse battery" }) })
  .meta({ id: "Confirmation" });

export const confirmationRoute = (db: Database, guesses: RateLimit): Route =>
  route({
    method: "POST",
    path: "/api/v1/me/confirmation",
    name: "confirmSession",
    tag: "Accounts",
    summary: "Confirm that it is you",
    details: "For ten minutes, this session may change how you sign in, as it may after signing in.",
    role: "reader",
    scope: "session",
    body: bodySchema,
    noIdempotency: "token",
    whenFull: () => true,
    response: messageSchema,
    statuses: { 401: "The password is wrong" },
    async handle({ caller, body }) {
      await confirm(db, guesses, caller, body.password);
      return { message: "Confirmed for ten minutes." };
    },
  });

/** Wrong passwords are counted as for a change of the password. */
async function confirm(db: Database, guesses: RateLimit, caller: Caller, password: string): Promise<void> {
  const account = await findUser(db, caller.id);
  if (!account) throw unauthorized("This account no longer exists.");
  const isCorrect = await limitGuesses(guesses, `session:${caller.tokenID}`, () =>
    checkPassword(password, account.passwordHash),
  );
  if (!isCorrect) throw new Problem("unauthorized", "The password is wrong.", { field: "password" });
  await db.transaction((tx) =>
    tx.run(sql`UPDATE sessions SET confirmed_at = ${Date.now()} WHERE token_id = ${caller.tokenID}`),
  );
}
