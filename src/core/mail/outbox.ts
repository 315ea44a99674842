import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { inChunks, list, sql } from "../../platform/database/sql.ts";
import { parseAddress } from "../../platform/mail/address.ts";
import type { Letter, Outcome } from "../../platform/mail/letter.ts";
import { randomBytes } from "../../platform/secrets.ts";

const [minute, day] = [60_000, 86_400_000];

/** The delay after each attempt that failed for the time being: about three days in total. */
const delays = [1, 5, 15, 30, 60, 120, 240, 360, 720, 720, 720, 720, 720].map((minutes) => minutes * minute);
const usualLifetime = 3 * day;
/** No attempt takes as long as this: after it, the process that sent a mail has ended without a result. */
const longestAttempt = 15 * minute;
const keptMs = 30 * day;
const maxTextLength = 2_000_000;

export type Mail = {
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** Further headers. Those that every mail has cannot be set. */
  headers?: Record<string, string>;
  /** The same mail is queued only once, as long as the outbox remembers it: 30 days after it was sent. */
  key?: string;
  /** When it is no longer worth sending; left out: in three days. */
  expiresAt?: number;
};

/** What became of a mail. `isAddress`: the server of the recipient has refused the address for good. */
export type SettledMail = {
  id: number;
  key: string | null;
  to: string;
  outcome: "sent" | "failed" | "doubtful";
  reason: string | null;
  isAddress: boolean;
};

/** What a module does when a mail was sent or given up, in the same transaction. */
export type MailSettled = (tx: Queries, mail: SettledMail) => Promise<void>;

const ownHeaders = /^(from|to|cc|bcc|sender|reply-to|return-path|subject|date|message-id|mime-version|content-.*)$/i;

/**
 * Queues a mail: it is sent after the transaction has been committed, and not at all if it is rolled back. Returns its id, or null if
 * a mail with this key was queued before. Only to be called if mail is configured. Throws if an address or a header is not one.
 */
export async function queueMail(tx: Queries, mail: Mail): Promise<number | null> {
  const { subject, text, html = null, headers = {}, key = null } = mail;
  const to = parseAddress(mail.to);
  if (to === null) throw new Error("A mail needs exactly one address.");
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[A-Za-z][A-Za-z0-9-]{0,60}$/.test(name) || ownHeaders.test(name))
      throw new Error(`No header of a mail: ${name}`);
    if (/\p{Cc}/u.test(value) || value.length > 2000) throw new Error(`The header ${name} is not one line.`);
  }
  if (/\p{Cc}/u.test(subject) || subject.length > 500) throw new Error("The subject of a mail is one line.");
  if (text.length > maxTextLength || (html?.length ?? 0) > maxTextLength) throw new Error("A mail is too long.");
  const now = Date.now();
  const row = await tx.get<{ id: number }>(sql`
    INSERT INTO outbox (mail_key, message_id, recipient, subject, text, html, headers, created_at, expires_at, attempts, next_at)
    VALUES (${key}, ${randomBytes(16).toString("hex")}, ${to}, ${subject}, ${text}, ${html}, ${JSON.stringify(headers)},
      ${now}, ${mail.expiresAt ?? now + usualLifetime}, 0, ${now})
    ON CONFLICT (mail_key) DO NOTHING RETURNING id`);
  return row?.id ?? null;
}

/** Takes back those of the mails that nobody is sending yet. Returns their ids. */
export async function cancelMail(tx: Queries, ids: number[]): Promise<number[]> {
  const rows = await inChunks(ids, (some) =>
    tx.all<{ id: number }>(sql`DELETE FROM outbox WHERE id IN (${list(some)}) AND next_at IS NOT NULL RETURNING id`),
  );
  return rows.map(({ id }) => id);
}

/** How many mails are due and wait for their turn, at most `most`. */
export async function countDue(db: Reader, most: number): Promise<number> {
  const due = sql`SELECT id FROM outbox WHERE next_at <= ${Date.now()} LIMIT ${most}`;
  return (await db.get<{ rows: number }>(sql`SELECT count(*) AS rows FROM (${due}) AS due`))?.rows ?? 0;
}

/** Text of people as one line of a header. */
export const toHeaderLine = (text: string, most = 150): string => {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return line.length > most
    ? `${Array.from(line)
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`
    : line;
};

type Row = {
  id: number;
  mail_key: string | null;
  message_id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string | null;
  headers: string;
  created_at: number;
  expires_at: number;
  attempts: number;
};
export type Claimed = Row;

/** When the next mail is due; null if none waits. */
export async function nextDue(db: Reader): Promise<number | null> {
  const row = await db.get<{ next: number | null }>(
    sql`SELECT min(next_at) AS next FROM outbox WHERE next_at IS NOT NULL`,
  );
  return row?.next ?? null;
}

/** Takes mails that are due, and marks them as being sent. Of two processes that do this at the same time, each mail goes to one. */
export function claimDue(tx: Queries, most: number): Promise<Claimed[]> {
  const now = Date.now();
  return tx.all<Row>(sql`
    UPDATE outbox SET next_at = NULL, sending_at = ${now}, attempts = attempts + 1
    WHERE next_at <= ${now} AND id IN (
      SELECT id FROM outbox WHERE next_at <= ${now} ORDER BY next_at, id LIMIT ${most})
    RETURNING id, mail_key, message_id, recipient, subject, text, html, headers, created_at, expires_at, attempts`);
}

export const toLetter = (row: Claimed, domain: string): Letter => ({
  to: row.recipient,
  subject: row.subject,
  text: row.text,
  html: row.html,
  headers: JSON.parse(row.headers) as Record<string, string>,
  messageID: `<${row.message_id}@${domain}>`,
  date: new Date(row.created_at),
});

/** Stores the outcome of an attempt. Returns what became of the mail, or null if it is tried again. */
export async function finishAttempt(tx: Queries, row: Claimed, outcome: Outcome): Promise<SettledMail | null> {
  if (outcome.kind === "temporary") {
    const nextAt = Date.now() + Math.round((delays[row.attempts - 1] ?? day) * (0.8 + Math.random() * 0.4));
    if (row.attempts <= delays.length && nextAt < row.expires_at) {
      await tx.run(sql`
        UPDATE outbox SET next_at = ${nextAt}, sending_at = NULL, reason = ${outcome.reason}
        WHERE id = ${row.id} AND sending_at IS NOT NULL`);
      return null;
    }
  }
  return settle(tx, row, {
    outcome: outcome.kind === "sent" || outcome.kind === "doubtful" ? outcome.kind : "failed",
    reason: outcome.kind === "sent" ? null : outcome.reason,
    isAddress: outcome.kind === "permanent" && outcome.isAddress,
  });
}

type Settled = Pick<SettledMail, "outcome" | "reason" | "isAddress">;

/** Null if another process has done it. */
async function settle(
  tx: Queries,
  { id, mail_key, recipient }: Pick<Row, "id" | "mail_key" | "recipient">,
  { outcome, reason, isAddress }: Settled,
): Promise<SettledMail | null> {
  const settled = await tx.run(sql`
    UPDATE outbox SET sending_at = NULL, next_at = NULL, finished_at = ${Date.now()}, outcome = ${outcome},
      reason = ${reason}, text = '', html = NULL, headers = '{}'
    WHERE id = ${id} AND finished_at IS NULL`);
  return settled > 0 ? { id, key: mail_key, to: recipient, outcome, reason, isAddress } : null;
}

const doubtReason = "The server stopped while it was sending this mail, which may have arrived. It is not sent again.";

/**
 * Mails that a process was sending when it ended are not sent again: they may have arrived. With `isAlone`, no process is sending
 * any now.
 */
export async function settleDoubtful(db: Database, settled: MailSettled, isAlone: boolean): Promise<void> {
  for (;;) {
    const isLeft = sql`sending_at < ${Date.now() + 1 - (isAlone ? 0 : longestAttempt)}`;
    const find = sql`SELECT id, mail_key, recipient FROM outbox WHERE ${isLeft} ORDER BY sending_at LIMIT 100`;
    const rows = await db.all<Pick<Row, "id" | "mail_key" | "recipient">>(find);
    if (rows.length === 0) return;
    await db.transaction(async (tx) => {
      for (const row of rows) {
        const mail = await settle(tx, row, { outcome: "doubtful", reason: doubtReason, isAddress: false });
        if (mail) await settled(tx, mail);
      }
    });
  }
}

export const removeSettled = (db: Database): Promise<number> =>
  removeRows(db, "outbox", sql`finished_at < ${Date.now() - keptMs}`);

type MailNumbers = { waiting: number; failed: number; reason: string | null };

/** How many mails wait, how many were given up in the last week, and why the last attempt failed. */
export async function countMail(db: Reader): Promise<MailNumbers> {
  const row = await db.get<Omit<MailNumbers, "reason">>(sql`
    SELECT (SELECT count(*) FROM outbox WHERE next_at IS NOT NULL) AS waiting,
      (SELECT count(*) FROM outbox WHERE finished_at > ${Date.now() - 7 * day} AND outcome <> 'sent') AS failed`);
  const last = await db.get<{ reason: string }>(sql`
    SELECT reason FROM outbox WHERE finished_at > ${Date.now() - 7 * day} AND outcome <> 'sent'
    ORDER BY finished_at DESC LIMIT 1`);
  const retried =
    last ??
    (await db.get<{ reason: string | null }>(sql`
    SELECT reason FROM outbox WHERE next_at IS NOT NULL ORDER BY next_at, id LIMIT 1`));
  return { waiting: row?.waiting ?? 0, failed: row?.failed ?? 0, reason: retried?.reason ?? null };
}
