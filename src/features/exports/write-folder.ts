import { link, mkdir, open, readdir, readFile, rename, rm, rmdir, stat, utimes, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { createReadStream } from "node:fs";
import { dirname, join } from "node:path";
import { newPath } from "../../platform/backups/made.ts";
import { spool } from "../../platform/blobs/spool.ts";
import { isOfSystem } from "../../platform/data-directory.ts";
import { unwatchedDisk } from "../../platform/disk.ts";
import { makeDirectory, syncDirectory } from "../../platform/durable.ts";
import { invalid } from "../../platform/errors.ts";
import type { ExportedSite, FileEntry, Target } from "./entry.ts";
import { indexName } from "../../platform/archives/vitrine-export.ts";
import { sumsName } from "./export.ts";
import { openBytes } from "./open-bytes.ts";

/** An export that was made before: what it has, by path. */
type Earlier = { root: string; exportedAt: number; sums: Map<string, string> };

/** The checksums of what was written so far, for the next run if this one is interrupted. */
const partName = `${sumsName}.part`;
const draftName = ".vitrine-export-drafts";

/**
 * Writes to a folder that is new, or has an earlier export: then only what has changed is written, and what is gone is
 * removed. Files that are the same in the export at `since` become links to them.
 */
export async function openFolderTarget(
  site: ExportedSite,
  { to, since }: { to: string; since: string | null },
  moment: Date,
): Promise<Target> {
  const before = await prepare(to);
  const other = since === null ? null : await readEarlier(since);
  if (since !== null && !other) throw invalid(`${since} is not an export: there is no ${indexName} in it.`);
  const pathsBySum = new Map(Array.from(other?.sums ?? [], ([path, sum]) => [sum, path]));
  const unseen = new Set(before?.sums.keys());
  const made = new Set<string>();
  const place = (path: string) => join(to, path);
  const drafts = place(draftName);
  await rm(drafts, { recursive: true, force: true });
  await mkdir(drafts, { mode: 0o700 });
  const state = { format: "vitrine-export", isComplete: false, exportedAt: moment.toISOString() };
  await writeWhole(place(indexName), `${JSON.stringify(state, null, 2)}\n`);
  const part = await open(place(partName), "a", 0o600);

  async function makeFolder(path: string): Promise<void> {
    if (made.has(path)) return;
    await removeOther(place(path), (found) => !found.isDirectory());
    await makeDirectory(place(path));
    if (made.size > 10_000) await flushFolders();
    made.add(path);
  }

  async function flushFolders(): Promise<void> {
    for (const path of made) await syncDirectory(place(path));
    made.clear();
  }

  async function addFile(entry: FileEntry): Promise<boolean> {
    unseen.delete(entry.path);
    if (before && before.sums.get(entry.path) === entry.sha256 && (await isUntouched(before, entry.path, entry)))
      return true;
    await makeFolder(dirname(entry.path));
    await removeOther(place(entry.path), (found) => found.isDirectory());
    const draft = (await linkEarlier(entry)) ?? (await copy(site, entry, drafts));
    if (draft === null) return false;
    await rename(draft, place(entry.path));
    return true;
  }

  /** A link to the same file of the other export. */
  async function linkEarlier(entry: FileEntry): Promise<string | null> {
    const path = "blob" in entry.bytes ? pathsBySum.get(entry.sha256) : undefined;
    if (!other || path === undefined || !(await isUntouched(other, path, entry))) return null;
    const draft = newPath(drafts);
    // Another disk, or a file system without links: it is copied then.
    return link(join(other.root, path), draft).then(
      () => draft,
      () => null,
    );
  }

  return {
    async add(entry) {
      if ("isDirectory" in entry) {
        await makeFolder(entry.path);
        return true;
      }
      const isThere = await addFile(entry);
      if (isThere) await part.write(`${entry.sha256}  ${entry.path}\n`);
      return isThere;
    },
    async finish(last) {
      unseen.delete(last.path);
      for (const path of unseen) await removeFile(to, path);
      await part.close();
      await rm(place(partName), { force: true });
      await flushFolders();
      const draft = await copy(site, last, drafts);
      await rename(draft ?? "", place(last.path));
      await rm(drafts, { recursive: true, force: true });
      await syncDirectory(to);
    },
    async abandon() {
      await part.close().catch(() => {});
      await rm(drafts, { recursive: true, force: true }).catch(() => {});
    },
  };
}

/** Makes the folder. Null if nothing is in it yet. */
async function prepare(to: string): Promise<Earlier | null> {
  await makeDirectory(to);
  const names = (await readdir(to)).filter((name) => !isOfSystem(name));
  if (names.length === 0) return null;
  const earlier = await readEarlier(to);
  if (earlier) return earlier;
  throw invalid(`${to} is not empty, and is not an earlier export: choose another folder.`);
}

async function readEarlier(root: string): Promise<Earlier | null> {
  const text = await readFile(join(root, indexName), "utf8").catch(() => null);
  if (text === null) return null;
  const index = parseIndex(text);
  if (index?.format !== "vitrine-export") return null;
  const sums = new Map<string, string>();
  for (const name of [sumsName, partName]) await readSums(join(root, name), sums);
  return { root, exportedAt: Date.parse(String(index.exportedAt)), sums };
}

function parseIndex(text: string): { format?: unknown; exportedAt?: unknown } | null {
  try {
    return JSON.parse(text) as { format?: unknown };
  } catch {
    return null;
  }
}

async function readSums(path: string, sums: Map<string, string>): Promise<void> {
  if (!(await stat(path).catch(() => null))) return;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const [, sum, name] = /^([\da-f]{64}) {2}(.+)$/.exec(line) ?? [];
    // It will be removed if it is gone: nothing outside the export ever is.
    if (sum && name && !name.split("/").includes("..") && !name.startsWith("/")) sums.set(name, sum);
  }
}

/** Whether a file of an export is as it was written. */
async function isUntouched({ root, exportedAt }: Earlier, path: string, { size }: FileEntry): Promise<boolean> {
  const found = await stat(join(root, path)).catch(() => null);
  return found !== null && found.isFile() && found.size === size && found.mtimeMs <= exportedAt;
}

async function removeOther(path: string, isOther: (found: { isDirectory(): boolean }) => boolean): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found && isOther(found)) await rm(path, { recursive: true, force: true });
}

/** With the folders that are empty then. */
async function removeFile(root: string, path: string): Promise<void> {
  await rm(join(root, path), { force: true, recursive: true });
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    const isRemoved = await rmdir(join(root, folder)).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}

/** Returns where it is; null if the bytes are missing from the site, or damaged there. */
async function copy(site: ExportedSite, entry: FileEntry, directory: string): Promise<string | null> {
  const bytes = await openBytes(site, entry);
  if (!bytes) return null;
  const { path, sha256 } = await spool(directory, bytes, { isFlushed: true, disk: unwatchedDisk });
  const time = new Date(entry.modifiedAt);
  await utimes(path, time, time);
  return sha256 === entry.sha256 ? path : null;
}

async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.part`, text, { mode: 0o600 });
  await rename(`${path}.part`, path);
}
