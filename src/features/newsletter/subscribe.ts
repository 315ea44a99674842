import type { Database, Queries } from "../../platform/database/database.ts";
import { queueMail } from "../../core/mail/outbox.ts";
import { type MailLanguage, readMailSite } from "../../core/mail/template.ts";
import { createToken, hashToken, isToken } from "../../platform/auth/link-tokens.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { sql } from "../../platform/database/sql.ts";
import { busy, invalid, Problem } from "../../platform/errors.ts";
import { limitKey } from "../../platform/http/address.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import { parseAddress } from "../../platform/mail/address.ts";
import { confirmMail } from "./confirm-mail.ts";
import { unsubscribe } from "./mails.ts";
import {
  askToConfirm,
  findByAddress,
  findByConfirmHash,
  findByUnsubscribeToken,
  insertSubscriber,
  setState,
  type SubscriberRow,
} from "./store.ts";

const [hour, day] = [3_600_000, 86_400_000];
/** How long the link in a mail that asks for a confirmation can be used. */
const confirmMs = 2 * day;
const maxPending = 5000;

type Asked = {
  email: string;
  name?: string | null | undefined;
  /** From where the request comes. */
  from: string;
  /** That of the mail. */
  language: MailLanguage;
};

/**
 * Sends a mail that asks for a confirmation. To the caller, an address that is subscribed looks like one that is not: nothing
 * that is thrown depends on it. An address gets one mail an hour.
 */
export async function subscribe(
  { db, guesses, baseURL }: { db: Database; guesses: RateLimit; baseURL: string },
  { email, name = null, from, language }: Asked,
): Promise<void> {
  const address = parseAddress(email);
  if (address === null) throw invalid('"email" must be one e-mail address.', "email");
  const verdict = await guesses.take(`newsletter:${limitKey(from)}`);
  if (!verdict.allowed) throw tooMany(verdict.retryAfterMs);
  const token = createToken();
  const site = { ...(await readMailSite(db, baseURL)), language };
  const now = Date.now();
  await db.transaction(async (tx) => {
    if (await isFull(tx)) throw busy("Too many people are subscribing right now: try again later.");
    const known = await findByAddress(tx, address, tx.forUpdate);
    const row = known ?? (await insertSubscriber(tx, { address, name, state: "pending" }));
    // Somebody who is subscribed takes as long as somebody who is not.
    if (!row || row.state === "confirmed" || (row.confirmation_sent_at ?? 0) > now - hour) {
      tx.later(touch(address));
    } else {
      await askToConfirm(tx, row.id, hashToken(token), name);
      await queueMail(tx, confirmMail(address, token, site));
    }
  });
}

const touch = (address: string) =>
  sql`UPDATE subscribers SET updated_at = updated_at WHERE address_key = ${address.toLowerCase()}`;

async function isFull(tx: Queries): Promise<boolean> {
  const pending = sql`SELECT id FROM subscribers WHERE state = 'pending' LIMIT ${maxPending}`;
  return (
    (await tx.get<{ rows: number }>(sql`SELECT count(*) AS rows FROM (${pending}) AS pending`))?.rows === maxPending
  );
}

function tooMany(milliseconds: number): Problem {
  const seconds = Math.ceil(milliseconds / 1000);
  return new Problem("limited", `Too many subscriptions from here: wait ${seconds} seconds.`, {
    headers: { "Retry-After": String(seconds) },
  });
}

/** The subscriber who was asked with this token; null if it is wrong or too old. */
export async function findAsked(db: Pick<Queries, "get" | "all">, token: string): Promise<SubscriberRow | null> {
  return isToken(token) ? findByConfirmHash(db, hashToken(token), Date.now() - confirmMs) : null;
}

/** Returns whether the token was right. */
export async function confirm(tx: Queries, token: string): Promise<boolean> {
  const asked = await findAsked(tx, token);
  if (!asked) return false;
  await setState(tx, asked.id, "confirmed");
  return true;
}

export async function findSubscribed(db: Pick<Queries, "get" | "all">, token: string): Promise<SubscriberRow | null> {
  return isToken(token) ? findByUnsubscribeToken(db, token) : null;
}

/** Returns whether the token was right. */
export async function unsubscribeWith(tx: Queries, token: string): Promise<boolean> {
  const subscriber = await findSubscribed(tx, token);
  if (subscriber) await unsubscribe(tx, subscriber.id);
  return subscriber !== null;
}

/** Whoever did not confirm in time is forgotten. */
export async function removeUnconfirmed(db: Database): Promise<void> {
  const before = Date.now() - confirmMs;
  await removeRows(
    db,
    "subscribers",
    sql`state = 'pending' AND coalesce(confirmation_sent_at, created_at) < ${before}`,
  );
}
