import { busy, Problem } from "./errors.ts";

/** What keeps a disk from storing more. */
export type Trouble = "full" | "readOnly" | "missing" | "failing";

const troubles: Record<string, Trouble> = {
  ENOSPC: "full",
  EDQUOT: "full",
  SQLITE_FULL: "full",
  // The index of the log could not grow.
  SQLITE_IOERR_SHMSIZE: "full",
  EROFS: "readOnly",
  ESTALE: "missing",
  SQLITE_READONLY_DBMOVED: "missing",
  EIO: "failing",
  ENXIO: "failing",
  ENODEV: "failing",
};

/** The trouble that an error of the file system or of SQLite reports; null for any other error. */
export function troubleOf(error: unknown): Trouble | null {
  const code = codeOf(error);
  if (code in troubles) return troubles[code] as Trouble;
  if (code.startsWith("SQLITE_READONLY")) return "readOnly";
  return code.startsWith("SQLITE_IOERR") ? "failing" : null;
}

/** Another process has locked the database. */
export const isLocked = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));

const codeOf = (error: unknown): string => {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === "string" ? code : "";
};

const sentences: Record<Trouble, string> = {
  full: "The server's storage is full, so nothing was stored. Delete what you no longer need and empty the trash, or ask the operator for more space.",
  readOnly: "The server's data directory is read-only, so nothing was stored. The operator has to make it writable.",
  missing:
    "The server's data directory was removed or replaced, so nothing was stored. The operator has to bring it back, and restart the server.",
  failing: "The server's disk reports errors. Try again, and tell the operator if this continues.",
};

/** The same for the operator. */
export const reasons: Record<Trouble, (variable: string) => string> = {
  full: (variable) => `The disk of ${variable} is full: empty the trash, or make space.`,
  readOnly: (variable) => `${variable} is read-only.`,
  missing: (variable) => `${variable} was removed or replaced.`,
  failing: (variable) => `The disk of ${variable} reports errors.`,
};

export const troubled = (trouble: Trouble): Problem =>
  new Problem(trouble === "full" ? "full" : "unavailable", sentences[trouble]);

export const locked = (): Problem => busy("Another program has locked the database; try again in a moment.");
