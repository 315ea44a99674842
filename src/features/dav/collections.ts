import { addDirectory, checkMayAdd } from "../../content/files/directories.ts";
import { trashFile } from "../../content/files/store.ts";
import type { Queries } from "../../platform/database/database.ts";
import { streamBody } from "../../platform/http/body-bytes.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import { isOwnerOrAdmin } from "../../platform/http/route.ts";
import { readConditions } from "./conditions.ts";
import { removeLocksOf } from "./locks.ts";
import { missingHere, Refusal } from "./refusal.ts";
import { findDirectory, findResource, type Resource } from "./resources.ts";
import { removeSideFile } from "./side-files.ts";
import type { Visit } from "./visit.ts";

/** MKCOL: makes a directory. */
export async function makeDirectory(visit: Visit): Promise<Response> {
  const { exchange, caller, names, db } = visit;
  const name = names.at(-1);
  if (await hasBody(exchange)) throw new Refusal(415, "A request that makes a directory has no body.");
  if (name === undefined) throw exists();
  const parent = names.slice(0, -1);
  const conditions = readConditions(exchange, caller, names);
  const check = async (tx: Queries | Visit["db"]) => {
    const resource = await findResource(tx, caller, names);
    await conditions.check(tx, resource, [{ names, isMember: true, isTree: false }]);
    if (resource) throw exists();
    if (!(await findDirectory(tx, caller, parent)))
      throw new Refusal(409, "The directory in which to create it does not exist.");
  };
  await check(db);
  await checkMayAdd(db, caller, parent);
  const transaction: Visit["db"]["transaction"] = (work, options) =>
    db.transaction(async (tx) => {
      await check(tx);
      return work(tx);
    }, options);
  await addDirectory(transaction, caller, parent, { name });
  return new Response(null, { status: 201 });
}

/** Reads no more of it than is needed to know. */
async function hasBody(exchange: Exchange): Promise<boolean> {
  for await (const chunk of streamBody(exchange, Infinity, "")) if (chunk.length > 0) return true;
  return false;
}

const exists = () => new Refusal(405, "There is already something at this address.");

/** DELETE: moves it to the trash. */
export async function remove(visit: Visit): Promise<Response> {
  const { exchange, caller, names, db } = visit;
  const conditions = readConditions(exchange, caller, names);
  const find = async (tx: Queries | Visit["db"]) => {
    const resource = await findResource(tx, caller, names);
    if (!resource) throw missingHere();
    checkMayChange(visit, resource);
    await conditions.check(tx, resource, [{ names, isMember: true, isTree: true }]);
    return resource;
  };
  await find(db);
  await db.transaction(async (tx) => {
    await removeResource(tx, visit, await find(tx));
    await removeLocksOf(tx, names);
  });
  return new Response(null, { status: 204 });
}

/** Throws if only somebody else may change or delete it, as in the API. */
export function checkMayChange({ caller }: Visit, resource: Resource): void {
  if (resource.kind === "root") throw new Refusal(403, "The root cannot be changed.");
  const { limit } = caller;
  if (resource.kind === "file" && limit?.id === resource.file.id)
    throw new Refusal(403, "This app key is limited to this directory: it can change only what is in it.");
  if (!isOwnerOrAdmin(caller, resource.file)) throw new Refusal(403, "Only the owner or an admin can do this.");
}

export async function removeResource(tx: Queries, { trash, caller }: Visit, resource: Resource): Promise<void> {
  if (resource.kind === "side") await removeSideFile(tx, resource.file.id);
  else if (resource.kind === "file") await trashFile(tx, trash, resource.file.id, caller.id);
}
