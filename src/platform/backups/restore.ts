import { readdirSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Blobs, storeWhole } from "../blobs/blobs.ts";
import { hasUnknownMigrations, refuseUnreleased } from "../database/migrate.ts";
import { openSqlite, peekSqlite } from "../database/sqlite.ts";
import type { Database } from "../database/database.ts";
import type { Schema } from "../database/tables.ts";
import { isOfSystem } from "../data-directory.ts";
import { databaseFile, hasDatabase, isApart, type SiteDirectories } from "../database-directory.ts";
import { makeDirectory, syncDirectory, writeFlushed } from "../durable.ts";
import { keepDatabase } from "./kept-databases.ts";
import { BackupError, UnreadableError } from "./place.ts";
import { readBlob, type StateOfBlob } from "./read-blob.ts";
import { blobName, listSetAside, listStored, type Repository } from "./repository.ts";
import { extractDatabase, type Manifest, readFiles } from "./snapshot.ts";

/** A backup whose database was read and compared, and whose files are all there. */
type Checked = { manifest: Manifest; database: string; files: string[] };

/** Throws if the backup is damaged, or was made by a newer version. The database is then a file in the work directory. */
export async function checkBackup(repository: Repository, manifest: Manifest): Promise<Checked> {
  const path = await extractKnown(repository, manifest, repository.place.workDirectory);
  const files = await readFiles(repository, manifest);
  const stored = await listStored(repository);
  const damaged = await listSetAside(repository);
  const names = files.map((sha256) => blobName(repository, sha256));
  const missing = names.filter((name) => !stored.has(name) && !damaged.has(name));
  if (missing.length > 0) {
    throw new BackupError(
      `The backup ${manifest.id} is damaged: ${missing.length} of its ${files.length} files are missing. "vitrine backup verify" lists them.`,
    );
  }
  return { manifest, database: path, files };
}

async function extractKnown(repository: Repository, manifest: Manifest, directory: string): Promise<string> {
  const { path } = await extractDatabase(repository, manifest, directory);
  await peekSqlite(path, (db) => refuseUnreleased(db, "sqlite"));
  if (!(await peekSqlite(path, (db) => hasUnknownMigrations(db, "sqlite")))) return path;
  throw new BackupError(
    `The backup ${manifest.id} was made by a newer version (${manifest.version}): upgrade this program.`,
  );
}

/**
 * The database of a backup, as this version would have written it. It lies in the work directory, so close it first; or in
 * `keptIn`, where the next call finds it.
 */
export async function openBackedUp(
  repository: Repository,
  manifest: Manifest,
  schema: Schema,
  keptIn: string | undefined,
): Promise<Database> {
  const extract = () => extractKnown(repository, manifest, keptIn ?? repository.place.workDirectory);
  const path = keptIn === undefined ? await extract() : await keepDatabase(keptIn, manifest.id, extract);
  return openSqlite(path, { schema });
}

const marker = "restoring";

/** Only an empty directory, or one in which this was interrupted, is written to. */
export async function beginRestore(site: SiteDirectories, { id }: Manifest): Promise<void> {
  const directory = site.dataDir;
  await makeDirectory(directory);
  // What is read from a bucket passes through `spool`.
  const names = readdirSync(directory).filter((name) => !isOfSystem(name) && name !== "spool");
  const unfinished = names.includes(marker) ? (await Bun.file(join(directory, marker)).text()).trim() : null;
  if (names.length > 0 && unfinished !== id) {
    throw new BackupError(
      unfinished === null
        ? `${directory} is not empty: choose an empty directory with --data.`
        : `${directory} has a part of another backup (${unfinished}): choose an empty directory with --data.`,
    );
  }
  refuseOtherDatabase(site);
  await writeFlushed(join(directory, marker), `${id}\n`, "w");
}

const mostUnread = 3;

/** Returns the files whose bytes turn out to be damaged; all others are stored. What was stored earlier is not read again. */
export async function restoreFiles(
  repository: Repository,
  files: string[],
  blobs: Pick<Blobs, "has" | "receive">,
  say: (line: string) => void,
): Promise<string[]> {
  const damaged: string[] = [];
  const unread: UnreadableError[] = [];
  let done = 0;
  for (const sha256 of files) {
    try {
      const isThere = (await blobs.has(sha256)) || (await restoreFile(repository, sha256, blobs)) === "whole";
      if (!isThere) damaged.push(sha256);
    } catch (error) {
      if (!(error instanceof UnreadableError) || unread.push(error) === mostUnread) throw error;
    }
    if (++done % 1000 === 0) say(`files: ${done} of ${files.length}`);
  }
  say(`files: ${done} of ${files.length}`);
  if (unread[0]) throw unread[0];
  return damaged;
}

export function restoreFile(
  repository: Repository,
  sha256: string,
  blobs: Pick<Blobs, "receive">,
): Promise<StateOfBlob> {
  return readBlob(repository, sha256, (bytes) => storeWhole(blobs, sha256, bytes));
}

/** The database comes last: before that, the directory has no site. It is a file on the same disk. */
export async function endRestore(site: SiteDirectories, database: string): Promise<void> {
  refuseOtherDatabase(site);
  const { dataDir, databaseDir } = site;
  await rename(database, databaseFile(site));
  await syncDirectory(databaseDir);
  await rm(join(dataDir, marker), { force: true });
}

function refuseOtherDatabase(site: SiteDirectories): void {
  if (!hasDatabase(site)) return;
  const advice = isApart(site) ? "set DATABASE_DIR to an empty directory" : "choose an empty directory with --data";
  throw new BackupError(`${site.databaseDir} has a site already: ${advice}.`);
}
