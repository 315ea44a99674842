import { z } from "zod";
import { forbidden, invalid } from "../../platform/errors.ts";
import { createToken } from "../../platform/auth/link-tokens.ts";
import type { Database } from "../../platform/database/database.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { offsetOf } from "../../platform/http/pages.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { parseExpiry } from "../../platform/http/times.ts";
import { parseAddress } from "../../platform/mail/address.ts";
import { mailIsOff } from "../mail/problems.ts";
import { requireAdmin } from "./admin-changes.ts";
import type { SendInvitation } from "./invitation-mail.ts";
import { createdInvitationSchema, invitationSchema, newInvitationSchema, usualLifetime } from "./invitation.ts";
import { getInvitation, insertInvitation, listInvitations, revokeInvitation } from "./invitations.ts";
import { lockUsers } from "./store.ts";

const tag = "People";
const path = "/api/v1/invitations";

export function invitationRoutes(db: Database, baseURL: string, send: SendInvitation | null): Route[] {
  return [
    route({
      method: "POST",
      path,
      name: "createInvitation",
      tag,
      summary: "Invite somebody by a link",
      details:
        "Whoever has the link can sign up once, even if sign-up is closed, and gets the role. The token is shown only in this response: it is stored as a hash. An admin's invitations stop working when that person is no longer an admin.",
      role: "admin",
      scope: "admin",
      body: newInvitationSchema,
      noIdempotency: "token",
      status: 201,
      location: path,
      response: createdInvitationSchema,
      statuses: { 409: "This server sends no mail", 429: "Too many invitations by mail" },
      async handle({ body: { role, note = "", email, expiresAt }, caller }) {
        const token = createToken();
        const address = email === undefined ? null : parseAddress(email);
        if (email !== undefined && address === null) throw invalid(`"email" must be one mail address.`, "email");
        if (address !== null && !send) throw mailIsOff();
        const end = expiresAt === undefined ? Date.now() + usualLifetime : parseExpiry(expiresAt);
        const draft = { token, role, note, address, expiresAt: end };
        const path = `/signup?invitation=${token}`;
        const created = await db.transaction(async (tx) => {
          await lockUsers(tx);
          await requireAdmin(tx, caller);
          if (address !== null) await send?.(tx, address, caller, path);
          return insertInvitation(tx, caller, draft);
        });
        return { ...created, token, url: baseURL + path };
      },
    }),

    route({
      method: "GET",
      path,
      name: "listInvitations",
      tag,
      summary: "List the invitations that can be used, newest first",
      details: "Without their tokens.",
      role: "admin",
      paged: true,
      response: z.array(invitationSchema),
      handle: ({ page }) => listInvitations(db, offsetOf(page)),
    }),

    route({
      method: "DELETE",
      path: `${path}/:id`,
      name: "revokeInvitation",
      tag,
      summary: "Revoke an invitation",
      role: "admin",
      scope: "admin",
      find({ id }, viewer) {
        if (viewer.role !== "admin") throw forbidden("This requires the admin role.");
        return getInvitation(db, id);
      },
      response: messageSchema,
      async handle({ record, caller }) {
        await db.transaction((tx) => revokeInvitation(tx, caller, record));
        return { message: "The invitation is no longer valid." };
      },
    }),
  ];
}
