import { type Database, DatabaseError, type Reader } from "./database.ts";
import { readSetting, removeSetting, writeSetting } from "./settings.ts";

const name = "unfinished-move";

/** An incomplete copy of a site must not be used, because changes to it would be overwritten. */
export async function refuseUnfinishedMove(db: Reader): Promise<void> {
  if (!(await hasUnfinishedMove(db))) return;
  throw new DatabaseError(
    "This site is the unfinished target of a move: run migrate-engine again to finish it, or use the site it was copied from.",
  );
}

export const hasUnfinishedMove = async (db: Reader) => (await readSetting(db, name)) !== null;
export const markUnfinishedMove = (db: Database) => writeSetting(db, name, "yes");
export const markFinishedMove = (db: Database) => removeSetting(db, name);
