import type { Queries } from "../../platform/database/database.ts";
import type { AccountMails } from "../account-mail/mails.ts";
import { recordActivity } from "../activity/record.ts";
import { activityOf } from "./store.ts";
import type { User } from "./user.ts";

/** Somebody has used a recovery code, or has other second factors now: the activity says so, and a mail to the person. */
export async function noteFactor(
  tx: Queries,
  mails: AccountMails,
  user: Pick<User, "id" | "username">,
  action: "factorAdded" | "factorRemoved" | "recoveryCodeUsed",
): Promise<void> {
  recordActivity(tx, user.id, action, activityOf(user));
  await mails.tell(tx, user.id, { name: action, words: [user.username] });
}
