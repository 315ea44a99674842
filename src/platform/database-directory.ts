import { mkdirSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { DataDirectoryError, databaseName, hasFile, isOfSystem, prepareDataDirectory } from "./data-directory.ts";
import { describeAccess } from "./explain-failure.ts";
import { quoteForShell } from "./own-command.ts";

/** Where the data of a site is. They are the same unless DATABASE_DIR is set. */
export type SiteDirectories = Readonly<{ dataDir: string; databaseDir: string }>;

/** The file of the SQLite database. */
export const databaseFile = ({ databaseDir }: Pick<SiteDirectories, "databaseDir">) => join(databaseDir, databaseName);

/** Where commands write databases that they need for a moment: SQLite works there, too. */
export const workRootOf = ({ databaseDir }: Pick<SiteDirectories, "databaseDir">) => join(databaseDir, "spool");

export const hasDatabase = (site: SiteDirectories) =>
  hasFile(site.databaseDir, databaseName, isApart(site) ? "DATABASE_DIR" : "DATA_DIR");

export const isApart = (site: SiteDirectories) => listDirectories(site).length > 1;

/** Their real paths. */
export const listDirectories = ({ dataDir, databaseDir }: SiteDirectories) => [
  ...new Set([dataDir, databaseDir].map(realPathOf)),
];

/** A configuration with SQLite and files in one directory. */
export const embeddedIn = (directory: string) =>
  ({
    dataDir: directory,
    databaseDir: directory,
    database: { engine: "sqlite" },
    blobStore: { kind: "disk" },
    redisURL: null,
  }) as const;

/** Creates the directories if they are missing. What is refused has changed nothing. */
export async function prepareDirectories(site: SiteDirectories, newestFormat: number | null): Promise<void> {
  refuseUnclearPlace(site);
  if (isApart(site)) prepareDatabaseDirectory(site.databaseDir);
  await prepareDataDirectory(site.dataDir, newestFormat);
}

const partNames = [databaseName, `${databaseName}-wal`, `${databaseName}-shm`, "upgrades"];
const ofFiles = ["format", "jwt-secret", "blobs", "spool"];

/** With DATABASE_DIR, all of the database must be there, and the files of the same site in DATA_DIR. */
export function refuseUnclearPlace(site: SiteDirectories): void {
  if (!isApart(site)) return;
  const { dataDir, databaseDir } = site;
  const left = partNames.filter((name) => hasFile(dataDir, name));
  if (left.includes(databaseName) && hasDatabase(site)) {
    throw new DataDirectoryError(
      `There is a database in ${dataDir} and one in DATABASE_DIR ${databaseDir}: move away the one that the site does not use. (If mv was interrupted, that is the one in DATABASE_DIR.)`,
    );
  }
  if (left.length > 0) {
    const paths = [...left.map((name) => join(dataDir, name)), databaseDir].map(quoteForShell);
    throw new DataDirectoryError(
      `${left.join(", ")} of this site ${left.length === 1 ? "is" : "are"} still in ${dataDir}, and DATABASE_DIR is ${databaseDir}: stop the server, then run "mkdir -p -m 700 ${paths.at(-1)} && mv ${paths.join(" ")}".`,
    );
  }
  if (hasDatabase(site) && !ofFiles.some((name) => hasFile(dataDir, name))) {
    throw new DataDirectoryError(
      `DATABASE_DIR ${databaseDir} has the database of a site, but DATA_DIR ${dataDir} has none of its files: mount its disk, or choose the DATA_DIR of that site.`,
    );
  }
}

/** `otherwise` says how to create one. */
export function refuseMissingDatabase(site: SiteDirectories, otherwise: string): void {
  refuseUnclearPlace(site);
  if (hasDatabase(site)) return;
  throw new DataDirectoryError(
    `There is no site in ${site.dataDir}: choose another directory with --data or DATA_DIR, or ${otherwise}.`,
  );
}

/** Where a site has lost its database, a new one must not take its place. */
export function refuseLostDatabase(site: SiteDirectories): void {
  const isUsed = ["blobs", "jwt-secret"].some((name) => hasFile(site.dataDir, name));
  const file = databaseFile(site);
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (!isUsed || sizeOf(file) + sizeOf(`${file}-wal`) > 0) return;
  const state = hasDatabase(site) ? "is empty" : "is missing";
  throw new DataDirectoryError(
    `${site.dataDir} has the files of a site, but its database ${file} ${state}: restore it from a backup, or set DATABASE_DIR if it is in another directory, or DATABASE_URL if it is in PostgreSQL.`,
  );
}

/** Programs that were killed at their first start may have left the others. */
const marks = [databaseName, "lock", "spool"];

function prepareDatabaseDirectory(path: string): void {
  const names = makeAndList(path);
  const other = names.find((name) => !isOfSystem(name));
  if (other === undefined || marks.some((name) => names.includes(name))) return;
  throw new DataDirectoryError(
    `DATABASE_DIR ${path} is neither empty nor has a database (it has "${other}"): choose another directory.`,
  );
}

function makeAndList(path: string): string[] {
  // Applies to all files that this process creates, including those of SQLite.
  process.umask(0o077);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return readdirSync(path);
  } catch (error) {
    throw new DataDirectoryError(`DATABASE_DIR ${path} cannot be used: ${describeAccess(error, path)}`);
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It does not exist yet, or cannot be reached: using it says so.
    return path;
  }
}
