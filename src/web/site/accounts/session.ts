import { z } from "zod";
import { textAnswer } from "../../../platform/http/answer.ts";
import type { Database } from "../../../platform/database/database.ts";
import { refuseForeignPage, sessionHeader } from "../../../platform/http/credentials.ts";
import type { Exchange } from "../../../platform/http/exchange.ts";
import { isPageForm } from "../../../platform/http/page-form.ts";
import { messageSchema } from "../../../platform/http/message.ts";
import { type Route, route } from "../../../platform/http/route.ts";
import { lifetimes } from "../../../core/users/session.ts";
import type { SignedIn } from "../../../core/users/open-session.ts";
import type { Credentials, SignIn } from "../../../core/users/sign-in.ts";
import { revokeSession } from "../../../core/users/sessions.ts";
import { signedInSchema, signInSchema } from "../../../core/users/user.ts";
import { redirect } from "../page.ts";
import type { RefuseSignIn } from "./refuse-sign-in.ts";
import { readNext } from "./next.ts";

const tag = "Accounts";
export const sessionSchema = signedInSchema.omit({ token: true }).meta({ id: "Session" });
const newSessionSchema = signInSchema
  .extend({
    next: z.string().optional().meta({
      description: "For forms: the path to go to, on this site.",
      example: "/",
    }),
  })
  .meta({ id: "NewSession" });

/** The session of a browser. Its token is in a cookie, which scripts cannot read, and nowhere else. */
export function sessionRoutes(db: Database, signIn: SignIn, refuse: RefuseSignIn): Route[] {
  return [
    route({
      method: "POST",
      path: "/session",
      name: "openSession",
      tag,
      summary: "Sign in with a browser (get a cookie)",
      details:
        "Sets a cookie that is valid for 30 days, or until `DELETE /session` or a password change. With it, pages of this site can use the API; a request from another site that changes something is refused. A form gets a redirect to `next`, or the page again.",
      body: newSessionSchema,
      acceptsForm: true,
      noIdempotency: "token",
      whenFull: () => true,
      response: { contentTypes: ["application/json"], description: "Signed in", schema: sessionSchema },
      statuses: {
        303: "Signed in by a form",
        401: "The username or the password is wrong",
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
      method: "DELETE",
      path: "/session",
      name: "closeSession",
      tag,
      summary: "Sign out (revoke the browser's session)",
      details: "Also removes the cookie of a session that was already revoked or has expired.",
      personal: true,
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
export async function openSession(
  signIn: SignIn,
  exchange: Exchange,
  sent: Credentials,
): Promise<{ headers: Record<string, string>; session: Omit<SignedIn, "token"> }> {
  const { token, ...session } = await signIn(sent, exchange, lifetimes.browser);
  return { headers: sessionHeader(exchange, token, lifetimes.browser / 1000), session };
}
