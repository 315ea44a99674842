import { type Route, route } from "../../platform/http/route.ts";
import type { Log } from "../../platform/log.ts";
import { signedInSchema } from "./user.ts";
import { passkeySignInSchema, passkeyStatuses, requestOptionsSchema, requestSchema } from "../passkeys/passkey.ts";
import { createPasskeySignIn } from "./passkey-sign-in.ts";
import type { SecondStepDeps } from "./second-step.ts";

const tag = "Accounts";
const path = "/api/v1/signin/passkey";

/** Signing in with a passkey. */
export function passkeySignInRoutes(deps: SecondStepDeps & { log: Log }): Route[] {
  const { createOptions, signIn } = createPasskeySignIn(deps);
  return [
    route({
      method: "POST",
      path: `${path}/options`,
      name: "requestPasskey",
      tag,
      summary: "Get what a browser needs to ask for a passkey",
      details: "The challenge in it can be used once, within ten minutes. Nothing is stored.",
      body: requestSchema,
      noIdempotency: "read",
      isPrivate: true,
      response: requestOptionsSchema,
      statuses: { 401: "The ticket is no longer valid", 409: passkeyStatuses[409] },
      handle: ({ body, exchange }) => createOptions(exchange, body.ticket),
    }),

    route({
      method: "POST",
      path,
      name: "signInWithPasskey",
      tag,
      summary: "Sign in with a passkey (get a token)",
      details:
        "Needs no username and no password: the passkey is known to belong to an account, and the device has verified its owner. With the `ticket` of `POST /signin`, it is the second step, with one of the passkeys of that account. The response is that of `POST /signin`.",
      body: passkeySignInSchema,
      noIdempotency: "token",
      whenFull: () => true,
      isPrivate: true,
      response: signedInSchema,
      statuses: passkeyStatuses,
      handle: ({ body, exchange }) => signIn(body, exchange),
    }),
  ];
}
