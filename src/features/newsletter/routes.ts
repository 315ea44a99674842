import { z } from "zod";
import { recordActivity } from "../../core/activity/record.ts";
import type { FixedSettings } from "../../core/settings/store.ts";
import { readSettings } from "../../core/settings/store.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { byID } from "../../platform/database/keyset.ts";
import { forbidden, Problem } from "../../platform/errors.ts";
import { readBytes } from "../../platform/http/body-bytes.ts";
import { onlyByCursor } from "../../platform/http/cursor.ts";
import { chooseLanguage } from "../../platform/http/language.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { type Caller, type Route, route } from "../../platform/http/route.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import { exportSubscribers } from "./export.ts";
import { importSubscribers, maxImportBytes } from "./import.ts";
import { cancelMailsTo, unsubscribe } from "./mails.ts";
import { countByState, deleteSubscriber, getSubscriber, listSubscribers, setState } from "./store.ts";
import { subscribe } from "./subscribe.ts";
import {
  importReportSchema,
  newsletterSchema,
  subscriberChangesSchema,
  subscriberSchema,
  subscribersQuery,
  subscriptionSchema,
} from "./subscriber.ts";

export const tag = "Newsletter";
const path = "/api/v1/newsletter";
const subscribersPath = `${path}/subscribers`;
const onePath = `${subscribersPath}/:id` as const;

type Uses = { guesses: RateLimit; baseURL: string; fixed: FixedSettings };

/** Everyone gets this, whether the address is known or not. */
const asked = "If this address can be subscribed, it has just got a mail: open the link in it.";

export const switchedOff = () => new Problem("forbidden", "This site has no newsletter.");

export function newsletterRoutes(db: Database, { guesses, baseURL, fixed }: Uses): Route[] {
  const find = async ({ id }: { id: number }, caller: Caller) => {
    if (caller.role !== "admin") throw forbidden("This requires the admin role.");
    return getSubscriber(db, id);
  };
  const current = (tx: Queries, _caller: Caller, { id }: { id: number }) => getSubscriber(tx, id, tx.forUpdate);

  return [
    route({
      method: "GET",
      path,
      name: "readNewsletter",
      tag,
      summary: "Read whether there is a newsletter, and how many subscribe to it",
      role: "admin",
      response: newsletterSchema,
      handle: async () => ({
        isOn: (await readSettings(db, fixed)).newsletter,
        isPossible: fixed.newsletter === undefined,
        ...(await countByState(db)),
      }),
    }),

    route({
      method: "POST",
      path: `${path}/subscriptions`,
      name: "subscribe",
      tag,
      summary: "Subscribe an address to new posts",
      details:
        "It gets a mail with a link, and is subscribed once somebody confirms there. The response is the same for an address that is subscribed already.",
      body: subscriptionSchema,
      noIdempotency: "read",
      response: messageSchema,
      statuses: { 403: "This site has no newsletter", 429: "Too many subscriptions from one address" },
      async handle({ body, exchange }) {
        const settings = await readSettings(db, fixed);
        if (!settings.newsletter) throw switchedOff();
        const chosen = chooseLanguage(exchange.request.headers.get("accept-language"), ["en", "de"]);
        const language = (chosen ?? settings.language).startsWith("de") ? "de" : "en";
        await subscribe({ db, guesses, baseURL }, { ...body, from: exchange.address, language });
        return { message: asked };
      },
    }),

    route({
      method: "GET",
      path: subscribersPath,
      name: "listSubscribers",
      tag,
      summary: "List subscribers, newest first",
      role: "admin",
      query: subscribersQuery,
      cursor: onlyByCursor(byID, "desc"),
      response: z.array(subscriberSchema),
      handle: ({ query, cursor }) => listSubscribers(db, query, cursor),
    }),

    route({
      method: "GET",
      path: onePath,
      name: "readSubscriber",
      tag,
      summary: "Read a subscriber",
      role: "admin",
      find,
      response: subscriberSchema,
      handle: ({ record }) => record,
    }),

    route({
      method: "PUT",
      path: onePath,
      name: "changeSubscriber",
      tag,
      summary: "Change the state of a subscriber",
      role: "admin",
      scope: "admin",
      find,
      current,
      body: subscriberChangesSchema,
      response: subscriberSchema,
      statuses: { 409: "Only the subscriber can do this" },
      handle: ({ record: { id }, body, caller, transaction }) =>
        transaction(async (tx) => {
          const { state } = await getSubscriber(tx, id, tx.forUpdate);
          if (body.state === "unsubscribed") await unsubscribe(tx, id);
          else if (state === "bouncing") await setState(tx, id, "confirmed");
          else if (state !== "confirmed") {
            throw new Problem("conflict", "Only the person can confirm this: by the link in the mail.");
          }
          recordActivity(tx, caller.id, "changed", activityOf(id));
          return getSubscriber(tx, id);
        }),
    }),

    route({
      method: "DELETE",
      path: onePath,
      name: "deleteSubscriber",
      tag,
      summary: "Delete a subscriber permanently",
      details: "Nothing is left of the address, so that an import can add it again.",
      role: "admin",
      scope: "admin",
      find,
      current,
      response: messageSchema,
      async handle({ record: { id, email }, caller, transaction }) {
        await transaction(async (tx) => {
          await cancelMailsTo(tx, id);
          await deleteSubscriber(tx, id);
          recordActivity(tx, caller.id, "deleted", activityOf(id));
        });
        return { message: `${email} was deleted.` };
      },
    }),

    route({
      method: "GET",
      path: `${path}/export`,
      name: "exportSubscribers",
      tag,
      summary: "Download all subscribers as a table",
      role: "admin",
      response: {
        contentTypes: ["text/csv"],
        description: "Comma-separated values, with the names of the columns in the first line",
      },
      handle: () => exportSubscribers(db),
    }),

    route({
      method: "POST",
      path: `${path}/import`,
      name: "importSubscribers",
      tag,
      summary: "Add subscribers from a table",
      details:
        "Comma-separated values (or with semicolons or tabs), as other programs export them. The first line names the columns: `email` is needed; `name`, `state` and a date are read if they are there. Addresses without a state count as confirmed. Nobody who has unsubscribed here is subscribed again.",
      role: "admin",
      scope: "admin",
      bytes: "application/octet-stream",
      noIdempotency: "upload",
      response: importReportSchema,
      async handle({ exchange, caller }) {
        const bytes = await readBytes(exchange, maxImportBytes);
        const report = await importSubscribers(db, new TextDecoder().decode(bytes));
        if (report.added + report.ended > 0)
          await db.transaction(async (tx) => recordActivity(tx, caller.id, "created", activityOf(0)));
        return report;
      },
    }),
  ];
}

/** Without the address: the activity is kept when a subscriber is deleted. */
const activityOf = (id: number) => ({ kind: "subscriber", id, ownerID: null, name: "" });
