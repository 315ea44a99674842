import { passkeySignInSchema, passkeyStatuses } from "../../../core/passkeys/passkey.ts";
import type { createPasskeySignIn } from "../../../core/users/passkey-sign-in.ts";
import { lifetimes } from "../../../core/users/session.ts";
import { textAnswer } from "../../../platform/http/answer.ts";
import { refuseForeignPage, sessionHeader } from "../../../platform/http/credentials.ts";
import { type Route, route } from "../../../platform/http/route.ts";
import { sessionSchema } from "./session.ts";

/** The session of a browser, opened with a passkey. */
export const passkeySessionRoute = ({ signIn }: ReturnType<typeof createPasskeySignIn>): Route =>
  route({
    method: "POST",
    path: "/session/passkey",
    name: "openSessionWithPasskey",
    tag: "Accounts",
    summary: "Sign in with a browser and a passkey (get a cookie)",
    details: "As `POST /api/v1/signin/passkey`, with the cookie of `POST /session`.",
    body: passkeySignInSchema,
    noIdempotency: "token",
    whenFull: () => true,
    response: { contentTypes: ["application/json"], description: "Signed in", schema: sessionSchema },
    statuses: { ...passkeyStatuses, 403: "The request was sent by another site" },
    async handle({ body, exchange }) {
      refuseForeignPage(exchange);
      const { token, ...session } = await signIn(body, exchange, lifetimes.browser);
      const headers = sessionHeader(exchange, token, lifetimes.browser / 1000);
      return textAnswer("application/json", JSON.stringify(session), headers);
    },
  });
