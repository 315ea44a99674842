import type { Queries, Reader } from "../../platform/database/database.ts";
import { joinedBy, sql, type Sql } from "../../platform/database/sql.ts";

/** How the second step of a sign-in can be taken. */
const factorKinds = ["totp", "recovery_code", "passkey"] as const;
type FactorKind = (typeof factorKinds)[number];

/** The tables of second factors. A row that fits is one that counts. Recovery codes alone are none. */
const sources: { kind: FactorKind; of: (userID: Sql) => Sql }[] = [
  {
    kind: "totp",
    of: (userID) => sql`SELECT 1 FROM totp_secrets WHERE user_id = ${userID} AND confirmed_at IS NOT NULL`,
  },
  // Also one that is no longer accepted, because it was copied: the account is not less protected by that.
  { kind: "passkey", of: (userID) => sql`SELECT 1 FROM passkeys WHERE user_id = ${userID}` },
];

/** SQL for whether a user has a second factor. */
export const hasFactor = (userID: Sql): Sql =>
  sql`(${joinedBy(
    " OR ",
    sources.map(({ of }) => sql`EXISTS (${of(userID)})`),
  )})`;

/** The ways in which a user can take the second step; empty for a user without a second factor. */
export async function listFactors(db: Reader, userID: number): Promise<FactorKind[]> {
  const kinds: FactorKind[] = [];
  for (const { kind, of } of sources) if (await db.get(sql`${of(sql`${userID}`)} LIMIT 1`)) kinds.push(kind);
  if (kinds.length > 0 && (await countRecoveryCodes(db, userID)) > 0) kinds.push("recovery_code");
  return factorKinds.filter((kind) => kinds.includes(kind));
}

export async function countRecoveryCodes(db: Reader, userID: number): Promise<number> {
  const row = await db.get<{ count: number }>(sql`
    SELECT count(*) AS count FROM recovery_codes WHERE user_id = ${userID}`);
  return row?.count ?? 0;
}

/** Recovery codes are of no use without a second factor: called when one was removed. */
export async function tidyRecoveryCodes(tx: Queries, userID: number): Promise<void> {
  await tx.run(sql`DELETE FROM recovery_codes WHERE user_id = ${userID} AND NOT ${hasFactor(sql`${userID}`)}`);
}
