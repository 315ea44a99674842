import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { Problem } from "./errors.ts";
import { reasons, type Trouble, troubled, troubleOf } from "./disk-errors.ts";
import { createLog, type Log } from "./log.ts";
import { openReserve, type Reserve } from "./reserve.ts";

/**
 * The disk of the data directory. It is checked every second, so that a disk that is full, and a directory that is read-only
 * or no longer there, are known before a write fails.
 *
 * A part of the disk is kept free: ordinary writes are refused before they use it. It is for requests that free space, for
 * signing in, and for the log of the database. A reserve, which is a file that takes up space, keeps another part from other
 * programs, and is released when even that is not enough.
 */
export type Disk = DiskState & {
  /** Call this before this many bytes are written. Throws if they would use what is kept free. */
  claim(bytes: number): void;
  /** Adds a condition under which what is written is found again, such as that a file is in its place. Returns how to end that. */
  watch(isInPlace: () => boolean): () => void;
  /** For the beginning of a write: throws if the directory cannot be written, unless that has changed just now. */
  checkWritable(): void;
  /** For the end of a write: throws if one of the conditions is not met, so that the write is lost. */
  checkPlaces(): void;
  /** Frees the reserve; false if there is nothing to free, so that it would not help to try again. */
  releaseReserve(): boolean;
  /** The problem that an error means, or the error itself. The log says why, once for each time that the trouble begins. */
  explain(error: unknown): unknown;
  close(): Promise<void>;
};

export type DiskState = {
  /** What keeps ordinary writes from being stored; null if nothing does. */
  trouble(): Trouble | null;
  /** The same as a sentence for the operator. */
  reason(): string | null;
  /** How many bytes ordinary writes can still use, and whether that is little. */
  space(): { bytes: number; isLow: boolean };
  /** Throws if ordinary writes cannot be stored. */
  refuseWhenTroubled(): void;
};

/** `variable` is the one that names the directory. */
type Options = { log?: Log; variable?: "DATA_DIR" | "DATABASE_DIR" };

const checkMs = 1000;
const mebibyte = 2 ** 20;
/** After an error of the disk, which no check can find, it counts as failing for this time. */
const failingMs = 10_000;
const fillAgainMs = 5000;
/** Under load, not every write begins with a check. Every write ends with one. */
const trustedMs = 20;
const fewestFiles = 64;

/** Opens the disk of an existing directory. Without a reserve, the directory holds only files that are in transit. */
export function openDisk(
  directory: string,
  hasReserve: boolean,
  { log = createLog("silent"), variable = "DATA_DIR" }: Options = {},
): Disk {
  const isInPlace = placeOf(directory);
  const conditions = new Set<() => boolean>();
  const found = readSpace(directory);
  const size = hasReserve ? Math.min(16 * mebibyte, Math.floor(found.total / 8)) : 0;
  /** What ordinary writes leave free besides the reserve. */
  const keptFree = Math.min(8 * mebibyte, Math.floor(found.total / 16));
  const low = Math.max(2 * (size + keptFree), Math.min(2 ** 30, found.total / 10));
  const reserve: Reserve | null = hasReserve ? openReserve(join(directory, "reserve"), size) : null;
  let { free, files } = found;
  let state: Trouble | null = null;
  let failingUntil = 0;
  /** A write has failed although there seemed to be space, as with a quota: only a filled reserve shows that there is some. */
  let isDoubtful = false;
  let fillAt = 0;
  let trustedUntil = 0;
  let filling: Promise<void> | null = null;

  decide();
  const timer = setInterval(refresh, checkMs);
  timer.unref();

  return {
    trouble: () => state,
    reason: () => state && reasons[state](variable),
    space: () => ({ bytes: Math.max(room() - size - keptFree, 0), isLow: room() < low }),
    refuseWhenTroubled,
    claim(bytes) {
      free -= bytes;
      if (state === null && room() >= low) return;
      // What else was written since the last check counts, too.
      refresh();
      free -= bytes;
      if (!hasSpace()) change("full");
      refuseWhenTroubled();
    },
    watch(condition) {
      conditions.add(condition);
      return () => conditions.delete(condition);
    },
    checkWritable() {
      const now = performance.now();
      const isUsable = state !== "missing" && state !== "readOnly";
      if (isUsable && now < trustedUntil) return;
      trustedUntil = now + trustedMs;
      const trouble = findTrouble();
      if (trouble) change(trouble);
      else if (!isUsable) refresh();
      if (trouble) throw troubled(trouble);
    },
    checkPlaces() {
      if (areInPlace()) return;
      change("missing");
      throw troubled("missing");
    },
    releaseReserve,
    explain,
    async close() {
      clearInterval(timer);
      await filling;
    },
  };

  /** A write to a disk that reports errors may succeed. */
  function refuseWhenTroubled(): void {
    if (state && state !== "failing") throw troubled(state);
  }

  /** What is free, and what the reserve could free. */
  function room(): number {
    return free + (reserve?.size() ?? 0);
  }

  function refresh(): void {
    ({ free, files } = readSpace(directory));
    decide();
  }

  function decide(): void {
    const trouble = findTrouble();
    if (trouble) return change(trouble);
    if (hasSpace()) keepReserve();
    else if (free < keptFree / 2) releaseReserve();
    if (isDoubtful || !hasSpace()) change("full");
    else change(performance.now() < failingUntil ? "failing" : null);
  }

  /** A disk that was full needs more than one that was not, so that it does not change with every file. */
  function hasSpace(): boolean {
    return files >= fewestFiles && room() >= size + (state === "full" ? 2 : 1) * keptFree;
  }

  function keepReserve(): void {
    const isHeld = !reserve || reserve.size() === size;
    if (isHeld && !isDoubtful) return;
    if (filling || performance.now() < fillAt) return;
    fillAt = performance.now() + fillAgainMs;
    filling = (reserve?.fill() ?? Promise.resolve(true))
      .then(
        (isFilled) => void (isDoubtful &&= !isFilled),
        (error: unknown) => void (isDoubtful = troubleOf(error) === "full"),
      )
      .finally(() => (filling = null));
  }

  function releaseReserve(): boolean {
    return reserve?.release() ?? false;
  }

  function findTrouble(): "missing" | "readOnly" | null {
    if (!isInPlace() || !areInPlace()) return "missing";
    return isWritable() ? null : "readOnly";
  }

  function areInPlace(): boolean {
    for (const isMet of conditions) if (!isMet()) return false;
    return true;
  }

  function isWritable(): boolean {
    if (!hasReserve) return true;
    try {
      accessSync(directory, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  }

  function explain(error: unknown): unknown {
    if (error instanceof Problem) return error;
    const trouble = troubleOf(error) ?? findTrouble();
    if (!trouble) return error;
    if (trouble === "full") {
      isDoubtful = true;
      fillAt = performance.now() + fillAgainMs;
      releaseReserve();
    }
    if (trouble === "failing") failingUntil = performance.now() + failingMs;
    change(trouble, (error as Error).message);
    return troubled(trouble);
  }

  function change(trouble: Trouble | null, reason?: string): void {
    if (trouble === state) return;
    state = trouble;
    if (trouble) log.error(reasons[trouble](variable), { directory, freeBytes: free, reason });
    else log.info("data can be stored again", { directory, freeBytes: free });
  }
}

/** Translates errors, and watches nothing: for commands that run for a moment, and for tests. */
export const unwatchedDisk: Disk = {
  trouble: () => null,
  reason: () => null,
  space: () => ({ bytes: Infinity, isLow: false }),
  refuseWhenTroubled: () => {},
  claim: () => {},
  watch: () => () => {},
  checkWritable: () => {},
  checkPlaces: () => {},
  releaseReserve: () => false,
  explain(error) {
    const trouble = troubleOf(error);
    return trouble ? troubled(trouble) : error;
  },
  close: async () => {},
};

/** Whether the file that is now at this path is still there. */
export function placeOf(path: string): () => boolean {
  const { ino, dev } = statSync(path);
  return () => {
    try {
      const current = statSync(path, { throwIfNoEntry: false });
      return current?.ino === ino && current.dev === dev;
    } catch {
      return false;
    }
  };
}

/** File systems without a fixed number of files report none. If nothing can be read, there is no limit. */
function readSpace(directory: string): { free: number; total: number; files: number } {
  try {
    const { bavail, bsize, blocks, files, ffree } = statfsSync(directory);
    return { free: bavail * bsize, total: blocks * bsize, files: files > 0 ? ffree : Infinity };
  } catch {
    return { free: Infinity, total: Infinity, files: Infinity };
  }
}
