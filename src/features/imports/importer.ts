import { findUser } from "../../core/users/store.ts";
import type { Database } from "../../platform/database/database.ts";
import { type Caller, mayActAs } from "../../platform/http/route.ts";
import { cancelImport } from "./store.ts";

/** The user who started an import. If they may no longer import, or no longer what it includes, it is cancelled. */
export async function findImporter(
  db: Database,
  { id, ownerID, includesOthers }: { id: number; ownerID: number; includesOthers: boolean },
): Promise<Caller | null> {
  const user = await findUser(db, ownerID);
  const caller = user && { id: user.id, username: user.username, role: user.role, tokenID: "" };
  if (caller && mayActAs(caller, includesOthers ? "admin" : "author")) return caller;
  await db.transaction((tx) => cancelImport(tx, id));
  return null;
}
