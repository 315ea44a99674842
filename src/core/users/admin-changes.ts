import { recordActivity } from "../activity/record.ts";
import { forbidden, invalid, missing, Problem } from "../../platform/errors.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Caller, Role } from "../../platform/http/route.ts";
import type { RemovalQuery } from "./person.ts";
import { beginRemoval, isBeingRemoved } from "./remove.ts";
import { resetFactors } from "./reset-factors.ts";
import { revokeEverything } from "./sessions.ts";
import { type Account, activityOf, findUser, lockUsers, setRole } from "./store.ts";

/** Throws if it would leave the site without an admin. */
export async function changeRole(tx: Queries, caller: Caller, id: number, role: Role): Promise<void> {
  const user = await lockForAdmin(tx, caller, id);
  if (user.role === role) return;
  if (await isBeingRemoved(tx, id)) throw new Problem("conflict", `${user.username} is being removed.`);
  await setRole(tx, user, role, caller.id);
}

export async function signOutEverywhere(tx: Queries, caller: Caller, id: number): Promise<void> {
  const user = await lockForAdmin(tx, caller, id);
  await revokeEverything(tx, id);
  recordActivity(tx, caller.id, "signedOut", activityOf(user));
}

/** For a person who has lost the second factor. */
export async function resetFactorsOf(tx: Queries, caller: Caller, id: number): Promise<void> {
  const user = await lockForAdmin(tx, caller, id);
  if (id === caller.id) throw forbidden("Remove your own second factors in your account.");
  await resetFactors(tx, user, caller.id);
}

/** From now on, the person cannot do anything. What they have goes to another user, or to the trash of the caller. */
export async function removePerson(tx: Queries, caller: Caller, id: number, choice: RemovalQuery): Promise<void> {
  const { giveTo, records } = choice;
  const user = await lockForAdmin(tx, caller, id);
  if (id === caller.id) throw forbidden("You cannot remove yourself: another admin can.");
  if ((giveTo === undefined) === (records === undefined)) {
    throw invalid(`Choose what happens to the records: send either "giveTo" or "records=trash".`, "records");
  }
  const heirID = giveTo ?? caller.id;
  if (giveTo !== undefined && !(await findUser(tx, giveTo))) {
    throw invalid(`"giveTo" is invalid: there is no user ${giveTo}.`, "giveTo");
  }
  await beginRemoval(tx, { user, heirID, records: records === "trash" ? "trashed" : "given", removedByID: caller.id });
}

/** Locks the users. Throws if the caller is no longer an admin, because another admin was faster. */
async function lockForAdmin(tx: Queries, caller: Caller, id: number): Promise<Account> {
  await lockUsers(tx);
  await requireAdmin(tx, caller);
  const user = await findUser(tx, id);
  if (!user) throw missing(`user ${id}`);
  return user;
}

export async function requireAdmin(tx: Queries, caller: Caller): Promise<void> {
  if ((await findUser(tx, caller.id))?.role !== "admin") throw forbidden("This requires the admin role.");
}
