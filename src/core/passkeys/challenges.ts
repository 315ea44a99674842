import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { sql } from "../../platform/database/sql.ts";
import { isSameSecret, keyedHash, randomBytes } from "../../platform/secrets.ts";

/** Long enough to look for a security key. */
export const challengeLifetime = 600_000;

const nonceLength = 16;
const timeLength = 6;
const bodyLength = nonceLength + timeLength;

/** `purpose` says for what, and for whom, a challenge is: one for something else is not accepted. */
type Challenges = {
  create(purpose: string): string;
  /** Until when a challenge is valid; null if this server has not made it for this purpose, or if it has expired. */
  read(challenge: string, purpose: string): { expiresAt: number } | null;
};

/**
 * Random bytes and a time, signed. As nothing is stored until a right response arrives, pages can ask for challenges as often
 * as they like, and every copy of the server accepts those of the others.
 */
export function createChallenges(secret: string): Challenges {
  const sign = (body: Buffer, purpose: string) =>
    keyedHash(secret, `passkey-challenge:${purpose}:${body.toString("base64url")}`);

  return {
    create(purpose) {
      const body = Buffer.alloc(bodyLength);
      randomBytes(nonceLength).copy(body);
      body.writeUIntBE(Date.now() + challengeLifetime, nonceLength, timeLength);
      return Buffer.concat([body, Buffer.from(sign(body, purpose), "base64url")]).toString("base64url");
    },
    read(challenge, purpose) {
      const bytes = Buffer.from(challenge, "base64url");
      const body = bytes.subarray(0, bodyLength);
      if (body.length < bodyLength) return null;
      if (!isSameSecret(bytes.subarray(bodyLength).toString("base64url"), sign(body, purpose))) return null;
      const expiresAt = body.readUIntBE(nonceLength, timeLength);
      return expiresAt > Date.now() ? { expiresAt } : null;
    },
  };
}

export const isUsed = async (db: Reader, challenge: string): Promise<boolean> =>
  (await db.get(sql`SELECT challenge FROM used_challenges WHERE challenge = ${challenge}`)) !== null;

/** False if it was used before. */
export async function useChallenge(tx: Queries, challenge: string, expiresAt: number): Promise<boolean> {
  const added = await tx.run(sql`
    INSERT INTO used_challenges (challenge, expires_at) VALUES (${challenge}, ${expiresAt})
    ON CONFLICT (challenge) DO NOTHING`);
  return added > 0;
}

export const removeExpiredChallenges = (db: Database): Promise<number> =>
  removeRows(db, "used_challenges", sql`expires_at <= ${Date.now()}`, "challenge");
