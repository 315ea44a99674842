import { fstatSync } from "node:fs";
import { open } from "node:fs/promises";

/**
 * Flushes SQLite's write-ahead log; any number of waiting commits share one flush. `check` throws if the next start would
 * not find what was flushed.
 */
export async function openWal(path: string, check: () => void) {
  const file = await open(path, "r+");
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  async function start(): Promise<void> {
    try {
      await file.datasync();
    } catch (error) {
      // After a failed flush it is unknown what is on the disk, so no further write may be acknowledged.
      console.error(`vitrine: flushing data to the disk failed (${(error as Error).message}); stopping.`);
      process.exit(1);
    }
    running = null;
    check();
  }

  return {
    /** Whether the file has not been removed. Writing to it succeeds also afterwards. */
    isLinked: () => fstatSync(file.fd).nlink > 0,
    /** Resolves when everything committed before the call is on the disk. */
    flush(): Promise<void> {
      if (!running) return (running = start());
      // The running flush may have started before this commit: wait for the next one.
      const startNext = () => {
        next = null;
        return (running = start());
      };
      return (next ??= running.then(startNext, startNext));
    },
    async close(): Promise<void> {
      await Promise.allSettled([next, running]);
      await file.close();
    },
  };
}
