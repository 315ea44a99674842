import { statSync } from "node:fs";
import { SQLiteError } from "bun:sqlite";

const reasons: [code: RegExp, reason: string][] = [
  [/^SQLITE_(CORRUPT|NOTADB)/, "is damaged"],
  [/^SQLITE_(BUSY|LOCKED)/, "is in use by another program; try again when that has ended"],
  [/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/, "cannot be written"],
  [/^SQLITE_FULL/, "cannot be written because the disk is full"],
  [/^SQLITE_IOERR/, "cannot be read or written because of a failure of the disk"],
];

/** Failures of files that have their reason in the machine. */
const ofFiles = new Set([
  "EACCES",
  "EPERM",
  "EROFS",
  "ENOSPC",
  "EDQUOT",
  "EIO",
  "EMFILE",
  "ENFILE",
  "ENOENT",
  "ENOTDIR",
  "EISDIR",
  "ENOTEMPTY",
]);

type Directories = { dataDir: string; databaseDir: string };

/** One sentence about a failure whose reason is the machine or the data; null for all others, which are bugs. */
export function explainFailure(error: unknown, { dataDir, databaseDir }: Directories): string | null {
  if (error instanceof SQLiteError) return explainSqlite(error, databaseDir);
  const { code = "", path, message } = error as NodeJS.ErrnoException;
  if (!ofFiles.has(code)) return null;
  const isIn = (directory: string) => path === directory || path?.startsWith(`${directory}/`);
  if (path === undefined || isIn(dataDir))
    return `DATA_DIR ${dataDir} cannot be used: ${describeAccess(error, dataDir)}`;
  if (isIn(databaseDir)) return `DATABASE_DIR ${databaseDir} cannot be used: ${describeAccess(error, databaseDir)}`;
  return `${message}.`;
}

/** The message of an error, and what to do if a file belongs to another user. */
export function describeAccess(error: unknown, dataDir: string): string {
  const { code = "", path = dataDir, message } = error as NodeJS.ErrnoException;
  const me = process.getuid?.();
  const owner = findUser(path) ?? findUser(dataDir);
  if (!["EACCES", "EPERM"].includes(code) || owner === null || me === undefined || owner === me) return `${message}.`;
  const isSite = findUser(dataDir) === owner;
  const advice = isSite
    ? `run this command as its owner (sudo --user='#${owner}' …)`
    : `give it back to its owner (sudo chown -R ${findUser(dataDir)} ${dataDir})`;
  return `${message}. It belongs to the user ${owner}: ${advice}.`;
}

function findUser(path: string): number | null {
  try {
    return statSync(path, { throwIfNoEntry: false })?.uid ?? null;
  } catch {
    return null;
  }
}

function explainSqlite({ code = "", message }: SQLiteError, dataDir: string): string | null {
  const isIncomplete = /^no such (table|column)/.test(message);
  const reason = isIncomplete ? "is damaged" : reasons.find(([pattern]) => pattern.test(code))?.[1];
  if (!reason) return null;
  const advice = reason === "is damaged" ? ': restore it from a backup; "vitrine doctor" says more' : "";
  return `The database in ${dataDir} ${reason} (${message})${advice}.`;
}
