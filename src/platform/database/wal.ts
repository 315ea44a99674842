import { fstatSync } from "node:fs";
import { open } from "node:fs/promises";

/** SQLite shortens a log to this many bytes when it begins anew. It usually begins anew after 4 MB. */
export const usualLogBytes = 16 * 2 ** 20;
/** A log of this size is named, and again when it has doubled. */
const largeLogBytes = 64 * 2 ** 20;

/**
 * Flushes SQLite's write-ahead log; any number of waiting commits share one flush. `check` throws if the next start would
 * not find what was flushed.
 */
export async function openWal(path: string, check: () => void) {
  const file = await open(path, "r+");
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let named = largeLogBytes / 2;

  function largeBytes(): number | null {
    const { size } = fstatSync(file.fd);
    return size < largeLogBytes ? null : size;
  }

  /** SQLite cannot begin anew during a very large transaction, or while another program reads: ours read no longer than one statement takes. */
  function warnWhenLarge(): void {
    const size = largeBytes();
    if (size === null) named = largeLogBytes / 2;
    if (size === null || size < 2 * named) return;
    named = size;
    console.error(
      `vitrine: the log of the database has grown to ${Math.round(size / 2 ** 20)} MB: by a very large change, or because another program keeps reading ${path.slice(0, -"-wal".length)}.`,
    );
  }

  async function start(): Promise<void> {
    try {
      await file.datasync();
    } catch (error) {
      // After a failed flush it is unknown what is on the disk, so no further write may be acknowledged.
      console.error(`vitrine: flushing data to the disk failed (${(error as Error).message}); stopping.`);
      process.exit(1);
    }
    running = null;
    warnWhenLarge();
    check();
  }

  return {
    /** Its size, if it is large. */
    largeBytes,
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
