import { z } from "zod";
import type { Database } from "../../platform/database/database.ts";
import { forbidden } from "../../platform/errors.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { type Route, route } from "../../platform/http/route.ts";
import type { LimitKind } from "../../platform/http/scopes.ts";
import { parseExpiry } from "../../platform/http/times.ts";
import { createdKeySchema, keySchema, newKeySchema } from "./key.ts";
import type { KeyLimits, Limited } from "./limits.ts";
import { createKey, getKey, insertKey, listKeys, removeKey } from "./store.ts";

const tag = "Accounts";
const path = "/api/v1/keys";
const scope = "session";

/** The keys of the caller. */
export function keyRoutes(db: Database, limits: KeyLimits): Route[] {
  return [
    route({
      method: "POST",
      path,
      name: "createKey",
      tag,
      summary: "Make an app key",
      details:
        "A program that sends it acts for you, and may do only what its scopes say: never change your password, your sessions or your keys. It is shown only in this response: it is stored as a hash. It works until it expires or is removed, also after you sign out or change your password. With `directoryID` or `albumID`, everything else does not exist for it.",
      role: "reader",
      scope,
      body: newKeySchema,
      noIdempotency: "token",
      status: 201,
      location: path,
      response: createdKeySchema,
      statuses: { 409: "You have too many keys" },
      async handle({ body: { name, scopes, expiresAt, directoryID, albumID }, caller }) {
        const limit = toLimit("directory", directoryID) ?? toLimit("album", albumID);
        if (limit) await limits.check(db, caller, limit, scopes);
        if (scopes.includes("admin") && caller.role !== "admin")
          throw forbidden("Only admins can make a key with the scope admin.");
        const key = createKey();
        const draft = { key, userID: caller.id, name, scopes, expiresAt: parseExpiry(expiresAt ?? null), limit };
        return { ...(await db.transaction((tx) => insertKey(tx, limits, draft))), key };
      },
    }),

    route({
      method: "GET",
      path,
      name: "listKeys",
      tag,
      summary: "List your app keys, newest first",
      details: "Without the keys themselves. Those that expired less than 30 days ago are listed, too.",
      role: "reader",
      scope,
      response: z.array(keySchema),
      handle: ({ caller }) => listKeys(db, limits, caller.id),
    }),

    route({
      method: "DELETE",
      path: `${path}/:id`,
      name: "removeKey",
      tag,
      summary: "Remove an app key",
      details: "Programs that use it can do nothing any more, from the next request on.",
      role: "reader",
      scope,
      find: ({ id }, caller) => getKey(db, limits, caller.id, id),
      response: messageSchema,
      async handle({ record: { id } }) {
        await db.transaction((tx) => removeKey(tx, id));
        return { message: "The app key was removed." };
      },
    }),
  ];
}

const toLimit = (kind: LimitKind, id: number | undefined): Limited | null => (id === undefined ? null : { kind, id });
