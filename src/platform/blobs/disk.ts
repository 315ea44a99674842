import { statSync, unlinkSync, utimesSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncDirectory } from "../durable.ts";
import type { Blobs } from "./blobs.ts";
import { spool } from "./spool.ts";

const hour = 3_600_000;

/** Blobs as files: `blobs/ab/abcd…`, written under `incoming/` first. What is made of them: `derived/ab/abcd…/name`. */
export async function openDisk(dataDir: string): Promise<Blobs> {
  const root = join(dataDir, "blobs");
  const incoming = join(dataDir, "incoming");
  const derived = join(dataDir, "derived");
  // What a crash left half received belongs to nobody.
  await rm(incoming, { recursive: true, force: true });
  await mkdir(incoming);
  await makeShelves(root);
  await syncDirectory(dataDir);

  const shelf = (sha256: string) => join(root, sha256.slice(0, 2));
  const place = (sha256: string) => join(shelf(sha256), sha256);
  const derivedOf = (sha256: string) => join(derived, sha256.slice(0, 2), sha256);

  return {
    async receive(stream) {
      const { path, ...received } = await spool(incoming, stream, (file) => file.sync());
      return { ...received, keep: () => keep(path, received.sha256), discard: () => rm(path, { force: true }) };
    },

    async open(sha256, range) {
      const file = Bun.file(place(sha256));
      if (!(await file.exists())) return null;
      return range ? file.slice(range.start, range.end) : file;
    },

    async withFile(sha256, work) {
      return (await Bun.file(place(sha256)).exists()) ? work(place(sha256)) : null;
    },

    has: (sha256) => Bun.file(place(sha256)).exists(),

    async openDerived(sha256, name) {
      const bytes = Bun.file(join(derivedOf(sha256), name));
      return (await bytes.exists()) ? { bytes, size: bytes.size } : null;
    },

    async keepDerived(sha256, name, bytes) {
      const { path } = await spool(incoming, [bytes], (file) => file.sync());
      await mkdir(derivedOf(sha256), { recursive: true });
      await rename(path, join(derivedOf(sha256), name));
    },

    signedURL: async () => null,

    async sweep(isUsed) {
      let removed = 0;
      for (const name of await readdir(root)) {
        const names = await readdir(join(root, name));
        const used = await isUsed(names);
        for (const sha256 of names) if (!used.has(sha256) && removeIfOld(place(sha256))) removed++;
      }
      await sweepDerived(derived, isUsed);
      return removed;
    },
  };

  async function keep(path: string, sha256: string): Promise<void> {
    if (touch(place(sha256))) await rm(path);
    else await rename(path, place(sha256));
    await syncDirectory(shelf(sha256));
  }
}

async function sweepDerived(root: string, isUsed: (sha256: string[]) => Promise<Set<string>>): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    const names = await readdir(join(root, name));
    const used = await isUsed(names);
    for (const sha256 of names) {
      if (!used.has(sha256)) await rm(join(root, name, sha256), { recursive: true, force: true });
    }
  }
}

/** Marks a blob as wanted just now; false when there is none. Synchronous, as is its counterpart: a sweep cannot come between. */
function touch(path: string): boolean {
  const now = new Date();
  try {
    utimesSync(path, now, now);
    return true;
  } catch {
    return false;
  }
}

function removeIfOld(path: string): boolean {
  if (statSync(path).mtimeMs > Date.now() - hour) return false;
  unlinkSync(path);
  return true;
}

async function makeShelves(root: string): Promise<void> {
  await mkdir(root, { recursive: true });
  const names = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, "0"));
  await Promise.all(names.map((name) => mkdir(join(root, name), { recursive: true })));
  await syncDirectory(root);
}
