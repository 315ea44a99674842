import { findDamage } from "../database/integrity.ts";
import { peekSqlite } from "../database/sqlite.ts";
import { hashOf } from "../hash.ts";
import { findDamagedFiles, repairFile } from "./key-files.ts";
import { BackupError, UnreadableError } from "./place.ts";
import { readBlob, type StateOfBlob } from "./read-blob.ts";
import { blobName, listStored, type Repository, setAside } from "./repository.ts";
import { extractDatabase, listIDs, type Manifest, readFiles, readManifest } from "./snapshot.ts";

type Verified = { files: number; read: number; problems: number };
type Options = {
  /** The part of the files that is read; of the others, only whether they are there. */
  share: number;
  /** Whether what is damaged is repaired or set aside, so that the next backup stores it again. Nothing else is written. */
  isRepair: boolean;
  /** Is told each problem. */
  say(line: string): void;
};

/** Reads all backups, or these, and compares what is stored with what was stored. */
export async function verifyBackups(
  repository: Repository,
  ids: string[],
  { share, isRepair, say }: Options,
): Promise<Verified> {
  const { place, header } = repository;
  const wanted = new Map<string, string>();
  let problems = 0;
  const report = (line: string) => {
    problems++;
    say(line);
  };
  for (const name of await findDamagedFiles(place, header)) {
    const isRepaired = isRepair && (await repairFile(place, header, name));
    report(`${isRepaired ? "put back" : "missing or damaged"}: ${name}`);
  }
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
      const state = await stateOf(repository, sha256);
      if (state === "damaged" && isRepair) await setAside(repository, name);
      if (state !== "whole") report(`${isRepair && state === "damaged" ? "set aside" : state}: ${name} (backup ${id})`);
    }
  }
  return { files: wanted.size, read, problems };
}

async function stateOf(repository: Repository, sha256: string): Promise<StateOfBlob | "not readable"> {
  try {
    return await readBlob(repository, sha256, async (bytes) => (await hashOf(bytes)) === sha256);
  } catch (error) {
    if (error instanceof UnreadableError) return "not readable";
    throw error;
  }
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

/** The ids of the chosen backups. Without a choice, all. */
export async function chooseIDs(repository: Repository, chosen: string | undefined): Promise<string[]> {
  const ids = await listIDs(repository);
  if (chosen === undefined) return ids;
  if (!ids.includes(chosen)) throw new BackupError(`There is no backup ${chosen} in ${repository.place.name}.`);
  return [chosen];
}
