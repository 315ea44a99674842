import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DiskSettings } from "./power-cut-disk.ts";
import { startVitrine } from "../process.ts";

const blockBytes = 4096;

type DiskOptions = Partial<Pick<DiskSettings, "flushMs" | "fails">>;
export type OnDisk = Awaited<ReturnType<typeof startOnDisk>>;

/** A server on a disk that keeps only what was flushed (`power-cut-disk.ts`). Its data are in `directory`/data. */
export async function startOnDisk(directory: string, env: Record<string, string>, options: DiskOptions = {}) {
  const [data, disk] = [join(directory, "data"), join(directory, "disk")];
  const server = await startVitrine({ ...env, DATA_DIR: data, ...variablesOfDisk(directory, options) });

  return {
    ...server,
    /**
     * Ends the server at once. The data directory then has what was flushed, and nothing else, or in addition some of
     * what was not: names, and parts of files in any order.
     */
    async cutPower(isLucky: () => boolean = () => false): Promise<void> {
      server.process.kill("SIGUSR2");
      await server.process.exited;
      addSome({ data, disk }, isLucky);
      rmSync(data, { recursive: true });
      cpSync(disk, data, { recursive: true });
    },
  };
}

/** With these variables, a process has `directory`/data on such a disk. What it was left of is removed. */
export function variablesOfDisk(directory: string, options: DiskOptions): Record<string, string> {
  const [data, disk] = [join(directory, "data"), join(directory, "disk")];
  for (const path of [disk, `${disk}-unnamed`]) rmSync(path, { recursive: true, force: true });
  mkdirSync(disk, { recursive: true });
  const settings: DiskSettings = { data, disk, flushMs: 0, fails: null, ...options };
  return {
    POWER_CUT_DISK: JSON.stringify(settings),
    BUN_OPTIONS: `--preload ${join(import.meta.dir, "power-cut-disk.ts")}`,
  };
}

/** Adds what was not flushed to the disk, where `isLucky` says so. */
function addSome({ data, disk }: { data: string; disk: string }, isLucky: () => boolean): void {
  const unnamed = `${disk}-unnamed`;
  for (const path of existsSync(unnamed) ? filesIn(unnamed) : []) {
    if (!isLucky() || !existsSync(join(disk, path, ".."))) continue;
    cpSync(join(unnamed, path), join(disk, path));
  }
  for (const path of filesIn(join(disk, "blobs"))) {
    if (!existsSync(join(data, "blobs", path)) && isLucky()) rmSync(join(disk, "blobs", path));
  }
  // A log belongs to the database that it was begun with.
  if (!sameBytes(join(data, "vitrine.db"), join(disk, "vitrine.db"))) return;
  const log = mixBlocks(
    readFileSync(join(disk, "vitrine.db-wal")),
    readFileSync(join(data, "vitrine.db-wal")),
    isLucky,
  );
  writeFileSync(join(disk, "vitrine.db-wal"), log);
}

function mixBlocks(old: Buffer, recent: Buffer, isLucky: () => boolean): Buffer {
  const mixed = Buffer.alloc(Math.max(old.length, recent.length));
  old.copy(mixed);
  let end = old.length;
  for (let at = 0; at < recent.length; at += blockBytes) {
    if (!isLucky()) continue;
    recent.copy(mixed, at, at, at + blockBytes);
    end = Math.max(end, Math.min(at + blockBytes, recent.length));
  }
  return mixed.subarray(0, end);
}

function filesIn(directory: string): string[] {
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(directory.length));
}

const sameBytes = (one: string, other: string) => readFileSync(one).equals(readFileSync(other));
