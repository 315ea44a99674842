import { constants, type Dirent, fstatSync, readlinkSync } from "node:fs";
import { type FileHandle, lstat, open, readdir, realpath } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ByteStream } from "../byte-stream.ts";
import { findLockedFiles } from "../locked-files.ts";
import { noteProgress } from "../progress.ts";
import {
  DamagedEntry,
  inPlace,
  isLeftover,
  type Tree,
  type TreeEntry,
  type TreeFile,
  type Unusable,
  UnusableEntry,
} from "./tree.ts";

const chunkBytes = 2 ** 18;

/**
 * A folder on this machine, by its real path. Symbolic links are not followed, not even one that takes the place of a directory
 * meanwhile. `without`, the directories of the site, are left out, wherever they are in the folder.
 */
export function openFolder(root: string, without: readonly string[] = []): Tree {
  const isLocked = findLockedFiles(without);
  return {
    name: basename(root),
    hasFilesTogether: true,
    list: () => listFolder(root, []),
    async [Symbol.asyncDispose]() {},
  };

  async function* listFolder(folder: string, above: string[]): AsyncGenerator<TreeEntry> {
    const entries = await readdir(folder, { withFileTypes: true }).catch(toReason);
    if (typeof entries === "string") return yield { path: above.join("/"), reason: entries };
    if ((await realpath(folder).catch(toReason)) !== folder) return yield { path: above.join("/"), reason: replaced };
    for (const entry of entries.toSorted(byKindAndName)) {
      if (isLeftover(entry.name)) continue;
      const place = join(folder, entry.name);
      const path = [...above, entry.name];
      const reason = without.includes(place) ? "It is the data directory of this site." : reasonOf(entry);
      if (reason) yield { path: path.join("/"), reason };
      else if (entry.isDirectory()) {
        yield { path, isDirectory: true };
        yield* listFolder(place, path);
      } else yield await readEntry(place, path);
    }
  }

  async function readEntry(place: string, path: string[]): Promise<TreeFile | Unusable> {
    try {
      const { size, mtimeMs, dev, ino } = await lstat(place);
      if (isLocked({ dev, ino })) return { path: path.join("/"), reason: ofThisSite };
      return {
        path,
        size,
        modifiedAt: Math.round(mtimeMs),
        open: inPlace(() => readFile(place, size), { root, path }),
      };
    } catch (error) {
      return { path: path.join("/"), reason: (error as Error).message };
    }
  }
}

export const ofThisSite = "It is the database of this site.";
const ofThisData = "It is in the data directory of this site.";

/**
 * Opens files of folders, given by their real paths, of which somebody else says what lies in them: only files, without following links,
 * and nothing of `without`, the directories of the site. Throws an `UnusableEntry` for everything else.
 */
export function openNamedFiles(roots: readonly string[], without: readonly string[]) {
  const isLocked = findLockedFiles(without);
  return async (number: number, path: string[]): Promise<Pick<TreeFile, "size" | "modifiedAt" | "open">> => {
    const root = roots[number];
    if (root === undefined) throw new UnusableEntry(`The source has no folder ${number}.`);
    const isName = (name: string) => name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name);
    if (path.length === 0 || !path.every(isName)) throw new UnusableEntry("Its path is not one in the source.");
    const place = join(root, ...path);
    if (without.some((directory) => `${place}/`.startsWith(`${directory}/`))) throw new UnusableEntry(ofThisData);
    const found = await lstat(place).catch((error: NodeJS.ErrnoException) => {
      throw new UnusableEntry(error.code === "ENOENT" ? "It is not in the source." : error.message);
    });
    if (found.isSymbolicLink()) throw new UnusableEntry("It is a symbolic link.");
    if (!found.isFile()) throw new UnusableEntry("It is not a file.");
    if (isLocked(found)) throw new UnusableEntry(ofThisSite);
    return { size: found.size, modifiedAt: Math.round(found.mtimeMs), open: () => readFile(place, found.size) };
  };
}

/** Files first, so that those of one directory come together. */
function byKindAndName(one: Dirent, other: Dirent): number {
  if (one.isDirectory() !== other.isDirectory()) return one.isDirectory() ? 1 : -1;
  return one.name < other.name ? -1 : 1;
}

function reasonOf(entry: Dirent): string | null {
  if (entry.name.includes("\ufffd")) return "Its name is not valid UTF-8.";
  if (entry.isSymbolicLink()) return "It is a symbolic link.";
  return entry.isDirectory() || entry.isFile() ? null : "It is neither a file nor a directory.";
}

/** Does not wait for the other end of a pipe that has taken the place of the file. */
const openFile = (place: string) => open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);

/** Memory for chunks that was given back. It is not worth the while for small ones, which readers often keep. */
const spare: Uint8Array[] = [];
const maxSpare = 24;
const smallBytes = 2 ** 14;

const takeMemory = (bytes: number) =>
  bytes < smallBytes ? new Uint8Array(bytes) : (spare.pop() ?? new Uint8Array(chunkBytes)).subarray(0, bytes);

function release({ buffer }: Uint8Array): void {
  if (buffer.byteLength === chunkBytes && spare.length < maxSpare) spare.push(new Uint8Array(buffer));
}

const readFile = (place: string, size: number): ByteStream => ({
  [Symbol.asyncIterator]: () => readChunks(place, size),
  release,
});

async function* readChunks(place: string, size: number): AsyncGenerator<Uint8Array> {
  await using file = await openFile(place).catch((error: unknown) => {
    throw new UnusableEntry((error as Error).message);
  });
  if (!(await isAt(file, place))) throw new UnusableEntry(replaced);
  const { mtimeMs } = fstatSync(file.fd);
  let left = size;
  for (;;) {
    const asked = Math.min(chunkBytes, left + 1);
    const { bytesRead, buffer } = await file.read(takeMemory(asked));
    left -= bytesRead;
    if (left < 0 || (bytesRead === 0 && left > 0)) throw new UnusableEntry(changed);
    noteProgress();
    if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
    // Fewer bytes than asked for are the last ones.
    if (left === 0 && bytesRead < asked) break;
  }
  // Bytes of both, as long as before: another time it may be whole.
  if (fstatSync(file.fd).mtimeMs !== mtimeMs) throw new DamagedEntry(changed);
}

const changed = "It changed while it was read.";
const replaced = "Something else has taken its place while it was read.";

/** Whether an open file lies where its path says, and not where a link on the way leads. Only Linux knows that of open files. */
async function isAt(file: FileHandle, place: string): Promise<boolean> {
  try {
    const found = readlinkSync(`/proc/self/fd/${file.fd}`);
    return found === place || found === `${place} (deleted)`;
  } catch {
    return (await realpath(place).catch(toReason)) === place;
  }
}

const toReason = (error: unknown) => (error as Error).message;
