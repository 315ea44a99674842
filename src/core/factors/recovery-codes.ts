import { toBase32 } from "../../platform/auth/totp.ts";
import type { Queries } from "../../platform/database/database.ts";
import { joined, sql } from "../../platform/database/sql.ts";
import { hashOfText } from "../../platform/hash.ts";
import { randomBytes } from "../../platform/secrets.ts";
import { countRecoveryCodes } from "./factors.ts";

const codesAtOnce = 10;

/** Replaces all codes of the user. They are stored as hashes: nobody is shown them again. Each has 80 random bits. */
export async function renewRecoveryCodes(tx: Queries, userID: number): Promise<string[]> {
  const codes = Array.from({ length: codesAtOnce }, createCode);
  await tx.run(sql`DELETE FROM recovery_codes WHERE user_id = ${userID}`);
  const rows = codes.map((code) => sql`(${userID}, ${hashCode(userID, code)})`);
  await tx.run(sql`INSERT INTO recovery_codes (user_id, code_hash) VALUES ${joined(rows)}`);
  return codes;
}

/** Codes for somebody who has just added a second factor; null if there are some already. */
export async function addFirstRecoveryCodes(tx: Queries, userID: number): Promise<string[] | null> {
  return (await countRecoveryCodes(tx, userID)) > 0 ? null : renewRecoveryCodes(tx, userID);
}

/** Uses a code up. Of two who use it at the same moment, one gets false. */
export async function takeRecoveryCode(tx: Queries, userID: number, code: string): Promise<boolean> {
  return (
    (await tx.run(sql`
    DELETE FROM recovery_codes WHERE user_id = ${userID} AND code_hash = ${hashCode(userID, code)}`)) > 0
  );
}

const createCode = (): string =>
  toBase32(randomBytes(10))
    .toLowerCase()
    .replace(/.{4}(?!$)/g, "$&-");

/** People type codes with other spaces, hyphens and letters. */
const hashCode = (userID: number, code: string): string =>
  hashOfText(`${userID}:${code.replace(/[\s-]/g, "").toLowerCase()}`);
