import { z } from "zod";
import type { Module } from "../../module.ts";
import { table } from "../../platform/database/table.ts";
import { countRecoveryCodes, listFactors } from "./factors.ts";
import { removeExpiredTickets } from "./tickets.ts";

const hour = 3_600_000;
const fewCodes = 3;

/** Second factors of accounts. Their routes are those of accounts. */
export const factorsModule: Module = {
  tables: [
    table("totp_secrets", {}, { key: ["user_id"], without: "a secret" }),
    table("recovery_codes", {}, { key: ["user_id", "code_hash"], without: "a secret" }),
    table("signin_tickets", {}, { key: ["ticket_hash"], isTemporary: true }),
  ],
  notices: {
    recoveryCodesLeft: {
      schema: z
        .int()
        .nullable()
        .meta({
          description: `How many recovery codes you have left, if you have a second factor and at most ${fewCodes} of them.`,
          example: null,
        }),
      async read({ db }, { id }) {
        const left = await countRecoveryCodes(db, id);
        return left <= fewCodes && (await listFactors(db, id)).length > 0 ? left : null;
      },
    },
  },
  open: ({ db }) => ({
    jobs: [{ name: "tickets of sign-ins", everyMs: hour, run: () => removeExpiredTickets(db) }],
  }),
};
