import type { Module } from "../../module.ts";
import { json, table } from "../../platform/database/table.ts";
import { sql } from "../../platform/database/sql.ts";
import { countNotice } from "../records/notice.ts";
import { removeExpiredChallenges } from "./challenges.ts";

const hour = 3_600_000;

/** Passkeys (WebAuthn) with which people sign in. Their routes are those of accounts. */
export const passkeysModule: Module = {
  tables: [
    table("passkeys", { transports: json() }, { without: "a secret" }),
    table("used_challenges", {}, { key: ["challenge"], isTemporary: true }),
  ],
  notices: {
    copiedPasskeys: countNotice(
      "How many of your passkeys are no longer accepted, because there may be copies of them.",
      ({ id }) => sql`SELECT id FROM passkeys WHERE user_id = ${id} AND copied_at IS NOT NULL`,
    ),
  },
  open: ({ db }) => ({
    jobs: [{ name: "challenges of passkeys", everyMs: hour, run: () => removeExpiredChallenges(db) }],
  }),
};
