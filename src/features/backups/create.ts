import { chunksOf } from "../../platform/blobs/blobs.ts";
import type { Database, Reader } from "../../platform/database/database.ts";
import { findDamage } from "../../platform/database/integrity.ts";
import type { Schema } from "../../platform/database/tables.ts";
import { peekSqlite } from "../../platform/database/sqlite.ts";
import { createHasher, hashed } from "../../platform/hash.ts";
import { inParallel } from "../../platform/in-parallel.ts";
import { version } from "../../platform/version.ts";
import { findSizes, listUsedBlobs } from "../../core/storage/used-blobs.ts";
import { makeFile, measureFile, newPath } from "../../platform/backups/made.ts";
import { BackupError } from "../../platform/backups/place.ts";
import { blobName, listStored, type Repository } from "../../platform/backups/repository.ts";
import { addSnapshot, type Manifest, newID, removeUnfinished } from "../../platform/backups/snapshot.ts";

/** A site, as a backup reads it, even while servers use it. */
export type BackedUpSite = {
  readonly engine: Database["engine"];
  readonly schema: Pick<Schema, "tables">;
  readonly secret: string;
  /** Writes all records, as of one moment, to a new SQLite database. */
  exportDatabase(path: string): Promise<void>;
  /** Until this ends, no blob is removed. */
  holdBlobs(): Promise<AsyncDisposable>;
  openBlob(sha256: string): Promise<Blob | ReadableStream<Uint8Array> | null>;
  /** Where the bytes lie on this machine; null if they do not. */
  pathOf(sha256: string): string | null;
};

type Progress = (line: string) => void;

const filesAtOnce = 4;
const sayEvery = 1000;

/** Nothing counts before all of it is stored and was checked. */
export async function createBackup(repository: Repository, site: BackedUpSite, say: Progress): Promise<Manifest> {
  const { place } = repository;
  const now = new Date();
  const path = newPath(place.workDirectory);
  await using _hold = await site.holdBlobs();
  await site.exportDatabase(path);
  const database = await measureFile(path);
  if (!database) throw new BackupError("The copy of the database is missing.");
  say(`database: ${database.size} bytes`);
  const { list, ...files } = await peekSqlite(path, async (db) => {
    const damage = await findDamage(db, "sqlite");
    if (damage.length > 0) throw new BackupError(`The database is damaged, and was not backed up: ${damage[0]}`);
    return addFiles(repository, site, db, say);
  });
  const { engine, secret } = site;
  const described = { id: newID(now), createdAt: now.toISOString(), version, engine, files, secret };
  const manifest = await addSnapshot(repository, described, database, list);
  // What others have left that were killed.
  await removeUnfinished(repository);
  return manifest;
}

/** Adds the files of a database that are not stored yet. Returns their list as `sha256sum` reads it. */
async function addFiles(repository: Repository, site: BackedUpSite, db: Reader, say: Progress) {
  const { place, sealing } = repository;
  const stored = await listStored(repository);
  const lines: string[] = [];
  const lost = new Set<string>();
  let [count, bytes, added] = [0, 0, 0];
  for await (const names of listUsedBlobs(db)) {
    const sizes = await findSizes(db, site.schema, names);
    const missing = names.filter((name) => {
      const [size = 0] = sizes.get(name) ?? [];
      bytes += size;
      return stored.get(blobName(repository, name)) !== sealing.sizeOf(size);
    });
    await inParallel(missing, filesAtOnce, async (name) => {
      if (!(await addFile(repository, site, name))) lost.add(name);
    });
    for (const name of names) if (!lost.has(name)) lines.push(`${name}  ${blobName(repository, name)}\n`);
    added += missing.length;
    if (Math.floor((count + names.length) / sayEvery) > Math.floor(count / sayEvery))
      say(`files: ${count + names.length}, ${added} of them new`);
    count += names.length;
  }
  say(`files: ${count}, ${added} of them new`);
  const list = await makeFile(
    place.workDirectory,
    lines.map((line) => new TextEncoder().encode(line)),
  );
  return { list, count, bytes, lost: [...lost].toSorted() };
}

/** Returns false if the site does not have these bytes any more: they are compared with their hash before they count. */
async function addFile(repository: Repository, site: BackedUpSite, sha256: string): Promise<boolean> {
  const { place, sealing } = repository;
  const name = blobName(repository, sha256);
  const path = sealing.suffix === "" ? site.pathOf(sha256) : null;
  if (path) {
    if ((await measureFile(path))?.sha256 !== sha256) return false;
    // One that is stored with a wrong size is replaced.
    await place.remove(name);
    if (place.link(name, path)) return true;
  }
  const bytes = await site.openBlob(sha256);
  if (!bytes) return false;
  const hasher = createHasher("sha256");
  const made = await place.make(await sealing.seal(hashed(chunksOf(bytes), hasher)));
  if (hasher.digest("hex") !== sha256) return false;
  await place.add(name, made);
  return true;
}
