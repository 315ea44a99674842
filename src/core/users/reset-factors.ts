import { recordActivity } from "../activity/record.ts";
import type { Queries } from "../../platform/database/database.ts";
import { tidyRecoveryCodes } from "../factors/factors.ts";
import { removeTicketsOf } from "../factors/tickets.ts";
import { removeTOTP } from "../factors/totp-store.ts";
import { removePasskeysOf } from "../passkeys/store.ts";
import { revokeSessions } from "./sessions.ts";
import { activityOf } from "./store.ts";
import type { User } from "./user.ts";

/**
 * For somebody who has lost everything: the password alone is enough again. All sessions are revoked. `actorID` is null for
 * the command line.
 */
export async function resetFactors(
  tx: Queries,
  user: Pick<User, "id" | "username">,
  actorID: number | null,
): Promise<void> {
  await removeTOTP(tx, user.id);
  await removePasskeysOf(tx, user.id);
  await tidyRecoveryCodes(tx, user.id);
  await removeTicketsOf(tx, user.id);
  await revokeSessions(tx, user.id);
  recordActivity(tx, actorID, "factorsReset", activityOf(user));
}
