import type { Queries, Reader } from "../../platform/database/database.ts";
import { type KeysetRequest, listByKey } from "../../platform/database/keyset.ts";
import { list, sql, type Sql } from "../../platform/database/sql.ts";
import { missing } from "../../platform/errors.ts";
import { createToken } from "../../platform/auth/link-tokens.ts";
import type { State, Subscriber, SubscribersQuery } from "./subscriber.ts";

export type SubscriberRow = {
  id: number;
  created_at: number;
  updated_at: number;
  confirmed_at: number | null;
  ended_at: number | null;
  confirmation_sent_at: number | null;
  state: State;
  address: string;
  name: string | null;
  unsubscribe_token: string;
  bounce: string | null;
};

const columns = sql`id, created_at, updated_at, confirmed_at, ended_at, confirmation_sent_at, state, address, name,
  unsubscribe_token, bounce`;

const findBy = (db: Reader, where: Sql) =>
  db.get<SubscriberRow>(sql`SELECT ${columns} FROM subscribers WHERE ${where}`);

/** `lock` is `tx.forUpdate` if it is going to be changed. */
export async function getSubscriberRow(db: Reader, id: number, lock: Sql = sql``): Promise<SubscriberRow> {
  const row = await findBy(db, sql`id = ${id} ${lock}`);
  if (!row) throw missing(`subscriber ${id}`);
  return row;
}

export const getSubscriber = async (db: Reader, id: number, lock?: Sql): Promise<Subscriber> =>
  toSubscriber(await getSubscriberRow(db, id, lock));

export const findByAddress = (db: Reader, address: string, lock: Sql = sql``) =>
  findBy(db, sql`address_key = ${keyOf(address)} ${lock}`);

export const findByUnsubscribeToken = (db: Reader, token: string, lock: Sql = sql``) =>
  findBy(db, sql`unsubscribe_token = ${token} ${lock}`);

export const findByConfirmHash = (db: Reader, hash: string, askedAfter: number, lock: Sql = sql``) =>
  findBy(db, sql`confirm_hash = ${hash} AND confirmation_sent_at > ${askedAfter} ${lock}`);

export function listSubscribers(db: Reader, { state, q }: SubscribersQuery, request: KeysetRequest) {
  const states = state === undefined ? [sql`1 = 1`] : [sql`state = ${state}`];
  return listByKey(db, request, {
    table: "subscribers",
    where: [...states, ...(q === undefined ? [] : [contains(q)])] as [Sql, ...Sql[]],
    atOnce: 500,
    async find(ids) {
      const rows = await db.all<SubscriberRow>(sql`SELECT ${columns} FROM subscribers WHERE id IN (${list(ids)})`);
      return new Map(rows.map((row) => [row.id, toSubscriber(row)]));
    },
  });
}

function contains(text: string): Sql {
  const like = (part: string) => sql`${`%${part.replace(/[\\%_]/g, "\\$&")}%`} ESCAPE '\\'`;
  return sql`(address_key LIKE ${like(keyOf(text))} OR lower(name) LIKE ${like(text.toLowerCase())} OR name LIKE ${like(text)})`;
}

/** Those after an id, for the export. */
export const listSubscribersAfter = (db: Reader, id: number, most: number) =>
  db.all<SubscriberRow>(sql`SELECT ${columns} FROM subscribers WHERE id > ${id} ORDER BY id LIMIT ${most}`);

export async function countByState(db: Reader): Promise<Record<State, number>> {
  const rows = await db.all<{ state: State; rows: number }>(
    sql`SELECT state, count(*) AS rows FROM subscribers GROUP BY state`,
  );
  return {
    pending: 0,
    confirmed: 0,
    unsubscribed: 0,
    bouncing: 0,
    ...Object.fromEntries(rows.map((row) => [row.state, row.rows])),
  };
}

type NewSubscriber = {
  address: string;
  name: string | null;
  state: State;
  confirmedAt?: number | null;
  endedAt?: number | null;
  createdAt?: number;
};

/** Null if somebody else has just added the address. */
export async function insertSubscriber(tx: Queries, one: NewSubscriber): Promise<SubscriberRow | null> {
  const now = Date.now();
  return tx.get<SubscriberRow>(sql`
    INSERT INTO subscribers (created_at, updated_at, confirmed_at, ended_at, state, address, address_key, name, unsubscribe_token)
    VALUES (${one.createdAt ?? now}, ${now}, ${one.confirmedAt ?? null}, ${one.endedAt ?? null}, ${one.state}, ${one.address},
      ${keyOf(one.address)}, ${one.name}, ${createToken()})
    ON CONFLICT (address_key) DO NOTHING RETURNING ${columns}`);
}

/** A new state ends what waits for a confirmation. */
export async function setState(
  tx: Queries,
  id: number,
  state: Exclude<State, "pending">,
  bounce: string | null = null,
) {
  const now = Date.now();
  const confirmed = state === "confirmed" ? sql`confirmed_at = ${now}, ended_at = NULL,` : sql`ended_at = ${now},`;
  await tx.run(sql`
    UPDATE subscribers SET state = ${state}, ${confirmed} bounce = ${bounce}, confirm_hash = NULL, updated_at = ${now}
    WHERE id = ${id}`);
}

export async function askToConfirm(tx: Queries, id: number, hash: string, name: string | null): Promise<void> {
  const now = Date.now();
  await tx.run(sql`
    UPDATE subscribers SET confirm_hash = ${hash}, confirmation_sent_at = ${now}, name = coalesce(${name}, name), updated_at = ${now}
    WHERE id = ${id}`);
}

export async function deleteSubscriber(tx: Queries, id: number): Promise<void> {
  await tx.run(sql`DELETE FROM subscribers WHERE id = ${id}`);
}

export const keyOf = (address: string): string => address.toLowerCase();

export function toSubscriber(row: SubscriberRow): Subscriber {
  const print = (time: number | null) => (time === null ? null : new Date(time).toISOString());
  return {
    id: row.id,
    email: row.address,
    name: row.name,
    state: row.state,
    bounce: row.bounce,
    confirmedAt: print(row.confirmed_at),
    endedAt: print(row.ended_at),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}
