import type { Reader } from "../../platform/database/database.ts";
import { inChunks, list, sql } from "../../platform/database/sql.ts";
import type { Caller } from "../../platform/http/route.ts";
import { findKeyCallers } from "../keys/store.ts";
import { lacksFactor } from "../settings/needed-factors.ts";

/** The users of those sessions and keys that are still valid, by the id of the token. */
export async function findCallers(db: Reader, tokenIDs: string[]): Promise<Map<string, Caller>> {
  const ids = [...new Set(tokenIDs)];
  const rows = await inChunks(ids, (some) =>
    db.all<Caller>(sql`
      SELECT users.id, users.username, users.role, sessions.token_id AS "tokenID"
      FROM sessions JOIN users ON users.id = sessions.user_id
      WHERE sessions.token_id IN (${list(some)}) AND sessions.expires_at > ${Date.now()} AND ${lacksFactor} = 0`),
  );
  return new Map([...rows, ...(await findKeyCallers(db, ids))].map((row) => [row.tokenID, row]));
}
