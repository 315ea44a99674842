import type { Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { Problem } from "../../platform/errors.ts";
import { listFactors, hasFactor } from "../factors/factors.ts";
import type { Settings, SettingsChanges } from "./settings.ts";

/** SQL for whether a row of `users` has a role that needs a second factor. */
const needsFactor = sql`
  EXISTS (SELECT 1 FROM site_settings WHERE name = 'factorRoles' AND value LIKE '%"' || users.role || '"%')`;

/** SQL for whether a row of `users` has to set up a second factor before anything else: 1 or 0. */
export const lacksFactor = sql`CASE WHEN ${needsFactor} AND NOT ${hasFactor(sql`users.id`)} THEN 1 ELSE 0 END`;

/** Whether the role of the user needs a second factor. */
export async function isFactorNeeded(db: Reader, userID: number): Promise<boolean> {
  return (await db.get(sql`SELECT id FROM users WHERE id = ${userID} AND ${needsFactor}`)) !== null;
}

/** Whoever asks it of others has to have a second factor, too, and so knows that it works here. */
export async function checkOwnFactor(
  db: Reader,
  userID: number,
  { factorRoles: before }: Settings,
  { factorRoles: after = [] }: SettingsChanges,
): Promise<void> {
  if (after.every((role) => before.includes(role)) || (await listFactors(db, userID)).length > 0) return;
  throw new Problem("conflict", "Set up a second factor for yourself before you require one of others.", {
    field: "factorRoles",
  });
}
