import { z } from "zod";
import type { Database } from "../../platform/database/database.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { type Route, route } from "../../platform/http/route.ts";
import type { Log } from "../../platform/log.ts";
import type { AccountMails } from "../account-mail/mails.ts";
import { tidyRecoveryCodes } from "../factors/factors.ts";
import { requireFresh } from "./confirm.ts";
import {
  addedPasskeySchema,
  creationOptionsSchema,
  newPasskeySchema,
  passkeyChangesSchema,
  passkeySchema,
  passkeyStatuses,
} from "../passkeys/passkey.ts";
import { createPasskeyRegistration } from "./add-passkey.ts";
import { getPasskey, listPasskeys, removePasskey, renamePasskey } from "../passkeys/store.ts";
import { noteFactor } from "./note-factor.ts";

const tag = "Accounts";
const path = "/api/v1/account/passkeys";
const own = { role: "reader", scope: "session", withoutFactor: true } as const;
const confirmation = "You signed in more than ten minutes ago: `POST /api/v1/account/confirmation` comes first";

type Deps = { db: Database; secret: string; log: Log; mails: AccountMails; readSiteName: () => Promise<string> };

/** The passkeys of the caller. */
export function passkeyRoutes(deps: Deps): Route[] {
  const { db, mails } = deps;
  const { createOptions, add } = createPasskeyRegistration(deps);
  return [
    route({
      method: "GET",
      path,
      name: "listPasskeys",
      tag,
      summary: "List your passkeys, newest first",
      ...own,
      response: z.array(passkeySchema),
      handle: ({ caller }) => listPasskeys(db, caller.id),
    }),

    route({
      method: "POST",
      path: `${path}/options`,
      name: "preparePasskey",
      tag,
      summary: "Get what a browser needs to make a passkey",
      details: "The challenge in it can be used once, in the same session, within ten minutes.",
      ...own,
      noIdempotency: "read",
      response: creationOptionsSchema,
      statuses: { 401: confirmation, 409: passkeyStatuses[409] },
      async handle({ caller, exchange }) {
        await requireFresh(db, caller);
        return createOptions(exchange, caller);
      },
    }),

    route({
      method: "POST",
      path,
      name: "addPasskey",
      tag,
      summary: "Add a passkey",
      details:
        "From now on you can sign in with it alone, and a sign-in with the password asks for a second step. The name is guessed from the device if it is not sent. At most 20 for each account.",
      ...own,
      body: newPasskeySchema,
      noIdempotency: "token",
      status: 201,
      location: path,
      response: addedPasskeySchema,
      statuses: {
        409: "You have too many passkeys, this one is stored already, or passkeys do not work at this address",
      },
      handle: ({ body: { response, name }, caller, exchange }) => add(exchange, caller, response, name),
    }),

    route({
      method: "PUT",
      path: `${path}/:id`,
      name: "renamePasskey",
      tag,
      summary: "Rename a passkey",
      ...own,
      find: ({ id }, caller) => getPasskey(db, caller.id, id),
      current: (tx, caller, { id }) => getPasskey(tx, caller.id, id),
      body: passkeyChangesSchema,
      response: passkeySchema,
      handle: ({ record, body, caller, transaction }) =>
        transaction(async (tx) => {
          await renamePasskey(tx, record.id, body.name ?? record.name);
          return getPasskey(tx, caller.id, record.id);
        }),
    }),

    route({
      method: "DELETE",
      path: `${path}/:id`,
      name: "removePasskey",
      tag,
      summary: "Remove a passkey",
      details:
        "Nobody can sign in with it any more. Without another second factor, the recovery codes are removed, too. Sessions that were opened with it stay. On the device, remove it yourself.",
      ...own,
      find: ({ id }, caller) => getPasskey(db, caller.id, id),
      response: messageSchema,
      statuses: { 401: confirmation },
      async handle({ record, caller }) {
        await requireFresh(db, caller);
        await db.transaction(async (tx) => {
          await removePasskey(tx, record.id);
          await tidyRecoveryCodes(tx, caller.id);
          await noteFactor(tx, mails, caller, "factorRemoved");
        });
        return { message: "The passkey was removed." };
      },
    }),
  ];
}
