import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { openSpoolDirectory, type SpoolDirectory } from "../blobs/spool-directory.ts";

/** A copy is as large as the database of the site. */
const mostKept = 2;
/** The name of a database, or of its log: nothing else in the directory is touched. */
const keptName = /^\d{8}T\d{9}Z-[0-9a-f]{8}\.db(-wal|-shm)?$/;

/**
 * The database of a backup in a directory where the last ones are kept: the path of the one with this id, or of a new one,
 * which `extract` makes in the same directory. One process at a time uses the directory.
 */
export async function keepDatabase(directory: string, id: string, extract: () => Promise<string>): Promise<string> {
  const path = join(directory, `${id}.db`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (!existsSync(path)) {
    await removeOld(directory, mostKept - 1);
    await rename(await extract(), path);
  }
  const now = new Date();
  await utimes(path, now, now);
  return path;
}

/** Those that were used last stay. */
async function removeOld(directory: string, count: number): Promise<void> {
  const files = (await readdir(directory)).filter((name) => keptName.test(name));
  const databases = files.filter((name) => name.endsWith(".db"));
  const used = await Promise.all(
    databases.map(async (name) => ({ name, at: (await stat(join(directory, name))).mtimeMs })),
  );
  const kept = used.toSorted((one, other) => other.at - one.at).slice(0, count);
  for (const file of files) {
    if (!kept.some(({ name }) => file.startsWith(name))) await rm(join(directory, file), { force: true });
  }
}

/** A directory below `root` for databases of backups. It is removed when it was not used for `keptMs`, and when this is closed. */
export function createKeptDirectory(root: string, keptMs: number) {
  let opened: Promise<SpoolDirectory | null> | null = null;
  let timer: NodeJS.Timeout | undefined;
  // Opening it removes what a server that was killed has left.
  if (existsSync(root)) void use(async () => {});
  return { use, close };

  /** The directory is null if none can be created. */
  async function use<Result>(work: (directory: string | null) => Promise<Result>): Promise<Result> {
    clearTimeout(timer);
    opened ??= openSpoolDirectory(root).catch(() => (opened = null));
    try {
      return await work((await opened)?.path ?? null);
    } finally {
      timer = setTimeout(() => void close().catch(() => {}), keptMs).unref();
    }
  }

  async function close(): Promise<void> {
    clearTimeout(timer);
    const closing = opened;
    opened = null;
    const directory = await closing;
    if (!directory) return;
    await rm(directory.path, { recursive: true, force: true });
    directory.release();
  }
}
