import { collectAfterFiles, collectAfterWork } from "./collect-garbage.ts";

const lookEveryMs = 5000;
/** More processor time than this in such an interval is work that leaves much garbage. */
const busyMicroseconds = 500_000;

/**
 * Returns memory to the system when a busy time has ended, and after the start. `release` frees what else can be freed.
 */
export function releaseMemoryAfterWork(release: () => void): void {
  let before = process.cpuUsage();
  let wasBusy = true;
  const look = () => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    const isBusy = user + system > busyMicroseconds;
    if (wasBusy && !isBusy) {
      release();
      collectAfterWork();
    }
    wasBusy = isBusy;
  };
  setInterval(look, lookEveryMs).unref();
}

/** A file that need not be stored leaves about a quarter of the garbage of one that is. */
const knownFilesBetween = 2000;

/** Returns memory to the system while very many files are worked through. `release` frees what else can be freed. */
export function watchMemory(release: () => void, filesBetween = 500) {
  let next = 1;
  return {
    /** Called from time to time with how many files are stored by now, and how many were known. */
    releaseAfter(stored: number, known: number): void {
      const done = stored / filesBetween + known / knownFilesBetween;
      if (done < next) return;
      next = Math.floor(done) + 1;
      release();
      collectAfterFiles();
    },
  };
}
