import { z } from "zod";
import type { Database } from "../../platform/database/database.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { offsetOf } from "../../platform/http/pages.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { sessionSchema } from "./session.ts";
import { revokeSession, revokeSessions, getTokenID, listSessions } from "./sessions.ts";

const tag = "Accounts";
const path = "/api/v1/me/sessions";

/** The sign-ins of the caller. */
export function ownSessionRoutes(db: Database): Route[] {
  return [
    route({
      method: "GET",
      path,
      name: "listSessions",
      tag,
      summary: "List where you are signed in",
      details:
        "The current session is the first, then the newest come first. Sessions that have expired or were revoked are not listed.",
      role: "reader",
      scope: "session",
      paged: true,
      response: z.array(sessionSchema),
      handle: ({ caller, page }) => listSessions(db, caller, offsetOf(page)),
    }),

    route({
      method: "DELETE",
      path: `${path}/:id`,
      name: "endSession",
      tag,
      summary: "Revoke one of your sessions",
      details: "Its token or cookie is no longer valid. For the current session, this is the same as signing out.",
      role: "reader",
      scope: "session",
      find: ({ id }, caller) => getTokenID(db, caller.id, id),
      response: messageSchema,
      async handle({ record: tokenID }) {
        await db.transaction((tx) => revokeSession(tx, tokenID));
        return { message: "The session was revoked." };
      },
    }),

    route({
      method: "DELETE",
      path,
      name: "endOtherSessions",
      tag,
      summary: "Sign out everywhere else",
      details: "Revokes all your sessions except the current one.",
      role: "reader",
      scope: "session",
      response: messageSchema,
      async handle({ caller }) {
        await db.transaction((tx) => revokeSessions(tx, caller.id, caller.tokenID));
        return { message: "All other sessions were revoked." };
      },
    }),
  ];
}
