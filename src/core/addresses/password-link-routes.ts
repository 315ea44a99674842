import { z } from "zod";
import type { Database } from "../../platform/database/database.ts";
import { forbidden, invalid, missing } from "../../platform/errors.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { text } from "../../platform/http/validate.ts";
import { recordActivity } from "../activity/record.ts";
import { requireAdmin } from "../users/admin-changes.ts";
import { activityOf, findUser, lockUsers } from "../users/store.ts";
import type { FixedSettings } from "../settings/store.ts";
import { newPassword, passwordSetSchema, toPasswordSet } from "../users/user.ts";
import type { AccountMails } from "../account-mail/mails.ts";
import { addPasswordLink, adminLinkExpiry, passwordPage } from "../account-mail/links.ts";
import { usePasswordLink } from "./password-links.ts";
import type { LinkRequests } from "./request-link.ts";

const requestSchema = z
  .object({
    username: text(256).optional().meta({ example: "ada" }),
    email: text(256).optional().meta({ description: "The confirmed address of the account." }),
  })
  .meta({ id: "PasswordLinkRequest", example: { username: "ada" } });

const useSchema = z
  .object({
    token: text(100).meta({ description: "That of the link." }),
    newPassword,
  })
  .meta({ id: "PasswordReset" });

const linkSchema = z
  .object({
    url: z.string().meta({
      description: "Shown only now. The page on which a password is set; a path if `BASE_URL` is not set.",
      example: "https://example.com/password/new?token=…",
    }),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: "PasswordLink" });

type Uses = { mails: AccountMails; requests: LinkRequests; baseURL: string; fixed: FixedSettings };

export function passwordLinkRoutes(db: Database, { mails, requests, baseURL, fixed }: Uses): Route[] {
  return [
    route({
      method: "POST",
      path: "/api/v1/password-links",
      name: "requestPasswordLink",
      tag: "Accounts",
      summary: "Get a link by mail for a forgotten password",
      details:
        "Send either `username` or `email`. The response is always the same: it does not tell whether there is such an account. The link goes to the confirmed address of the account, works once and for one hour, and ends earlier ones.",
      body: requestSchema,
      noIdempotency: "token",
      status: 202,
      response: messageSchema,
      statuses: { 409: "This server sends no mail", 429: "Too many requests for links" },
      async handle({ body: { username, email }, exchange }) {
        const name = username ?? email ?? "";
        if ((username === undefined) === (email === undefined) || name.trim() === "")
          throw invalid(`Send either "username" or "email".`, "username");
        await requests.request(name.trim(), exchange.address);
        return { message: "If there is such an account with a mail address, a link is on its way." };
      },
    }),

    route({
      method: "POST",
      path: "/api/v1/password-resets",
      name: "resetPassword",
      tag: "Accounts",
      summary: "Set a new password with a link",
      details:
        "Signs the account out everywhere, and nobody in: sign in with the new password, and with the second factor if the account has one. A weak password is refused if the setting `passwordRule` is `strong` or the account is one of an admin; otherwise it is accepted with a `warning`.",
      body: useSchema,
      noIdempotency: "token",
      response: passwordSetSchema,
      statuses: { 403: "The link is not valid" },
      async handle({ body }) {
        const warning = await usePasswordLink({ db, fixed }, body.token, body.newPassword, (tx, user) =>
          mails.tell(tx, user.id, { name: "passwordChanged", words: [user.username] }),
        );
        return toPasswordSet("The password was changed. You can sign in now.", warning);
      },
    }),

    route({
      method: "POST",
      path: "/api/v1/users/:id/password-link",
      name: "createPasswordLink",
      tag: "People",
      summary: "Make a link with which a person sets a new password",
      details:
        "For somebody who has forgotten the password. Hand it over yourself: whoever has it can set the password, once and within 24 hours. Then all sessions and app keys of the person end. A person with a mail address is told.",
      role: "admin",
      scope: "session",
      find({ id }, viewer) {
        if (viewer.role !== "admin") throw forbidden("This requires the admin role.");
        return findUser(db, id).then((user) => {
          if (!user) throw missing(`user ${id}`);
          return user;
        });
      },
      noIdempotency: "token",
      status: 201,
      response: linkSchema,
      async handle({ record, caller }) {
        const { id, username } = record;
        const token = await db.transaction(async (tx) => {
          await lockUsers(tx);
          await requireAdmin(tx, caller);
          await mails.tell(tx, id, { name: "adminLink", words: [username] });
          recordActivity(tx, caller.id, "changed", activityOf(record));
          return addPasswordLink(tx, id, true);
        });
        return { url: baseURL + passwordPage(token ?? ""), expiresAt: adminLinkExpiry() };
      },
    }),
  ];
}
