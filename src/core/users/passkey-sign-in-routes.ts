import { z } from "zod";
import type { Database } from "../../platform/database/database.ts";
import { type Route, route } from "../../platform/http/route.ts";
import type { Log } from "../../platform/log.ts";
import { signedInSchema } from "./user.ts";
import { createPasskeyCheck } from "../passkeys/check.ts";
import { assertionSchema, passkeyStatuses, requestOptionsSchema } from "../passkeys/passkey.ts";
import { createPasskeySignIn } from "./passkey-sign-in.ts";

const tag = "Accounts";
const path = "/api/v1/signin/passkey";

const bodySchema = z.object({ response: assertionSchema }).meta({ id: "PasskeySignIn" });

/** Signing in with a passkey. */
export function passkeySignInRoutes(deps: { db: Database; secret: string; log: Log }): Route[] {
  const { createOptions } = createPasskeyCheck(deps);
  const signIn = createPasskeySignIn(deps);
  return [
    route({
      method: "POST",
      path: `${path}/options`,
      name: "requestPasskey",
      tag,
      summary: "Get what a browser needs to ask for a passkey",
      details: "The challenge in it can be used once, within ten minutes. Nothing is stored.",
      noIdempotency: "read",
      isPrivate: true,
      response: requestOptionsSchema,
      statuses: { 409: passkeyStatuses[409] },
      handle: ({ exchange }) => createOptions(exchange, null),
    }),

    route({
      method: "POST",
      path,
      name: "signInWithPasskey",
      tag,
      summary: "Sign in with a passkey (get a token)",
      details:
        "Needs no username and no password: the passkey is known to belong to an account, and the device has verified its owner. The response is that of `POST /signin`.",
      body: bodySchema,
      noIdempotency: "token",
      whenFull: () => true,
      isPrivate: true,
      response: signedInSchema,
      statuses: passkeyStatuses,
      handle: ({ body, exchange }) => signIn(body.response, exchange),
    }),
  ];
}
