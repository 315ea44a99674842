import { missing } from "../../platform/errors.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { type KeysetRequest, listByKey } from "../../platform/database/keyset.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { list, sql } from "../../platform/database/sql.ts";
import type { Delivery } from "./webhook.ts";

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const keptDays = 30;
const rowsAtOnce = 500;
/** While a delivery is being sent, no other process takes it over for this time. */
const leaseMs = minute;
/** The delay after each failed attempt: about a day in total. After one more failure, the delivery is given up. */
const delays = [5000, 30_000, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 8 * hour];
export const maxAttempts = delays.length + 1;

export type DeliveryRow = {
  id: number;
  webhook_id: number;
  created_at: number;
  next_at: number | null;
  attempts: number;
  attempted_at: number | null;
  delivered_at: number | null;
  status: number | null;
  event: string;
  payload: string;
  error: string | null;
  response: string | null;
};

const columns = sql`id, webhook_id, created_at, next_at, attempts, attempted_at, delivered_at, status, event, payload,
  error, response`;

/** `nextAt` is null for a delivery that its creator sends itself. */
export async function insertDelivery(
  tx: Queries,
  webhookID: number,
  { event, payload }: { event: string; payload: string },
  nextAt: number | null,
): Promise<DeliveryRow> {
  const row = await tx.get<DeliveryRow>(sql`
    INSERT INTO webhook_deliveries (webhook_id, created_at, next_at, attempts, event, payload)
    VALUES (${webhookID}, ${Date.now()}, ${nextAt}, 0, ${event}, ${payload}) RETURNING ${columns}`);
  return row as DeliveryRow;
}

export async function getDelivery(db: Reader, webhookID: number, id: number): Promise<Delivery> {
  const row = await db.get<DeliveryRow>(
    sql`SELECT ${columns} FROM webhook_deliveries WHERE id = ${id} AND webhook_id = ${webhookID}`,
  );
  if (!row) throw missing(`delivery ${id} of webhook ${webhookID}`);
  return toDelivery(row);
}

export function listDeliveries(db: Reader, webhookID: number, request: KeysetRequest) {
  return listByKey(db, request, {
    table: "webhook_deliveries",
    where: [sql`webhook_id = ${webhookID}`],
    atOnce: rowsAtOnce,
    async find(ids) {
      const rows = await db.all<DeliveryRow>(sql`SELECT ${columns} FROM webhook_deliveries WHERE id IN (${list(ids)})`);
      return new Map(rows.map((row) => [row.id, toDelivery(row)]));
    },
  });
}

export async function countWaiting(db: Reader, webhookID: number): Promise<number> {
  const row = await db.get<{ rows: number }>(
    sql`SELECT count(*) AS rows FROM webhook_deliveries WHERE webhook_id = ${webhookID} AND next_at IS NOT NULL`,
  );
  return row?.rows ?? 0;
}

/** The next deliveries of active webhooks, except those of `busy` webhooks, that are due. */
const dueIDs = (now: number, busy: number[], most: number) => sql`
  SELECT due.id FROM webhook_deliveries AS due JOIN webhooks ON webhooks.id = due.webhook_id
  WHERE due.next_at <= ${now} AND webhooks.is_active = 1 AND due.webhook_id NOT IN (${list([0, ...busy])})
  ORDER BY due.next_at LIMIT ${most}`;

export async function hasDue(db: Reader, busy: number[]): Promise<boolean> {
  return (await db.get(dueIDs(Date.now(), busy, 1))) !== null;
}

/** Takes deliveries that are due. Of two processes that do this at the same time, each delivery goes to one. */
export function claimDue(tx: Queries, busy: number[], most: number): Promise<DeliveryRow[]> {
  const now = Date.now();
  return tx.all<DeliveryRow>(sql`
    UPDATE webhook_deliveries SET next_at = ${now + leaseMs}
    WHERE next_at <= ${now} AND id IN (${dueIDs(now, busy, most)}) RETURNING ${columns}`);
}

export type Attempt = { status: number | null; error: string | null; response: string | null };

/** Stores the outcome of an attempt. Returns whether the delivery has failed for the last time. */
export async function finishAttempt(tx: Queries, delivery: DeliveryRow, attempt: Attempt): Promise<boolean> {
  const now = Date.now();
  const isDelivered = attempt.error === null;
  const delay = delivery.next_at === null || isDelivered ? undefined : delays[delivery.attempts];
  const nextAt = delay === undefined ? null : now + Math.round(delay * (0.8 + Math.random() * 0.4));
  await tx.run(sql`
    UPDATE webhook_deliveries SET attempts = ${delivery.attempts + 1}, attempted_at = ${now}, next_at = ${nextAt},
      delivered_at = ${isDelivered ? now : null}, status = ${attempt.status}, error = ${attempt.error},
      response = ${attempt.response}
    WHERE id = ${delivery.id}`);
  return !isDelivered && delivery.next_at !== null && nextAt === null;
}

/** Whether anything has been delivered since this delivery was created. */
export async function hasDeliveredSince(db: Reader, { webhook_id, created_at }: DeliveryRow): Promise<boolean> {
  const delivered = sql`
    SELECT id FROM webhook_deliveries WHERE webhook_id = ${webhook_id} AND delivered_at >= ${created_at} LIMIT 1`;
  return (await db.get(delivered)) !== null;
}

/** Sends a delivery again, with as many attempts as a new one. */
export async function sendAgain(tx: Queries, id: number): Promise<void> {
  await tx.run(sql`UPDATE webhook_deliveries SET next_at = ${Date.now()}, attempts = 0 WHERE id = ${id}`);
}

export function removeOldDeliveries(db: Database): Promise<number> {
  return removeRows(db, "webhook_deliveries", sql`created_at < ${Date.now() - keptDays * day}`);
}

function toDelivery(row: DeliveryRow): Delivery {
  const print = (time: number | null) => (time === null ? null : new Date(time).toISOString());
  return {
    id: row.id,
    webhookID: row.webhook_id,
    event: row.event,
    payload: row.payload,
    state: row.next_at !== null ? "waiting" : row.delivered_at === null ? "failed" : "delivered",
    attempts: row.attempts,
    status: row.status,
    error: row.error,
    response: row.response,
    attemptedAt: print(row.attempted_at),
    nextAttemptAt: print(row.next_at),
    createdAt: new Date(row.created_at).toISOString(),
  };
}
