import type { Database } from "../../platform/database/database.ts";
import { findUser } from "../users/store.ts";
import type { AccountMails } from "../account-mail/mails.ts";
import { confirmAddress } from "../account-mail/store.ts";

/** Confirms an address, and tells the earlier one. Returns false if the token is not valid. */
export function acceptConfirmation(db: Database, mails: AccountMails, token: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const confirmed = await confirmAddress(tx, token);
    if (!confirmed) return false;
    const { userID, address, earlier } = confirmed;
    const user = await findUser(tx, userID);
    if (user && earlier !== null && earlier !== address) {
      await mails.send(tx, earlier, { name: "addressChanged", words: [user.username, address] });
    }
    return true;
  });
}
