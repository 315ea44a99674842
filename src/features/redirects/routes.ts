import { z } from "zod";
import { recordActivity } from "../../core/activity/record.ts";
import { batchResultSchema, changeTogether, toResult } from "../../core/records/batch.ts";
import {
  addRedirects,
  getRedirect,
  listRedirects,
  removeRedirects,
  type StoredRedirect,
  updateRedirect,
} from "../../core/redirects/store.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { byID } from "../../platform/database/keyset.ts";
import { forbidden, missing } from "../../platform/errors.ts";
import { onlyByCursor } from "../../platform/http/cursor.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { type Caller, type Route, route } from "../../platform/http/route.ts";
import { checkFrom, checkPair, getTarget, takenBy } from "./check.ts";
import {
  newRedirectSchema,
  type Redirect,
  redirectChangesSchema,
  redirectRemovalSchema,
  redirectSchema,
  redirectsQuery,
} from "./redirect.ts";
import { findPlaces } from "./resolve.ts";

const tag = "Redirects";
const path = "/api/v1/redirects";
const onePath = `${path}/:id` as const;
const statuses = { 409: "There is a redirect of this address already, or it would lead in a circle" };
const admin = { id: 0, role: "admin" } as const;

export function redirectRoutes(db: Database): Route[] {
  const find = async ({ id }: { id: number }, caller: Caller): Promise<Redirect> => {
    if (caller.role !== "admin") throw forbidden("This requires the admin role.");
    return presentOne(db, await getRedirect(db, id));
  };
  const current = async (tx: Queries, _caller: Caller, { id }: { id: number }) =>
    presentOne(tx, await getRedirect(tx, id, tx.forUpdate));

  return [
    route({
      method: "GET",
      path,
      name: "listRedirects",
      tag,
      summary: "List the redirects of old addresses, newest first",
      role: "admin",
      query: redirectsQuery,
      cursor: onlyByCursor(byID, "desc"),
      response: z.array(redirectSchema),
      handle: ({ query, cursor }) => listRedirects(db, query.q, cursor, (some) => present(db, some)),
    }),

    route({
      method: "GET",
      path: onePath,
      name: "readRedirect",
      tag,
      summary: "Read a redirect",
      role: "admin",
      find,
      response: redirectSchema,
      handle: ({ record }) => record,
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
      statuses,
      async handle({ body, caller, transaction }) {
        const from = checkFrom(body.from);
        return transaction(async (tx) => {
          await checkPair(tx, from, body.to);
          const [id] = await addRedirects(tx, [body.from], await getTarget(tx, body.to));
          if (id === undefined) throw takenBy(from);
          recordActivity(tx, caller.id, "created", activityOf({ id, from }));
          return presentOne(tx, await getRedirect(tx, id));
        });
      },
    }),

    route({
      method: "PUT",
      path: onePath,
      name: "changeRedirect",
      tag,
      summary: "Change a redirect",
      details:
        "Omitted fields keep their values. A redirect that was changed stays when the import that has added it is undone.",
      role: "admin",
      scope: "admin",
      find,
      current,
      body: redirectChangesSchema,
      response: redirectSchema,
      statuses,
      handle: ({ record: { id }, body, caller, transaction }) =>
        transaction(async (tx) => {
          const before = await getRedirect(tx, id, tx.forUpdate);
          const from = body.from === undefined ? before.address : checkFrom(body.from);
          const to = body.to ?? (await presentOne(tx, before)).to;
          if (to !== null) await checkPair(tx, from, to, id);
          await updateRedirect(tx, id, from, body.to === undefined ? before : await getTarget(tx, body.to));
          recordActivity(tx, caller.id, "changed", activityOf({ id, from }));
          return presentOne(tx, await getRedirect(tx, id));
        }),
    }),

    route({
      method: "DELETE",
      path: onePath,
      name: "removeRedirect",
      tag,
      summary: "Remove a redirect",
      role: "admin",
      scope: "admin",
      find,
      current,
      response: messageSchema,
      async handle({ record, caller, transaction }) {
        await transaction((tx) => remove(tx, caller, [record.id]));
        return { message: `${record.from} leads nowhere now.` };
      },
    }),

    route({
      method: "POST",
      path: `${path}/remove`,
      name: "removeRedirects",
      tag,
      summary: "Remove many redirects",
      details: "Up to 1,000 in one transaction. Those that there are not have their error, and do not stop the others.",
      role: "admin",
      scope: "admin",
      body: redirectRemovalSchema,
      response: batchResultSchema,
      handle: changeTogether(async (tx, caller, { ids }) => {
        const removed = await remove(tx, caller, ids);
        const others = ids.filter((id) => !removed.has(id));
        return toResult(ids, new Map(others.map((id) => [id, missing(`redirect ${id}`)])));
      }),
    }),
  ];
}

async function remove(tx: Queries, caller: Caller, ids: number[]): Promise<Set<number>> {
  const removed = await removeRedirects(tx, ids);
  for (const { id, address } of removed) recordActivity(tx, caller.id, "deleted", activityOf({ id, from: address }));
  return new Set(removed.map(({ id }) => id));
}

const activityOf = ({ id, from }: { id: number; from: string }) =>
  ({ kind: "redirect", id, ownerID: null, name: from }) as const;

async function presentOne(db: Reader, redirect: StoredRedirect): Promise<Redirect> {
  return (await present(db, [redirect])).get(redirect.id) as Redirect;
}

async function present(db: Reader, redirects: StoredRedirect[]): Promise<Map<number, Redirect>> {
  const placeOf = await findPlaces(db, admin, redirects);
  return new Map(
    redirects.map((redirect) => {
      const { id, address, kind, importID, createdAt } = redirect;
      const place = placeOf(redirect);
      const one: Redirect = {
        id,
        from: address,
        to: place?.path ?? null,
        title: place?.title ?? null,
        kind,
        recordID: "recordID" in redirect ? redirect.recordID : null,
        importID,
        createdAt: new Date(createdAt).toISOString(),
      };
      return [id, one];
    }),
  );
}
