import { z } from "zod";
import { recordActivity } from "../../core/activity/record.ts";
import { isOwnPath, toAddress } from "../../core/redirects/address.ts";
import {
  addRedirects,
  findRedirect,
  getRedirect,
  listRedirects,
  removeRedirect,
  type StoredRedirect,
} from "../../core/redirects/store.ts";
import type { Database, Reader } from "../../platform/database/database.ts";
import { byID } from "../../platform/database/keyset.ts";
import { forbidden, invalid, missing, Problem } from "../../platform/errors.ts";
import { onlyByCursor } from "../../platform/http/cursor.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { newRedirectSchema, type Redirect, redirectSchema } from "./redirect.ts";
import { resolveTarget, targetAt } from "./resolve.ts";

const tag = "Redirects";
const path = "/api/v1/redirects";
const admin = { id: 0, role: "admin" } as const;

export function redirectRoutes(db: Database): Route[] {
  return [
    route({
      method: "GET",
      path,
      name: "listRedirects",
      tag,
      summary: "List the redirects of old addresses, newest first",
      role: "admin",
      cursor: onlyByCursor(byID, "desc"),
      response: z.array(redirectSchema),
      handle: ({ cursor }) =>
        listRedirects(db, cursor, async (redirects) => {
          const all = await Promise.all(redirects.map((one) => present(db, one)));
          return new Map(all.map((one) => [one.id, one]));
        }),
    }),

    route({
      method: "POST",
      path,
      name: "createRedirect",
      tag,
      summary: "Add a redirect",
      details:
        "The old address leads to the path with status 301, wherever this site has nothing else. If the path is that of a record, the redirect leads to the record, even if its own address changes, and only those who may see it.",
      role: "admin",
      scope: "admin",
      body: newRedirectSchema,
      status: 201,
      response: redirectSchema,
      statuses: { 409: "There is a redirect of this address already" },
      async handle({ body, caller, transaction }) {
        const from = toAddress(body.from);
        if (from === null)
          throw invalid('"from" must be an address of an earlier site, such as /2019/05/lisbon.', "from");
        if (!isOwnPath(body.to) || !isDecodable(body.to))
          throw invalid('"to" must be a path of this site, such as /blog/lisbon.', "to");
        if (toAddress(body.to) === from) throw invalid('"to" must be another address than "from".', "to");
        return transaction(async (tx) => {
          if (await findRedirect(tx, body.to))
            throw invalid('"to" is an old address itself: choose where that leads.', "to");
          const [id] = await addRedirects(tx, [body.from], await targetAt(tx, body.to));
          if (id === undefined) throw new Problem("conflict", `There is a redirect of ${from} already.`);
          recordActivity(tx, caller.id, "created", { kind: "redirect", id, ownerID: null, name: from });
          return present(tx, await getOne(tx, id));
        });
      },
    }),

    route({
      method: "DELETE",
      path: `${path}/:id`,
      name: "removeRedirect",
      tag,
      summary: "Remove a redirect",
      role: "admin",
      scope: "admin",
      find({ id }, viewer) {
        if (viewer.role !== "admin") throw forbidden("This requires the admin role.");
        return getOne(db, id);
      },
      response: messageSchema,
      async handle({ record: { id, address }, caller, transaction }) {
        await transaction(async (tx) => {
          if (await removeRedirect(tx, id))
            recordActivity(tx, caller.id, "deleted", { kind: "redirect", id, ownerID: null, name: address });
        });
        return { message: `${address} leads nowhere now.` };
      },
    }),
  ];
}

async function getOne(db: Reader, id: number): Promise<StoredRedirect> {
  const redirect = await getRedirect(db, id);
  if (!redirect) throw missing(`redirect ${id}`);
  return redirect;
}

async function present(db: Reader, redirect: StoredRedirect): Promise<Redirect> {
  const { id, address, kind, importID, createdAt } = redirect;
  return {
    id,
    from: address,
    to: await resolveTarget(db, admin, redirect),
    kind,
    recordID: "recordID" in redirect ? redirect.recordID : null,
    importID,
    createdAt: new Date(createdAt).toISOString(),
  };
}

function isDecodable(sent: string): boolean {
  try {
    return decodeURIComponent(sent) !== "";
  } catch {
    return false;
  }
}
