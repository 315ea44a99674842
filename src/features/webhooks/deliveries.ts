import { missing } from "../../platform/errors.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { type KeysetRequest, listByKey } from "../../platform/database/keyset.ts";
import { list, sql } from "../../platform/database/sql.ts";
import { queue } from "../../platform/jobs/queue.ts";
import type { Task } from "../../platform/jobs/tasks.ts";
import type { Delivery } from "./webhook.ts";

const [minute, hour] = [60_000, 3_600_000];
const rowsAtOnce = 500;
/** The delay after each failed attempt: about a day in total. After one more failure, the delivery is given up. */
const delaysMs = [5000, 30_000, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 8 * hour];
export const maxAttempts = delaysMs.length + 1;

/** The body and the last attempt. */
export type Payload = {
  event: string;
  body: string;
  createdAt: number;
  attemptedAt: number | null;
  status: number | null;
  error: string | null;
  response: string | null;
};
export type Attempt = Pick<Payload, "status" | "error" | "response">;

/** What is sent to webhooks; those of a webhook are a group. They wait while it is not active. */
export const deliveries = queue<Payload>({
  name: "webhooks",
  atOnce: 8,
  perGroup: 2,
  lookEveryMs: 1000,
  delaysMs,
  maxBegins: 10,
  where: sql`EXISTS (SELECT 1 FROM webhooks WHERE webhooks.id = tasks.group_id AND webhooks.is_active = 1)`,
  keep: (payload) => payload,
});

type Row = Pick<Task<never>, "id" | "failures"> & {
  task_key: string;
  group_id: number;
  next_at: number;
  settled_at: number | null;
  outcome: string | null;
  payload: string;
};
const columns = sql`id, task_key, group_id, next_at, failures, settled_at, outcome, payload`;
/** The index of these rows asks for the name as it is. */
const isDelivery = sql`queue = 'webhooks'`;

export const newDelivery = (webhookID: number, { event, body }: Pick<Payload, "event" | "body">) => ({
  key: crypto.randomUUID(),
  group: webhookID,
  payload: { event, body, createdAt: Date.now(), attemptedAt: null, status: null, error: null, response: null },
});

async function getRow(db: Reader, webhookID: number, id: number): Promise<Row> {
  const row = await db.get<Row>(
    sql`SELECT ${columns} FROM tasks WHERE id = ${id} AND ${isDelivery} AND group_id = ${webhookID}`,
  );
  if (!row) throw missing(`delivery ${id} of webhook ${webhookID}`);
  return row;
}

export const getDelivery = async (db: Reader, webhookID: number, id: number): Promise<Delivery> =>
  toDelivery(await getRow(db, webhookID, id));

export function listDeliveries(db: Reader, webhookID: number, request: KeysetRequest) {
  return listByKey(db, request, {
    table: "tasks",
    where: [isDelivery, sql`group_id = ${webhookID}`],
    atOnce: rowsAtOnce,
    async find(ids) {
      const rows = await db.all<Row>(sql`SELECT ${columns} FROM tasks WHERE id IN (${list(ids)})`);
      return new Map(rows.map((row) => [row.id, toDelivery(row)]));
    },
  });
}

export async function countWaiting(db: Reader, webhookID: number): Promise<number> {
  const row = await db.get<{ rows: number }>(
    sql`SELECT count(*) AS rows FROM tasks WHERE ${isDelivery} AND group_id = ${webhookID} AND settled_at IS NULL`,
  );
  return row?.rows ?? 0;
}

/** Whether anything has been delivered since this delivery was created. */
export async function hasDeliveredSince(db: Reader, { group, payload }: Task<Payload>): Promise<boolean> {
  const delivered = sql`
    SELECT id FROM tasks
    WHERE ${isDelivery} AND group_id = ${group} AND outcome = 'done' AND settled_at >= ${payload.createdAt} LIMIT 1`;
  return (await db.get(delivered)) !== null;
}

/** Sends a delivery again, with as many attempts as a new one. */
export async function sendAgain(tx: Queries, webhookID: number, id: number): Promise<void> {
  const { task_key: key, payload } = await getRow(tx, webhookID, id);
  await deliveries.add(tx, [{ key, group: webhookID, payload: JSON.parse(payload) as Payload }]);
}

function toDelivery({ id, group_id: webhookID, failures, next_at, settled_at, outcome, payload }: Row): Delivery {
  const { body, createdAt, attemptedAt, ...sent } = JSON.parse(payload) as Payload;
  const print = (time: number | null) => (time === null ? null : new Date(time).toISOString());
  return {
    id,
    webhookID,
    event: sent.event,
    payload: body,
    state: settled_at === null ? "waiting" : outcome === "done" ? "delivered" : "failed",
    attempts: settled_at === null || attemptedAt === null ? failures : failures + 1,
    status: sent.status,
    error: sent.error,
    response: sent.response,
    attemptedAt: print(attemptedAt),
    nextAttemptAt: print(settled_at === null ? next_at : null),
    createdAt: new Date(createdAt).toISOString(),
  };
}
