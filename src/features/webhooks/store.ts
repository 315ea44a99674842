import { type Position, readEnd, start } from "../../core/activity/feed.ts";
import { missing } from "../../platform/errors.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { sql, type Sql } from "../../platform/database/sql.ts";
import type { Caller } from "../../platform/http/route.ts";
import { randomBytes } from "../../platform/secrets.ts";
import { deliveries } from "./deliveries.ts";
import type { NewWebhook, Webhook, WebhookChanges } from "./webhook.ts";

export type WebhookRow = {
  id: number;
  created_at: number;
  updated_at: number;
  is_active: number;
  position_transaction_id: number;
  position_id: number;
  salt: string;
  url: string;
  events: string;
  inactive_reason: string | null;
};

const columns = sql`id, created_at, updated_at, is_active, position_transaction_id, position_id, salt, url, events,
  inactive_reason`;

export async function getWebhookRow(db: Reader, id: number, lock: Sql = sql``): Promise<WebhookRow> {
  const row = await db.get<WebhookRow>(sql`SELECT ${columns} FROM webhooks WHERE id = ${id} ${lock}`);
  if (!row) throw noWebhook(id);
  return row;
}

const noWebhook = (id: number) => missing(`webhook ${id}`);

/** Webhooks exist for admins alone. */
export async function getWebhook(db: Reader, { role }: Caller, id: number): Promise<Webhook> {
  if (role !== "admin") throw noWebhook(id);
  return toWebhook(await getWebhookRow(db, id));
}

/** Locks the webhook until the transaction ends, and returns its current state. */
export const lockWebhook = async (tx: Queries, id: number) => toWebhook(await getWebhookRow(tx, id, tx.forUpdate));

export async function listWebhooks(db: Reader): Promise<Webhook[]> {
  return (await db.all<WebhookRow>(sql`SELECT ${columns} FROM webhooks ORDER BY id`)).map(toWebhook);
}

export async function countWebhooks(db: Reader): Promise<number> {
  return (await db.get<{ rows: number }>(sql`SELECT count(*) AS rows FROM webhooks`))?.rows ?? 0;
}

/** It gets the events from now on. */
export async function insertWebhook(tx: Queries, { url, events, isActive }: NewWebhook): Promise<WebhookRow> {
  const time = Date.now();
  const { transactionID, id } = await readEnd(tx);
  const row = await tx.get<WebhookRow>(sql`
    INSERT INTO webhooks (created_at, updated_at, is_active, position_transaction_id, position_id, salt, url, events)
    VALUES (${time}, ${time}, ${isActive ? 1 : 0}, ${transactionID}, ${id}, ${randomBytes(32).toString("base64url")},
      ${url}, ${JSON.stringify(events)})
    RETURNING ${columns}`);
  return row as WebhookRow;
}

/** A webhook that becomes active gets the events from then on. */
export async function updateWebhook(tx: Queries, id: number, changed: WebhookChanges): Promise<Webhook> {
  const row = await getWebhookRow(tx, id, tx.forUpdate);
  const { url = row.url, events = JSON.parse(row.events) as string[], isActive = row.is_active === 1 } = changed;
  const isReactivated = isActive && row.is_active === 0;
  await tx.run(sql`
    UPDATE webhooks SET updated_at = ${Date.now()}, url = ${url}, events = ${JSON.stringify(events)},
      is_active = ${isActive ? 1 : 0}, inactive_reason = ${isActive ? null : row.inactive_reason}
    WHERE id = ${id}`);
  if (isReactivated) await setPosition(tx, id, await readEnd(tx));
  return toWebhook(await getWebhookRow(tx, id));
}

export async function setPosition(tx: Queries, id: number, position: Position): Promise<void> {
  await tx.run(sql`
    UPDATE webhooks SET position_transaction_id = ${position.transactionID}, position_id = ${position.id}
    WHERE id = ${id}`);
}

export const positionOf = (row: WebhookRow): Position => ({
  transactionID: row.position_transaction_id,
  id: row.position_id,
});

/** Returns whether it was active until now. */
export async function deactivate(tx: Queries, id: number, reason: string): Promise<boolean> {
  const changed = await tx.run(sql`
    UPDATE webhooks SET is_active = 0, inactive_reason = ${reason}, updated_at = ${Date.now()}
    WHERE id = ${id} AND is_active = 1`);
  return changed > 0;
}

export async function deleteWebhook(tx: Queries, id: number): Promise<void> {
  await tx.run(sql`DELETE FROM webhooks WHERE id = ${id}`);
  await deliveries.removeGroup(tx, id);
}

export async function hasActiveWebhooks(db: Reader): Promise<boolean> {
  return (await db.get(sql`SELECT id FROM webhooks WHERE is_active = 1 LIMIT 1`)) !== null;
}

/** The active webhooks for which there are changes after their position. */
export async function listBehind(db: Reader): Promise<number[]> {
  const rows = await db.all<{ id: number }>(sql`
    SELECT id FROM webhooks WHERE is_active = 1 AND EXISTS (
      SELECT 1 FROM activity JOIN activity_horizon ON transaction_id < settled
      WHERE (transaction_id, activity.id) > (position_transaction_id, position_id))`);
  return rows.map(({ id }) => id);
}

/** After the database was moved or restored, positions may have transactions that are still to come here. */
export async function forgetForeignPositions(db: Database): Promise<void> {
  const isForeign = sql`position_transaction_id >= (SELECT upcoming FROM activity_horizon)`;
  const rows = await db.all<{ id: number }>(sql`SELECT id FROM webhooks WHERE ${isForeign}`);
  if (rows.length === 0) return;
  await db.transaction((tx) =>
    tx.run(sql`UPDATE webhooks SET position_transaction_id = ${start.transactionID} WHERE ${isForeign}`),
  );
}

/** How an event calls it: a URL may have a token in it, its host has none. */
export const nameOf = ({ url }: { url: string }) => new URL(url).host;

export function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: JSON.parse(row.events) as string[],
    isActive: row.is_active === 1,
    inactiveReason: row.inactive_reason,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}
