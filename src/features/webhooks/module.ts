import { kindsOf, type Module } from "../../module.ts";
import { webhookTables } from "./tables.ts";
import { deliverAll } from "./deliver.ts";
import { removeOldDeliveries } from "./deliveries.ts";
import { webhookRoutes } from "./routes.ts";
import { createSender } from "./sender.ts";
import { forgetForeignPositions } from "./store.ts";

const hour = 3_600_000;

export const webhooksModule: Module = {
  tags: { Webhooks: "Changes, sent to other servers as they happen. For admins." },
  tables: webhookTables,
  async open({ db, log, modules, secret, config: { allowPrivateWebhooks } }) {
    await forgetForeignPositions(db);
    const stopping = new AbortController();
    const { signal } = stopping;
    const kinds = new Map(kindsOf(modules).map((kind) => [kind.name, kind]));
    const uses = { secret, allowPrivate: allowPrivateWebhooks, signal };
    const sender = createSender(db, uses);
    const delivering = deliverAll(db, kinds, sender, { log, signal });
    return {
      routes: webhookRoutes(db, sender, uses),
      jobs: [{ name: "webhook deliveries", everyMs: hour, deletesByAge: true, run: () => removeOldDeliveries(db) }],
      async close() {
        stopping.abort();
        await delivering;
      },
    };
  },
};
