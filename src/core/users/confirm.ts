import type { Database, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { Problem } from "../../platform/errors.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { type Caller, type Route, route } from "../../platform/http/route.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import { passwordSchema } from "../factors/factor.ts";
import { checkOwnPassword } from "./check-own-password.ts";

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
  throw new Problem(
    "unauthorized",
    "Confirm that it is you: send your password to /api/v1/account/confirmation first.",
    {
      field: "password",
    },
  );
}

export const confirmationRoute = (db: Database, guesses: RateLimit): Route =>
  route({
    method: "POST",
    path: "/api/v1/account/confirmation",
    name: "confirmSession",
    tag: "Accounts",
    summary: "Confirm that it is you",
    details: "For ten minutes, this session may change how you sign in, as it may after signing in.",
    role: "reader",
    scope: "session",
    withoutFactor: true,
    body: passwordSchema,
    noIdempotency: "token",
    whenFull: () => true,
    response: messageSchema,
    statuses: { 401: "The password is wrong" },
    async handle({ caller, body }) {
      await checkOwnPassword(db, guesses, caller, body.password);
      await db.transaction((tx) =>
        tx.run(sql`UPDATE sessions SET confirmed_at = ${Date.now()} WHERE token_id = ${caller.tokenID}`),
      );
      return { message: "Confirmed for ten minutes." };
    },
  });
