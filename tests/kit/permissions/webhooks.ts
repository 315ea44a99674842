import { type Row, row } from "./row.ts";
import { api, made, type People } from "./records.ts";

const admins = (status = 200): Row["expected"] => [401, 403, 403, 403, 403, status];

/** For everyone else, webhooks do not exist. */
const hidden = (status = 200): Row["expected"] => [401, 404, 404, 404, 404, status];

/** It gets no events, so that nothing is sent but what a request sends. */
const newHook = { url: "http://127.0.0.1:1/", events: ["nothing.happened"] };

async function webhook({ admin }: People) {
  const hook = await made(admin, "/webhooks", newHook);
  const path = `${api}/webhooks/${hook.id}`;
  const { id: deliveryID } = await made(admin, `/webhooks/${hook.id}/test`, {});
  return { ...hook, path, deliveryID, watch: [path] };
}

export const webhookRows: Row[] = [
  {
    route: "POST /webhooks",
    expected: admins(201),
    async send(who) {
      const answer = await who.post(`${api}/webhooks`, newHook);
      if (answer.status === 201) await who.delete(`${api}/webhooks/${answer.body.id}`);
      return answer;
    },
  },
  row("GET /webhooks", admins(), null, (who) => who.get(`${api}/webhooks`)),
  row("GET /webhooks/:id", hidden(), webhook, (who, { path }) => who.get(path)),
  row("PUT /webhooks/:id", hidden(), webhook, (who, { path }) => who.put(path, { events: ["*"], isActive: false })),
  row("DELETE /webhooks/:id", hidden(), webhook, (who, { path }) => who.delete(path)),
  row("GET /webhooks/:id/deliveries", hidden(), webhook, (who, { path }) => who.get(`${path}/deliveries`)),
  row("POST /webhooks/:id/test", hidden(), webhook, (who, { path }) => who.post(`${path}/test`)),
  row("POST /webhooks/:id/deliveries/:deliveryID/redeliver", hidden(), webhook, (who, { path, deliveryID }) =>
    who.post(`${path}/deliveries/${deliveryID}/redeliver`),
  ),
];
