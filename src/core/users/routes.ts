import { messageSchema } from "../../platform/http/message.ts";
import { forbidden, unauthorized } from "../../platform/errors.ts";
import type { Database } from "../../platform/database/database.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { replying } from "../../platform/http/transact.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import type { SignupRole } from "../settings/settings.ts";
import { type FixedSettings, readSignupRole } from "../settings/store.ts";
import type { AccountMails } from "../account-mail/mails.ts";
import { createPasswordChange } from "./change-password.ts";
import { confirmationRoute } from "./confirm.ts";
import { createSignIn } from "./sign-in.ts";
import { type SignedUp, signUp } from "./sign-up.ts";
import { ownSessionRoutes } from "./session-routes.ts";
import { revokeSession } from "./sessions.ts";
import { findUser } from "./store.ts";
import {
  ownAccountSchema,
  passwordChangeSchema,
  passwordSetSchema,
  signedInSchema,
  signInSchema,
  signUpSchema,
  toPasswordSet,
} from "./user.ts";

const tag = "Accounts";

/** `guesses` limits wrong passwords. */
type Uses = { guesses: RateLimit; fixed: FixedSettings; mails: AccountMails };

/** `secret` signs the tokens. */
export function userRoutes(db: Database, secret: string, { guesses, fixed, mails }: Uses): Route[] {
  const signIn = createSignIn(db, secret, guesses);
  const changePassword = createPasswordChange({ db, fixed, guesses, mails });
  return [
    route({
      method: "POST",
      path: "/signup",
      name: "signUp",
      base: true,
      tag,
      summary: "Create an account",
      details:
        "A username that is taken, or that looks like one that is taken, is refused. With an `invitation`, the account has its role. A weak password is refused if the setting `passwordRule` is `strong` or the role is admin; otherwise it is accepted with a `warning`.",
      statuses: { 403: "Sign-up is closed on this server, or the invitation is not valid" },
      location: "/api/v1/me",
      find: (): Promise<SignupRole> => readSignupRole(db, fixed),
      mayWith(signupRole, sent) {
        if (signupRole === "closed" && !hasInvitation(sent)) throw forbidden("Sign-up is closed on this server.");
      },
      body: signUpSchema,
      ignoresSessions: true,
      status: 201,
      response: passwordSetSchema,
      async handle({ body, record: signupRole, transaction }) {
        const welcome = ({ warning }: SignedUp) =>
          toPasswordSet(`Welcome, ${body.username}. You can sign in now.`, warning);
        const signedUp = await signUp(
          { db, transaction: replying(transaction, welcome), fixed },
          body,
          signupRole === "reader" ? "reader" : "author",
        );
        return welcome(signedUp);
      },
    }),

    route({
      method: "POST",
      path: "/signin",
      name: "signIn",
      base: true,
      tag,
      summary: "Sign in (get a token)",
      details:
        "The token is valid for 24 hours, or until `POST /signout` or a password change. An account with a second factor gets 401 with `factor_required` and a `ticket` for `POST /api/v1/signin/factor`.",
      body: signInSchema,
      ignoresSessions: true,
      noIdempotency: "token",
      whenFull: () => true,
      response: signedInSchema,
      statuses: { 401: "The username or the password is wrong, or a second step is needed" },
      handle: ({ body, exchange }) => signIn(body, exchange),
    }),

    route({
      method: "POST",
      path: "/signout",
      name: "signOut",
      tag,
      summary: "Sign out (revoke the current token)",
      role: "reader",
      scope: "session",
      withoutFactor: true,
      whenFull: () => true,
      response: messageSchema,
      handle: ({ caller, transaction }) =>
        transaction(async (tx) => {
          await revokeSession(tx, caller.tokenID);
          return { message: "Signed out." };
        }),
    }),

    route({
      method: "GET",
      path: "/api/v1/me",
      name: "readMe",
      tag,
      summary: "Read your account",
      role: "reader",
      withoutFactor: true,
      response: ownAccountSchema,
      async handle({ caller }) {
        const account = await findUser(db, caller.id);
        if (!account) throw unauthorized("This account no longer exists.");
        const { passwordHash: _, ...user } = account;
        return { ...user, needsFactor: caller.needsFactor };
      },
    }),

    route({
      method: "PUT",
      path: "/api/v1/me/password",
      name: "changePassword",
      tag,
      summary: "Change the password",
      details:
        "Revokes every other token of the account; the current token remains valid. A weak password is refused if the setting `passwordRule` is `strong` or you are an admin; otherwise it is accepted with a `warning`.",
      role: "reader",
      scope: "session",
      body: passwordChangeSchema,
      whenFull: () => true,
      response: passwordSetSchema,
      async handle({ caller, body }) {
        const warning = await changePassword(caller, body.oldPassword, body.newPassword);
        return toPasswordSet("Password changed; all other sessions have been signed out.", warning);
      },
    }),

    confirmationRoute(db, guesses),
    ...ownSessionRoutes(db),
  ];
}

const hasInvitation = (sent: unknown): boolean =>
  typeof sent === "object" && sent !== null && "invitation" in sent && typeof sent.invitation === "string";
