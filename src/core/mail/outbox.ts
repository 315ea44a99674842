import type { Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { queue } from "../../platform/jobs/queue.ts";
import { parseAddress } from "../../platform/mail/address.ts";
import type { Letter } from "../../platform/mail/letter.ts";
import { randomBytes } from "../../platform/secrets.ts";

const [minute, day] = [60_000, 86_400_000];

/** The delay after each attempt that failed for the time being: about three days in total. */
export const delaysMs = [1, 5, 15, 30, 60, 120, 240, 360, 720, 720, 720, 720, 720].map((minutes) => minutes * minute);
const usualLifetime = 3 * day;
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
  /** Groups take turns, so that mails to many people do not delay others. */
  group?: number;
  /** When it is no longer worth sending; left out: in three days. */
  expiresAt?: number;
};

/** The payload of its task. */
type Queued = Omit<Letter, "date"> & { createdAt: number; expiresAt: number };

/** A mail that was being sent when the process ended is not sent again: it may have arrived. */
export const mails = queue<Queued>({
  name: "mail",
  atOnce: 4,
  lookEveryMs: 200,
  delaysMs,
  maxBegins: 1,
  crashReason: "The server stopped while it was sending this mail, which may have arrived. It is not sent again.",
  // No attempt takes as long as this.
  leaseMs: 15 * minute,
  // Texts are not kept.
  keep: ({ to }) => ({ to }),
});
const isMail = sql`queue = ${mails.name}`;

/** What became of a mail. `isAddress`: the server of the recipient has refused the address for good. */
export type SettledMail = {
  key: string;
  outcome: "sent" | "failed" | "doubtful";
  reason: string | null;
  isAddress: boolean;
};

/** What a module does when a mail was sent or given up, in the same transaction. */
export type MailSettled = (tx: Queries, mail: SettledMail) => Promise<void>;

const ownHeaders = /^(from|to|cc|bcc|sender|reply-to|return-path|subject|date|message-id|mime-version|content-.*)$/i;

/**
 * Queues a mail: it is sent after the transaction has been committed, and not at all if it is rolled back. Returns whether it is the
 * first one with this key. Only to be called if mail is configured. Throws if an address or a header is not one.
 */
export async function queueMail(tx: Queries, mail: Mail): Promise<boolean> {
  const { subject, text, html = null, headers = {}, group = 0 } = mail;
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
  const messageID = randomBytes(16).toString("hex");
  const { key = messageID, expiresAt = now + usualLifetime } = mail;
  return mails.addOnce(tx, {
    key,
    group,
    payload: { to, subject, text, html, headers, messageID, createdAt: now, expiresAt },
  });
}

/** How many mails of a group wait for their turn, at most `most`. */
export async function countDue(db: Reader, group: number, most: number): Promise<number> {
  const due = sql`
    SELECT id FROM tasks WHERE ${isMail} AND settled_at IS NULL AND group_id = ${group} AND next_at <= ${Date.now()} LIMIT ${most}`;
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

export const toLetter = ({ messageID, createdAt, ...row }: Queued, domain: string): Letter => ({
  ...row,
  messageID: `<${messageID}@${domain}>`,
  date: new Date(createdAt),
});

type MailNumbers = { waiting: number; failed: number; reason: string | null };

/** How many mails wait, how many were given up in the last week, and why the last attempt failed. */
export async function countMail(db: Reader): Promise<MailNumbers> {
  const waiting = sql`${isMail} AND settled_at IS NULL AND begins = 0`;
  const failed = sql`${isMail} AND settled_at > ${Date.now() - 7 * day} AND outcome <> 'done'`;
  const row = await db.get<Omit<MailNumbers, "reason">>(sql`
    SELECT (SELECT count(*) FROM tasks WHERE ${waiting}) AS waiting,
      (SELECT count(*) FROM tasks WHERE ${failed}) AS failed`);
  type Last = { reason: string | null };
  const last =
    (await db.get<Last>(sql`SELECT reason FROM tasks WHERE ${failed} ORDER BY settled_at DESC LIMIT 1`)) ??
    (await db.get<Last>(sql`SELECT reason FROM tasks WHERE ${waiting} ORDER BY next_at, id LIMIT 1`));
  return { waiting: row?.waiting ?? 0, failed: row?.failed ?? 0, reason: last?.reason ?? null };
}
