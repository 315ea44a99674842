import { createToken, hashToken, isToken } from "../../platform/auth/link-tokens.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { addressKey } from "../../platform/mail/address.ts";
import { type Topic, type TopicChosen, topics } from "./topics.ts";

const day = 86_400_000;
export const confirmationLifetime = day;

type Row = { address: string | null; pending: string | null; pending_until: number | null; notices: string };

type OwnAddress = { address: string | null; pendingAddress: string | null; notices: Topic[] };

export async function readAddress(db: Reader, userID: number): Promise<OwnAddress> {
  const row = await db.get<Row>(
    sql`SELECT address, pending, pending_until, notices FROM user_addresses WHERE user_id = ${userID}`,
  );
  const isPending = (row?.pending_until ?? 0) > Date.now();
  return {
    address: row?.address ?? null,
    pendingAddress: isPending ? (row?.pending ?? null) : null,
    notices: row ? topics.filter((topic) => (JSON.parse(row.notices) as string[]).includes(topic)) : [],
  };
}

const newRow = (userID: number) => sql`
  INSERT INTO user_addresses (user_id, notices, last_notified_comment_id, last_notified_upload_id, last_notified_at, last_digest_week)
  VALUES (${userID}, '[]', 0, 0, 0, 0) ON CONFLICT (user_id) DO NOTHING`;

/** Notes an address that is to be confirmed, and returns the token for that. An earlier one can no longer be confirmed. */
export async function setPending(tx: Queries, userID: number, address: string): Promise<string> {
  const token = createToken();
  await tx.run(newRow(userID));
  await tx.run(sql`
    UPDATE user_addresses SET pending = ${address}, pending_hash = ${hashToken(token)},
      pending_until = ${Date.now() + confirmationLifetime}
    WHERE user_id = ${userID}`);
  return token;
}

type Confirmed = { userID: number; address: string; earlier: string | null };

/** Null if the token is not valid. */
export async function confirmAddress(tx: Queries, token: string): Promise<Confirmed | null> {
  if (!isToken(token)) return null;
  const row = await tx.get<{ user_id: number; address: string | null; pending: string }>(sql`
    SELECT user_id, address, pending FROM user_addresses
    WHERE pending_hash = ${hashToken(token)} AND pending_until > ${Date.now()} ${tx.forUpdate}`);
  if (!row) return null;
  const { user_id: userID, pending: address, address: earlier } = row;
  await tx.run(sql`
    UPDATE user_addresses SET address = ${address}, address_key = ${addressKey(address)}, pending = NULL,
      pending_hash = NULL, pending_until = NULL
    WHERE user_id = ${userID}`);
  return { userID, address, earlier };
}

/** Whether a token can be used now, for the page that asks. */
export async function findPending(db: Reader, token: string): Promise<string | null> {
  const row = isToken(token)
    ? await db.get<{ pending: string }>(sql`
        SELECT pending FROM user_addresses WHERE pending_hash = ${hashToken(token)} AND pending_until > ${Date.now()}`)
    : null;
  return row?.pending ?? null;
}

/** What waits for confirmation can no longer be confirmed: whoever has entered it may not be the person any more. */
export async function endPending(tx: Queries, userID: number): Promise<void> {
  await tx.run(sql`
    UPDATE user_addresses SET pending = NULL, pending_hash = NULL, pending_until = NULL
    WHERE user_id = ${userID} AND pending IS NOT NULL`);
}

/** Also an address that is not confirmed yet. */
export async function removeAddress(tx: Queries, userID: number): Promise<void> {
  await tx.run(sql`
    UPDATE user_addresses SET address = NULL, address_key = NULL, pending = NULL, pending_hash = NULL,
      pending_until = NULL, notices = '[]'
    WHERE user_id = ${userID}`);
}

/** `chosen` is called for each topic that is new. */
export async function setNotices(
  tx: Queries,
  { userID, notices, wanted }: { userID: number; notices: Topic[]; wanted: Topic[] },
  chosen?: TopicChosen,
): Promise<void> {
  await tx.run(newRow(userID));
  await tx.run(sql`UPDATE user_addresses SET notices = ${JSON.stringify(wanted)} WHERE user_id = ${userID}`);
  for (const topic of wanted) if (!notices.includes(topic)) await chosen?.(tx, userID, topic);
}

/** The confirmed address of a person; null for none. */
export async function findAddress(db: Reader, userID: number): Promise<string | null> {
  return (await readAddress(db, userID)).address;
}
