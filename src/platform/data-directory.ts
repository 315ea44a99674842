import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeDirectory, syncDirectory, writeFlushed } from "./durable.ts";
import { describeAccess } from "./explain-failure.ts";
import { type Lock, NoLocksError, tryLock } from "./lock.ts";
import { randomBytes } from "./secrets.ts";

/** The directory cannot be used; the message is one sentence for the operator. */
export class DataDirectoryError extends Error {}

/** The format of 1.0, to which each migration for SQLite adds one. Development versions before 1.0 wrote smaller ones. */
export const firstFormat = 100;
/** Development versions had other tables. Those that had migrations are read by this commit. */
export const describeUnreleased = (reader = "commit 91f496a4") =>
  `This site was written by a development version before 1.0 and cannot be upgraded: export it with ${reader}, and import the export into a new site.`;

/**
 * Creates the directory if it is missing. A directory of a newer version is refused before anything in it is changed.
 * Without a format, the directory holds nothing that depends on the version.
 */
export async function prepareDataDirectory(path: string, newestFormat: number | null): Promise<void> {
  // Applies to all files that this process creates, including those of SQLite.
  process.umask(0o077);
  try {
    if (!existsSync(path)) await makeDirectory(path);
    refuseOtherDirectory(path);
    if (newestFormat === null) return;
    const format = readFormat(path);
    if (!Number.isInteger(format)) {
      throw new DataDirectoryError(`${path}/format is damaged: restore it from a backup of the same version.`);
    }
    if (format > newestFormat) {
      throw new DataDirectoryError(
        `${path} was written by a newer version (format ${format}; this version supports ${newestFormat}): upgrade this program, or choose another DATA_DIR.`,
      );
    }
    if (format > 0 && format < firstFormat) throw new DataDirectoryError(describeUnreleased());
    if (format < newestFormat) await writeDurably(path, "format", `${newestFormat}\n`);
  } catch (error) {
    if (error instanceof DataDirectoryError) throw error;
    throw unusable(path, error);
  }
}

export const databaseName = "vitrine.db";
/** One of them is in every directory of a site, from the first start on. */
const marks = new Set(["format", "format.new", databaseName, "spool", "jwt-secret", "reserve"]);
/** What file systems and desktops put into directories that are otherwise empty. */
export const isOfSystem = (name: string) => name === "lost+found" || name.startsWith(".");

/** A wrong directory must not be filled with the files of a site. */
function refuseOtherDirectory(path: string): void {
  const names = readdirSync(path);
  const other = names.find((name) => !isOfSystem(name));
  if (other === undefined || names.some((name) => marks.has(name))) return;
  throw new DataDirectoryError(
    `${path} is neither empty nor a site (it has "${other}"): choose another directory with --data or DATA_DIR.`,
  );
}

type DirectoryVariable = "DATA_DIR" | "DATABASE_DIR";

/** Throws if the directory cannot be read. */
export function hasFile(path: string, name: string, variable: DirectoryVariable = "DATA_DIR"): boolean {
  try {
    return statSync(join(path, name), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw unusable(path, error, variable);
  }
}

/** Locks the directory for one server. */
export function lockDataDirectory(path: string): Lock {
  const lock = tryToLock(path);
  if (lock) return lock;
  throw new DataDirectoryError(`${path} is in use by another server: stop that one, or choose another DATA_DIR.`);
}

function tryToLock(path: string): Lock | null {
  try {
    return tryLock(join(path, "lock"));
  } catch (error) {
    if (!(error instanceof NoLocksError)) throw error;
    throw new DataDirectoryError(
      `${path} is on a file system that locks no files (ENOLCK): start its lock service (on NFS, rpc.statd), or choose another DATA_DIR.`,
    );
  }
}

/** The secret that signs tokens. It is generated at the first start and then kept. */
export async function readOrCreateSecret(path: string): Promise<string> {
  const file = join(path, "jwt-secret");
  if (!existsSync(file)) await writeSecret(path, generateSecret());
  return readFileSync(file, "utf8").trim();
}

export function writeSecret(path: string, secret: string): Promise<void> {
  return writeDurably(path, "jwt-secret", `${secret}\n`);
}

/**
 * Writes a file that only the user of this process can read, unless it has this text already. Throws if the directory cannot
 * be used.
 */
export async function writePrivateFile(path: string, name: string, text: string): Promise<void> {
  try {
    const file = join(path, name);
    if (!existsSync(file) || readFileSync(file, "utf8") !== text) await writeDurably(path, name, text);
  } catch (error) {
    throw unusable(path, error);
  }
}

export function removePrivateFile(path: string, name: string): void {
  rmSync(join(path, name), { force: true });
}

function unusable(path: string, error: unknown, variable: DirectoryVariable = "DATA_DIR"): DataDirectoryError {
  return new DataDirectoryError(`${variable} ${path} cannot be used: ${describeAccess(error, path)}`);
}

export const generateSecret = () => randomBytes(32).toString("hex");

function readFormat(path: string): number {
  const file = join(path, "format");
  return existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
}

async function writeDurably(directory: string, name: string, text: string): Promise<void> {
  const draft = join(directory, `${name}.new`);
  await writeFlushed(draft, text, "w");
  renameSync(draft, join(directory, name));
  await syncDirectory(directory);
}
