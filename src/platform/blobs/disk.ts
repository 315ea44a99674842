import { existsSync, mkdirSync, renameSync, statSync, utimesSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkDescriptors } from "../descriptors.ts";
import type { Disk } from "../disk.ts";
import { syncDirectory } from "../durable.ts";
import type { Blobs, FindUsed, Swept } from "./blobs.ts";
import { createPins } from "./pins.ts";
import { spool } from "./spool.ts";

const hour = 3_600_000;

const incomingOf = (dataDir: string) => join(dataDir, "incoming");
const rootOf = (dataDir: string) => join(dataDir, "blobs");
const derivedPlaceOf = (dataDir: string, sha256: string) => join(dataDir, "derived", sha256.slice(0, 2), sha256);
const shelfOf = (root: string, sha256: string) => join(root, sha256.slice(0, 2));

/** Where a blob lies, for a program that only reads it while a server is running. */
export const diskPlaceOf = (dataDir: string, sha256: string) => join(shelfOf(rootOf(dataDir), sha256), sha256);

export async function openDiskBlob(dataDir: string, sha256: string): Promise<Blob | null> {
  const file = Bun.file(diskPlaceOf(dataDir, sha256));
  return (await file.exists()) ? file : null;
}

/** For a program that only reads, while a server may be running. */
export const readDiskBlobs = (dataDir: string): Pick<Blobs, "sizeOf" | "open"> => ({
  sizeOf: async (sha256) => statSync(diskPlaceOf(dataDir, sha256), { throwIfNoEntry: false })?.size ?? null,
  open: (sha256) => openDiskBlob(dataDir, sha256),
});

/** Blobs are files `blobs/ab/abcd…`, written to `incoming/` first. Derived files are `derived/ab/abcd…/name`. */
export async function openDiskBlobs(dataDir: string, disk: Disk): Promise<Blobs> {
  // Files that a crash left half received are not used by anything.
  await rm(incomingOf(dataDir), { recursive: true, force: true });
  await mkdir(incomingOf(dataDir));
  await makeShelves(rootOf(dataDir));
  await syncDirectory(dataDir);
  return blobsIn(dataDir, disk);
}

/** For a program that reads blobs and adds derived files, even while a server is running. A hold keeps the server from removing blobs. */
export function useDiskBlobs(dataDir: string, disk: Disk): Blobs {
  mkdirSync(incomingOf(dataDir), { recursive: true });
  return blobsIn(dataDir, disk);
}

function blobsIn(dataDir: string, disk: Disk): Blobs {
  const root = rootOf(dataDir);
  const incoming = incomingOf(dataDir);
  const derived = join(dataDir, "derived");
  const place = (sha256: string) => diskPlaceOf(dataDir, sha256);
  const derivedOf = (sha256: string) => derivedPlaceOf(dataDir, sha256);
  const pins = createPins();
  const loans = new Set<{ sha256: string; isGone: boolean }>();

  return {
    receive: createReceive(dataDir, disk, pins),

    async open(sha256, range, size) {
      const file = Bun.file(place(sha256));
      if (!(await file.exists()) || (size !== undefined && file.size !== size)) return null;
      checkDescriptors();
      return range ? file.slice(range.start, range.end) : file;
    },

    async withLocalFile(sha256, work) {
      // If the same bytes were stored again in the meantime, they are another file: the work starts again.
      while (existsSync(place(sha256))) {
        const loan = { sha256, isGone: false };
        loans.add(loan);
        try {
          const result = await work(place(sha256));
          if (!loan.isGone) return result;
        } catch (error) {
          if (!loan.isGone) throw error;
        } finally {
          loans.delete(loan);
        }
      }
      return null;
    },

    has: (sha256) => Bun.file(place(sha256)).exists(),
    sizeOf: async (sha256) => statSync(place(sha256), { throwIfNoEntry: false })?.size ?? null,

    async openDerived(sha256, name) {
      const bytes = Bun.file(join(derivedOf(sha256), name));
      if (!(await bytes.exists())) return null;
      checkDescriptors();
      return { bytes, size: bytes.size };
    },

    async keepDerived(sha256, name, bytes) {
      const { path } = await spool(incoming, [bytes], { isFlushed: true, disk });
      // Synchronous, like `moveOut`: no derived file can be added for a blob that has been removed.
      if (!existsSync(place(sha256))) return rm(path);
      mkdirSync(derivedOf(sha256), { recursive: true });
      renameSync(path, join(derivedOf(sha256), name));
    },

    removeDerived: (sha256, name) => rm(join(derivedOf(sha256), name), { force: true }),

    signedOrigin: null,
    signedURL: async () => null,

    async removeUnused(sha256, findUsed) {
      await pins.whenUnpinned(sha256, async (unpinned) => {
        const used = await findUsed([...unpinned]);
        await remove([...unpinned].filter((name) => !used.has(name)));
      });
    },

    async sweep(findUsed, isOutdated = () => false) {
      let removed = 0;
      for (const name of await readdir(root)) {
        const names = await readdir(join(root, name));
        const used = await findUsed(names);
        const unused = names.filter((sha256) => !used.has(sha256) && isOld(place(sha256)));
        await remove(unused);
        removed += unused.length;
      }
      return { removed, derived: await sweepDerived(derived, findUsed, isOutdated) };
    },

    close() {},
  };

  /**
   * Moves the blobs out of the way immediately, so that a caller that keeps the same bytes writes them again. Then
   * removes them.
   */
  async function remove(names: string[]): Promise<void> {
    const moved = names.flatMap(moveOut);
    await Promise.all(moved.map((path) => rm(path, { recursive: true, force: true })));
  }

  function moveOut(sha256: string): string[] {
    for (const loan of loans) if (loan.sha256 === sha256) loan.isGone = true;
    return [place(sha256), derivedOf(sha256)].map((path) => {
      const target = join(incoming, crypto.randomUUID());
      if (existsSync(path)) renameSync(path, target);
      return target;
    });
  }
}

/** What a program can do that adds blobs while a server may be running. */
export type AddedBlobs = Pick<Blobs, "has" | "receive" | "withLocalFile" | "keepDerived">;

/** For a program that only adds blobs, even while a server is running. A hold keeps the server from removing them. */
export async function addToDisk(dataDir: string, disk: Disk): Promise<AddedBlobs> {
  await mkdir(incomingOf(dataDir), { recursive: true });
  await makeShelves(rootOf(dataDir));
  return {
    has: (sha256) => Bun.file(diskPlaceOf(dataDir, sha256)).exists(),
    receive: createReceive(dataDir, disk, createPins()),
    async withLocalFile(sha256, work) {
      const path = diskPlaceOf(dataDir, sha256);
      return existsSync(path) ? work(path) : null;
    },
    async keepDerived(sha256, name, bytes) {
      const { path } = await spool(incomingOf(dataDir), [bytes], { isFlushed: true, disk });
      await mkdir(derivedPlaceOf(dataDir, sha256), { recursive: true });
      await rename(path, join(derivedPlaceOf(dataDir, sha256), name));
    },
  };
}

function createReceive(dataDir: string, disk: Disk, pins: ReturnType<typeof createPins>): Blobs["receive"] {
  return async (stream) => {
    const { path, ...received } = await spool(incomingOf(dataDir), stream, { isFlushed: true, disk });
    let unpin: (() => void) | null = null;
    let isMoved = false;
    const keep = async () => {
      unpin = pins.add(received.sha256);
      await moveIn(path, diskPlaceOf(dataDir, received.sha256)).catch((error: unknown) => {
        throw disk.explain(error);
      });
      isMoved = true;
    };
    const discard = async () => {
      unpin?.();
      if (!isMoved) await rm(path, { force: true });
    };
    return { ...received, keep, discard };
  };
}

async function moveIn(path: string, place: string): Promise<void> {
  if (touch(place)) await rm(path);
  else await rename(path, place);
  await syncDirectory(dirname(place));
}

async function sweepDerived(
  root: string,
  findUsed: FindUsed,
  isOutdated: (name: string) => boolean,
): Promise<Swept["derived"]> {
  const left = { count: 0, bytes: 0 };
  const list = (path: string) => readdir(path).catch(() => []);
  for (const shelf of await list(root)) {
    const blobs = await list(join(root, shelf));
    const used = await findUsed(blobs);
    for (const sha256 of blobs) {
      const directory = join(root, shelf, sha256);
      if (!used.has(sha256)) await rm(directory, { recursive: true, force: true });
      else for (const name of await list(directory)) await sweepFile(join(directory, name), isOutdated(name));
    }
  }
  return left;

  async function sweepFile(path: string, isUnused: boolean): Promise<void> {
    if (isUnused) return rm(path, { force: true });
    // It may have been removed in the meantime.
    const { size } = await stat(path).catch(() => ({ size: 0 }));
    left.count++;
    left.bytes += size;
  }
}

/**
 * Marks a blob as recently used; false if there is none. Synchronous, like its counterpart, so that a sweep cannot run
 * in between.
 */
function touch(path: string): boolean {
  // Most blobs are new, and an error is slow to create.
  if (!existsSync(path)) return false;
  const now = new Date();
  try {
    utimesSync(path, now, now);
    return true;
  } catch {
    return false;
  }
}

function isOld(path: string): boolean {
  const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
  return mtimeMs <= Date.now() - hour;
}

async function makeShelves(root: string): Promise<void> {
  await mkdir(root, { recursive: true });
  const names = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, "0"));
  const missing = new Set(names).difference(new Set(await readdir(root)));
  await Promise.all([...missing].map((name) => mkdir(join(root, name), { recursive: true })));
  await syncDirectory(root);
}
