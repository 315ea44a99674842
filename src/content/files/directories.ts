import { forbidden, invalid, type Problem } from "../../platform/errors.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { type Caller, isOwnerOrAdmin } from "../../platform/http/route.ts";
import { checkDepth } from "./names.ts";
import type { Visibility } from "../../core/records/visibility.ts";
import type { StoredFile } from "./file.ts";
import { type Directory, toDirectory } from "./rows.ts";
import { findDeepestDirectory, findNamed, insertFile, lockDirectory } from "./store.ts";

type NewDirectory = { name: string; visibility?: Visibility | undefined };

/** Creates a directory, and missing directories above it. */
export function addDirectory(
  transaction: Database["transaction"],
  caller: Caller,
  parent: string[],
  added: NewDirectory,
): Promise<StoredFile> {
  const { name, visibility } = added;
  checkDepth(parent.length + 1);
  return transaction(async (tx) => {
    const directory = await ensureDirectory(tx, caller, parent, visibility);
    const existing = await findNamed(tx, directory.id, name);
    if (existing) throw nameTaken(name);
    return insertFile(tx, { directory, name, ownerID: caller.id, content: null, visibility });
  });
}

/** Returns the directory at the end of the path; creates missing directories. */
export async function ensureDirectory(
  tx: Queries,
  caller: Caller,
  names: string[],
  visibility?: Visibility,
): Promise<Directory> {
  const deepest = await checkMayAdd(tx, caller, names);
  // The directory was deleted in the meantime: look up the path again.
  if (!(await lockDirectory(tx, deepest.id))) return ensureDirectory(tx, caller, names, visibility);
  let directory: Directory = deepest;
  for (const name of names.slice(deepest.depth)) {
    directory = toDirectory(await insertFile(tx, { directory, name, ownerID: caller.id, content: null, visibility }));
  }
  return directory;
}

/** Only the owner of a directory and admins may add to it; everyone may add to the root. */
export async function checkMayAdd(db: Reader, caller: Caller, names: string[]) {
  const deepest = await findDeepestDirectory(db, caller, names);
  const { ownerID } = deepest;
  if (ownerID !== null && !isOwnerOrAdmin(caller, { ownerID })) {
    throw forbidden(`Only the owner of "/${names.slice(0, deepest.depth).join("/")}" or an admin may add to it.`);
  }
  return deepest;
}

/** Says nothing about what has the name: the caller may not be allowed to see it. */
export function nameTaken(name: string, field = "name"): Problem {
  return invalid(`There is already a file or directory named "${name}" here.`, field);
}
