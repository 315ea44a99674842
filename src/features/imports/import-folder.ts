import { constants, type Dirent } from "node:fs";
import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { recordActivity } from "../../core/activity/record.ts";
import { invalid, Problem } from "../../platform/errors.ts";
import { ensureDirectory } from "../../content/files/directories.ts";
import type { Intake } from "../../content/files/intake.ts";
import { checkDepth, checkName } from "../../content/files/names.ts";
import { findByPath } from "../../content/files/store.ts";
import type { Target } from "../../content/files/target.ts";
import type { Database } from "../../platform/database/database.ts";
import { hashOf } from "../../platform/hash.ts";
import type { Caller } from "../../platform/http/route.ts";

/** `dataDir` is never imported, wherever it is in the folder: it contains the secret of the site. */
type Folder = { path: string; to: string[]; owner: Caller; dataDir: string };
export type Summary = { directoryID: number; imported: number; existing: number; refused: number; bytes: number };

const chunkBytes = 2 ** 18;
const reportEvery = 100;

/**
 * Copies a folder on this machine, including subfolders, into the tree of files. Each file is stored on its own: if the
 * program is stopped, another run continues, because it skips files that already exist with the same content. A file that
 * cannot be stored is reported and skipped.
 */
export async function importFolder(
  db: Database,
  intake: Intake,
  { path: root, to, owner, dataDir }: Folder,
  report: (line: string) => void,
): Promise<Summary> {
  const summary: Summary = { directoryID: 0, imported: 0, existing: 0, refused: 0, bytes: 0 };
  summary.directoryID = await importEntries(root, to);
  return summary;

  async function importEntries(folder: string, to: string[]): Promise<number> {
    const { id } = await db.transaction(async (tx) => {
      const directory = await ensureDirectory(tx, owner, to);
      recordActivity(tx, owner.id, "imported", {
        kind: "file",
        ...directory,
        ownerID: owner.id,
        name: to.at(-1) ?? "/",
      });
      return directory;
    });
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      await importEntry(entry, path, to).catch((error: unknown) => refuse(path, error));
    }
    return id;
  }

  async function importEntry(entry: Dirent, path: string, to: string[]): Promise<void> {
    if (entry.name.includes("\ufffd")) throw invalid("Its name is not valid UTF-8.");
    const name = checkName(entry.name);
    checkDepth(to.length + 1);
    if (entry.isSymbolicLink()) throw invalid("It is a symbolic link.");
    if (path === dataDir) throw invalid("It is the data directory of this site.");
    if (entry.isDirectory()) return void (await importEntries(path, [...to, name]));
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) throw invalid("It is neither a file nor a directory.");
    await importFile(file, { path: to, name, onConflict: "fail" });
    const count = summary.imported + summary.existing;
    if (count % reportEvery === 0) report(`${count} files so far, now in ${quote(join(path, ".."))}`);
  }

  async function importFile(file: FileHandle, target: Target): Promise<void> {
    const { size } = await file.stat();
    const existing = await findByPath(db, owner, [...target.path, target.name]);
    if (!existing) {
      await storeFile(file, size, target);
      summary.imported++;
      summary.bytes += size;
    } else if (existing.size === size && existing.sha256 === (await hashOf(readChunks(file)))) summary.existing++;
    else throw invalid(`There is already another ${existing.isDirectory ? "directory" : "file"} with this name.`);
  }

  async function storeFile(file: FileHandle, size: number, target: Target): Promise<void> {
    const destination = { caller: owner, target, isPartOfImport: true };
    await using incoming = await intake.receive({ stream: readChunks(file), atLeast: size }, destination);
    await intake.store(incoming, destination);
  }

  /** An error with one file does not stop the import; an error of the storage does. */
  function refuse(path: string, error: unknown): void {
    const isProblem = error instanceof Problem && ["invalid", "quota", "forbidden"].includes(error.code);
    const isUnreadable = (error as NodeJS.ErrnoException).path === path;
    if (!isProblem && !isUnreadable) throw error;
    summary.refused++;
    report(`Not imported: ${quote(path)}: ${(error as Error).message}`);
  }
}

async function* readChunks(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await file.read(new Uint8Array(chunkBytes));
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** A name on the disk may contain control characters for the terminal. */
function quote(path: string): string {
  return JSON.stringify(path).replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
