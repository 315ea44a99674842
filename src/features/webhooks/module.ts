import { late } from "../../platform/once.ts";
import { kindsOf, type Module } from "../../module.ts";
import { followActivity } from "./deliver.ts";
import { deliveries } from "./deliveries.ts";
import { createSender } from "./sender.ts";
import { forgetForeignPositions } from "./store.ts";
import { webhookTables } from "./tables.ts";

const loadRoutes = late(() => import("./routes.ts"));

export const webhooksModule: Module = {
  tags: { Webhooks: "Changes, sent to other servers as they happen. For admins." },
  tables: webhookTables,
  async open({ db, log, metrics, modules, secret, config: { allowPrivateWebhooks } }) {
    await forgetForeignPositions(db);
    const stopping = new AbortController();
    const { signal } = stopping;
    const kinds = new Map(kindsOf(modules).map((kind) => [kind.name, kind]));
    const uses = { secret, allowPrivate: allowPrivateWebhooks, signal };
    const { run, givenUp, sendOnce } = createSender(db, uses);
    const worker = await deliveries.start({ db, log, metrics }, { run, givenUp });
    const following = followActivity(db, kinds, { log, signal, added: worker.wake });
    return {
      lateRoutes: {
        names: [
          "POST /api/v1/webhooks",
          "GET /api/v1/webhooks",
          "GET /api/v1/webhooks/:id",
          "PUT /api/v1/webhooks/:id",
          "DELETE /api/v1/webhooks/:id",
          "GET /api/v1/webhooks/:id/deliveries",
          "POST /api/v1/webhooks/:id/test",
          "POST /api/v1/webhooks/:id/deliveries/:deliveryID/redeliver",
        ],
        async load() {
          const { webhookRoutes } = await loadRoutes();
          return webhookRoutes(db, { ...uses, sendOnce, wake: worker.wake });
        },
      },
      async close() {
        // What is interrupted is sent again.
        const closed = worker.close();
        stopping.abort();
        await Promise.all([closed, following]);
      },
    };
  },
};
