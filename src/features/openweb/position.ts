import type { Database } from "../../platform/database/database.ts";
import { readSetting, removeSetting } from "../../platform/database/settings.ts";

/** Up to where the changes of the site were followed. */
export const positionName = "open web position";

/** What happens while everything is switched off is not told later. */
export async function forgetPosition(db: Database): Promise<void> {
  if ((await readSetting(db, positionName)) !== null) await removeSetting(db, positionName);
}
