import { z } from "zod";
import { textAnswer } from "../../../platform/http/answer.ts";
import type { Database } from "../../../platform/database/database.ts";
import { refuseForeignPage, sessionHeader } from "../../../platform/http/credentials.ts";
import type { Exchange } from "../../../platform/http/exchange.ts";
import { isPageForm } from "../../../platform/http/page-form.ts";
import { messageSchema } from "../../../platform/http/message.ts";
import { type Route, route } from "../../../platform/http/route.ts";
import { lifetimes } from "../../../core/users/session.ts";
import type { Credentials, SignIn } from "../../../core/users/sign-in.ts";
import { secondStepSchema } from "../../../core/factors/factor.ts";
import type { SignedIn } from "../../../core/users/open-session.ts";
import type { SecondStep } from "../../../core/users/second-step.ts";
import { revokeSession } from "../../../core/users/sessions.ts";
import { signedInSchema, signInSchema } from "../../../core/users/user.ts";
import { redirect } from "../page.ts";
import type { RefuseSignIn } from "./refuse-sign-in.ts";
import { readNext } from "./next.ts";

const tag = "Accounts";
export const sessionSchema = signedInSchema.omit({ token: true }).meta({ id: "Session" });
const next = z.string().optional().meta({
  description: "For forms: the path to go to, on this site.",
  example: "/",
});
const newSessionSchema = signInSchema.extend({ next }).meta({ id: "NewSession" });
const continuedSchema = secondStepSchema
  .extend({
    next,
    factors: z.string().max(100).optional().meta({
      description: "For forms: what the first step has answered with, separated by spaces.",
      example: "totp recovery_code",
    }),
  })
  .meta({ id: "ContinuedSession" });

/** The session of a browser. Its token is in a cookie, which scripts cannot read, and nowhere else. */
export function sessionRoutes(
  db: Database,
  signIn: SignIn,
  { completeWithCode }: SecondStep,
  refuse: RefuseSignIn,
): Route[] {
  return [
    route({
      method: "POST",
      path: "/session",
      name: "openSession",
      tag,
      summary: "Sign in with a browser (get a cookie)",
      details:
        "Sets a cookie that is valid for 30 days, or until `DELETE /session` or a password change. With it, pages of this site can use the API; a request from another site that changes something is refused. A form gets a redirect to `next`, or the page again. An account with a second factor gets 401 with `factor_required` and a `ticket` for `POST /session/factor`.",
      body: newSessionSchema,
      acceptsForm: true,
      noIdempotency: "token",
      whenFull: () => true,
      response: { contentTypes: ["application/json"], description: "Signed in", schema: sessionSchema },
      statuses: {
        303: "Signed in by a form",
        401: "The username or the password is wrong, or a second step is needed",
        403: "The request was sent by another site",
      },
      async handle({ body, exchange }) {
        refuseForeignPage(exchange);
        if (!isPageForm(exchange)) {
          const { headers, session } = await openSession(signIn, exchange, body);
          return textAnswer("application/json", JSON.stringify(session), headers);
        }
        const next = readNext(body.next);
        try {
          const { headers } = await openSession(signIn, exchange, body);
          return redirect(next, 303, headers);
        } catch (error) {
          return refuse(exchange, error, { username: body.username, next });
        }
      },
    }),

    route({
      method: "POST",
      path: "/session/factor",
      name: "openSessionWithCode",
      tag,
      summary: "Take the second step of signing in with a browser",
      details: "As `POST /api/v1/signin/factor`, with the cookie and the redirect of `POST /session`.",
      body: continuedSchema,
      acceptsForm: true,
      noIdempotency: "token",
      whenFull: () => true,
      response: { contentTypes: ["application/json"], description: "Signed in", schema: sessionSchema },
      statuses: {
        303: "Signed in by a form",
        401: "The code is wrong or was used already, or the ticket is no longer valid",
        403: "The request was sent by another site",
      },
      async handle({ body: { ticket, code, next: path, factors = "" }, exchange }) {
        refuseForeignPage(exchange);
        const attempt = { ticket, sender: exchange, lifetime: lifetimes.browser };
        const open = async () => withCookie(exchange, await completeWithCode(attempt, code));
        if (!isPageForm(exchange)) {
          const { headers, session } = await open();
          return textAnswer("application/json", JSON.stringify(session), headers);
        }
        const next = readNext(path);
        try {
          return redirect(next, 303, (await open()).headers);
        } catch (error) {
          return refuse(exchange, error, { ticket, factors: factors.split(" "), next });
        }
      },
    }),

    route({
      method: "DELETE",
      path: "/session",
      name: "closeSession",
      tag,
      summary: "Sign out (revoke the browser's session)",
      details: "Also removes the cookie of a session that was already revoked or has expired.",
      personal: true,
      withoutFactor: true,
      response: { contentTypes: ["application/json"], description: "Done", schema: messageSchema },
      statuses: { 403: "The request was sent by another site" },
      async handle({ viewer, exchange }) {
        if (viewer) await db.transaction((tx) => revokeSession(tx, viewer.tokenID));
        return textAnswer("application/json", JSON.stringify({ message: "Signed out." }), sessionHeader(exchange));
      },
    }),
  ];
}

/** Signs in; the headers set the cookie. Throws if the password is wrong. */
export async function openSession(signIn: SignIn, exchange: Exchange, sent: Credentials): Promise<BrowserSession> {
  return withCookie(exchange, await signIn(sent, exchange, lifetimes.browser));
}

type BrowserSession = { headers: Record<string, string>; session: Omit<SignedIn, "token"> };

function withCookie(exchange: Exchange, { token, ...session }: SignedIn): BrowserSession {
  return { headers: sessionHeader(exchange, token, lifetimes.browser / 1000), session };
}
