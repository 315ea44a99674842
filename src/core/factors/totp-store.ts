import { openSealedText, sealText } from "../../platform/auth/sealed-text.ts";
import { createTOTPSecret, findStep } from "../../platform/auth/totp.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { Problem } from "../../platform/errors.ts";

type Row = { secret: string; created_at: number; confirmed_at: number | null; last_step: number };

const find = (db: Reader, userID: number): Promise<Row | null> =>
  db.get<Row>(sql`SELECT secret, created_at, confirmed_at, last_step FROM totp_secrets WHERE user_id = ${userID}`);

/** The time since which codes of an app count; null if none do. */
export async function findTOTP(db: Reader, userID: number): Promise<number | null> {
  return (await find(db, userID))?.confirmed_at ?? null;
}

/** Replaces a secret that was never confirmed. Throws if there is one that was. */
export async function beginTOTP(tx: Queries, serverSecret: string, userID: number): Promise<string> {
  const secret = createTOTPSecret();
  const sealed = await sealText(serverSecret, purposeOf(userID), secret);
  const now = Date.now();
  const added = await tx.run(sql`
    INSERT INTO totp_secrets (user_id, secret, created_at, last_step) VALUES (${userID}, ${sealed}, ${now}, 0)
    ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at, last_step = 0
    WHERE totp_secrets.confirmed_at IS NULL`);
  if (added === 0) throw new Problem("conflict", "You use an authenticator app already: remove it first.");
  return secret;
}

/** Whether the code is that of the secret that waits for it, which then counts. */
export async function confirmTOTP(tx: Queries, serverSecret: string, userID: number, code: string): Promise<boolean> {
  const row = await find(tx, userID);
  if (!row || row.confirmed_at !== null) throw new Problem("conflict", "Set up an authenticator app first.");
  const step = await stepOf(row, serverSecret, userID, code);
  if (step === null) return false;
  const confirmed = await tx.run(sql`
    UPDATE totp_secrets SET confirmed_at = ${Date.now()}, last_step = ${step}
    WHERE user_id = ${userID} AND secret = ${row.secret} AND confirmed_at IS NULL`);
  return confirmed > 0;
}

/** Uses a code up: no code of the same time step, or of an earlier one, is accepted after it. */
export async function takeTOTPCode(tx: Queries, serverSecret: string, userID: number, code: string): Promise<boolean> {
  const row = await find(tx, userID);
  if (!row || row.confirmed_at === null) return false;
  const step = await stepOf(row, serverSecret, userID, code);
  if (step === null) return false;
  const taken = await tx.run(sql`
    UPDATE totp_secrets SET last_step = ${step}
    WHERE user_id = ${userID} AND secret = ${row.secret} AND last_step < ${step}`);
  return taken > 0;
}

export async function removeTOTP(tx: Queries, userID: number): Promise<number> {
  return tx.run(sql`DELETE FROM totp_secrets WHERE user_id = ${userID}`);
}

async function stepOf(row: Row, serverSecret: string, userID: number, code: string): Promise<number | null> {
  const secret = await openSealedText(serverSecret, purposeOf(userID), row.secret);
  return secret === null ? null : findStep(secret, code, row.last_step);
}

/** A secret that somebody copies to the row of another user is of no use there. */
const purposeOf = (userID: number): string => `totp:${userID}`;
