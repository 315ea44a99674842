import { chunksOf } from "../blobs/blobs.ts";
import { findDamage } from "../database/integrity.ts";
import { peekSqlite } from "../database/sqlite.ts";
import { hashOf } from "../hash.ts";
import { BackupError } from "./place.ts";
import { blobName, listStored, type Repository } from "./repository.ts";
import { extractDatabase, listIDs, type Manifest, readFiles, readManifest } from "./snapshot.ts";

type Verified = { snapshots: number; files: number; read: number; problems: number };

/**
 * Reads all backups, or these, and compares what is stored with what was stored. Of the files, `share` are read; of the
 * others, only whether they are there. Says each problem.
 */
export async function verifyBackups(
  repository: Repository,
  ids: string[],
  share: number,
  say: (line: string) => void,
): Promise<Verified> {
  const wanted = new Map<string, string>();
  let problems = 0;
  const report = (line: string) => {
    problems++;
    say(line);
  };
  for (const id of ids) {
    try {
      const manifest = await readManifest(repository, id);
      await verifyDatabase(repository, manifest);
      for (const sha256 of await readFiles(repository, manifest)) wanted.set(sha256, id);
      const { lost } = manifest.files;
      if (lost.length > 0) say(`The backup ${id} lacks ${lost.length} files that the site had lost when it was made.`);
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      report(error.message);
    }
  }
  const stored = await listStored(repository);
  let read = 0;
  for (const [sha256, id] of wanted) {
    const name = blobName(repository, sha256);
    if (!stored.has(name)) report(`missing: ${name} (backup ${id})`);
    else if (Math.random() < share) {
      read++;
      if (!(await isWhole(repository, sha256))) report(`damaged: ${name} (backup ${id})`);
    }
  }
  return { snapshots: ids.length, files: wanted.size, read, problems };
}

async function verifyDatabase(repository: Repository, manifest: Manifest): Promise<void> {
  const file = await extractDatabase(repository, manifest, repository.place.workDirectory);
  try {
    const [damage] = await peekSqlite(file.path, (db) => findDamage(db, "sqlite"));
    if (damage) throw new BackupError(`The backup ${manifest.id} is damaged: ${damage}`);
  } finally {
    await Bun.file(file.path).delete();
  }
}

async function isWhole(repository: Repository, sha256: string): Promise<boolean> {
  const bytes = await repository.place.open(blobName(repository, sha256));
  if (!bytes) return false;
  try {
    return (await hashOf(await repository.sealing.unseal(chunksOf(bytes)))) === sha256;
  } catch (error) {
    if (error instanceof BackupError) throw error;
    // It cannot be decrypted.
    return false;
  }
}

/** The ids of the chosen backups. Without a choice, all. */
export async function chooseIDs(repository: Repository, chosen: string | undefined): Promise<string[]> {
  const ids = await listIDs(repository);
  if (chosen === undefined) return ids;
  if (!ids.includes(chosen)) throw new BackupError(`There is no backup ${chosen} in ${repository.place.name}.`);
  return [chosen];
}
