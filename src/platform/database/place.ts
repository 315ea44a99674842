import { mkdtempSync, readdirSync, realpathSync, rmdirSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { askChild } from "../ask-child.ts";
import { findFileSystem } from "../mounts.ts";
import { connect } from "./connection.ts";
import { DatabaseError } from "./database.ts";

/** SQLite keeps the index of its log in memory that all programs share, which several machines cannot. */
const network = /^(nfs\d?|cifs|smb\w*|afpfs|ncpfs|afs|ceph|glusterfs|lustre|gfs2|ocfs2|webdav)$/;
/** Programs, or the host of a virtual machine, decide what these do with locks and memory. */
const unknown = /^(fuse.*|macfuse|osxfuse|virtiofs|9p|vboxsf|vmhgfs|prl_fs|drvfs)$/;

const instead =
  "set DATABASE_DIR to a directory on a disk of this machine (docs/operate/deploy.md#files-on-a-network-share). With DATABASE_ON_SHARE=accept, the database is used there all the same, and can be damaged";

/** Throws if SQLite is not safe in a directory, which need not exist yet. Leaves nothing behind. */
export async function refuseUnsafePlace(directory: string): Promise<void> {
  const existing = findExisting(directory);
  const kind = findFileSystem(existing);
  if (kind === null) return;
  if (network.test(kind))
    throw new DatabaseError(`${directory} is on a network share (${kind}), where SQLite is not safe: ${instead}.`);
  if (!unknown.test(kind)) return;
  const reason = await findReason(existing);
  if (reason === null) return;
  throw new DatabaseError(`On the file system of ${directory} (${kind}), ${reason}: ${instead}.`);
}

/** Why two programs cannot use a database there together; null if they can, or if the directory cannot be written at all. */
export async function findReason(directory: string): Promise<string | null> {
  let scratch: string;
  try {
    scratch = mkdtempSync(join(directory, ".vitrine-"));
  } catch {
    return null;
  }
  try {
    return await tryTogether(join(scratch, "try.db"));
  } finally {
    // One by one: removing the directory with what is in it never ends where files that are open get another name.
    for (const name of readdirSync(scratch)) unlinkSync(join(scratch, name));
    rmdirSync(scratch);
  }
}

/** Each of two programs counts on: not while the other one holds the lock, and the other one sees it at once. */
async function tryTogether(path: string): Promise<string | null> {
  let own: ReturnType<typeof connect> | null = null;
  try {
    own = connect(path);
    own.run("BEGIN IMMEDIATE");
    own.run("PRAGMA user_version = 1");
    if (await askChild("placeChecker", path)) return "programs do not see each other's locks";
    own.run("COMMIT");
    await askChild("placeChecker", path);
    const seen = own.query<{ user_version: number }, []>("PRAGMA user_version").get();
    return seen?.user_version === 2 ? null : "programs do not see what another one has written";
  } catch {
    return "SQLite cannot share memory between programs";
  } finally {
    own?.close();
  }
}

function findExisting(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    const above = dirname(directory);
    return above === directory ? directory : findExisting(above);
  }
}
