import { z } from "zod";
import { recordActivity } from "../../core/activity/record.ts";
import { invalid, Problem } from "../../platform/errors.ts";
import type { Database } from "../../platform/database/database.ts";
import { byID } from "../../platform/database/keyset.ts";
import { late } from "../../platform/once.ts";
import { onlyByCursor } from "../../platform/http/cursor.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { type Caller, type Route, route } from "../../platform/http/route.ts";
import { deliveries, getDelivery, listDeliveries, newDelivery, sendAgain } from "./deliveries.ts";
import type { Sender } from "./sender.ts";
import {
  countWebhooks,
  deleteWebhook,
  getWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  nameOf,
  toWebhook,
  updateWebhook,
} from "./store.ts";
import {
  createdWebhookSchema,
  deliverySchema,
  deriveSecret,
  newWebhookSchema,
  parseTarget,
  type Webhook,
  webhookChangesSchema,
  webhookSchema,
} from "./webhook.ts";

const loadPost = late(() => import("../../platform/outgoing/post.ts"));

const tag = "Webhooks";
const onePath = "/api/v1/webhooks/:id";
const maxWebhooks = 50;

type Deps = Pick<Sender, "sendOnce"> & { secret: string; allowPrivate: boolean; wake(): void };

export function webhookRoutes(db: Database, { sendOnce, secret, allowPrivate, wake }: Deps): Route[] {
  const find = ({ id }: { id: number }, caller: Caller) => getWebhook(db, caller, id);

  return [
    route({
      method: "POST",
      path: "/api/v1/webhooks",
      name: "createWebhook",
      tag,
      summary: "Create a webhook",
      details:
        "From now on, every matching change is sent to the URL as a signed POST request, including changes of private records. The secret is shown only in this response. A URL that is not on the public internet is refused, unless the server allows it.",
      role: "admin",
      scope: "admin",
      body: newWebhookSchema,
      noIdempotency: "token",
      status: 201,
      response: createdWebhookSchema,
      statuses: { 409: `There are already ${maxWebhooks} webhooks` },
      async handle({ body, caller }) {
        const url = await checkTarget(body.url);
        const row = await db.transaction(async (tx) => {
          await tx.lock("new webhooks");
          if ((await countWebhooks(tx)) >= maxWebhooks) {
            throw new Problem("conflict", `There are already ${maxWebhooks} webhooks: delete one first.`);
          }
          const created = await insertWebhook(tx, { ...body, url });
          recordActivity(tx, caller.id, "created", activityOf(created));
          return created;
        });
        return { ...toWebhook(row), secret: deriveSecret(secret, row.salt) };
      },
    }),

    route({
      method: "GET",
      path: "/api/v1/webhooks",
      name: "listWebhooks",
      tag,
      summary: "List webhooks",
      role: "admin",
      response: z.array(webhookSchema),
      handle: () => listWebhooks(db),
    }),

    route({
      method: "GET",
      path: onePath,
      name: "readWebhook",
      tag,
      summary: "Read a webhook",
      role: "admin",
      find,
      response: webhookSchema,
      handle: ({ record }) => record,
    }),

    route({
      method: "PUT",
      path: onePath,
      name: "changeWebhook",
      tag,
      summary: "Change a webhook",
      details: "Omitted fields keep their values. A webhook that is activated again gets the events from then on.",
      role: "admin",
      scope: "admin",
      find,
      current: (tx, _caller, { id }) => lockWebhook(tx, id),
      body: webhookChangesSchema,
      response: webhookSchema,
      async handle({ record, body, caller, transaction }) {
        const changed = body.url === undefined ? body : { ...body, url: await checkTarget(body.url) };
        return transaction(async (tx) => {
          const webhook = await updateWebhook(tx, record.id, changed);
          recordActivity(tx, caller.id, "changed", activityOf(webhook));
          return webhook;
        });
      },
    }),

    route({
      method: "DELETE",
      path: onePath,
      name: "deleteWebhook",
      tag,
      summary: "Delete a webhook and its deliveries permanently",
      role: "admin",
      scope: "admin",
      find,
      current: (tx, _caller, { id }) => lockWebhook(tx, id),
      response: messageSchema,
      async handle({ record, caller, transaction }) {
        await transaction(async (tx) => {
          await deleteWebhook(tx, record.id);
          recordActivity(tx, caller.id, "deleted", activityOf(record));
        });
        return { message: "The webhook was deleted." };
      },
    }),

    route({
      method: "GET",
      path: `${onePath}/deliveries`,
      name: "listWebhookDeliveries",
      tag,
      summary: "List the deliveries of a webhook, newest first",
      details: "Deliveries are kept for 30 days.",
      role: "admin",
      find,
      cursor: onlyByCursor(byID, "desc"),
      response: z.array(deliverySchema),
      handle: ({ record, cursor }) => listDeliveries(db, record.id, cursor),
    }),

    route({
      method: "POST",
      path: `${onePath}/test`,
      name: "testWebhook",
      tag,
      summary: "Send a test event",
      details: "Sends the event `webhook.tested` once, and returns the result. The webhook need not be active.",
      role: "admin",
      scope: "admin",
      find,
      response: deliverySchema,
      settlesLater: true,
      async handle({ record, transaction }) {
        const event = "webhook.tested";
        const task = newDelivery(record.id, {
          event,
          body: JSON.stringify({ event, createdAt: new Date().toISOString() }),
        });
        const unsent = { outcome: "given up", reason: null } as const;
        const id = await transaction((tx) => deliveries.addSettled(tx, task, unsent), {
          reply: (delivery, tx) => getDelivery(tx, record.id, delivery),
        });
        await sendOnce({ ...task, id });
        return getDelivery(db, record.id, id);
      },
    }),

    route({
      method: "POST",
      path: `${onePath}/deliveries/:deliveryID/redeliver`,
      name: "redeliverWebhook",
      tag,
      summary: "Send a delivery again",
      details: "The body is the same; the signature has the current time.",
      role: "admin",
      scope: "admin",
      find,
      response: deliverySchema,
      async handle({ record, params, transaction }) {
        await getDelivery(db, record.id, params.deliveryID);
        if (!record.isActive) throw invalid("The webhook is not active: activate it first.");
        const delivery = await transaction(async (tx) => {
          await lockWebhook(tx, record.id);
          await sendAgain(tx, record.id, params.deliveryID);
          return getDelivery(tx, record.id, params.deliveryID);
        });
        wake();
        return delivery;
      },
    }),
  ];

  /** Refuses an address that is known not to be public. It is checked again for every delivery. */
  async function checkTarget(text: string): Promise<string> {
    const url = parseTarget(text);
    const { findAllowedAddresses, PostError } = await loadPost();
    try {
      await findAllowedAddresses(url, { allowPrivate });
    } catch (error) {
      // A name that cannot be resolved now may be resolved later.
      if (error instanceof PostError) throw invalid(`"url" is refused: ${error.message}`, "url");
    }
    return url.href;
  }
}

const activityOf = (webhook: Pick<Webhook, "id" | "url">) => ({
  kind: "webhook",
  id: webhook.id,
  ownerID: null,
  name: nameOf(webhook),
});
