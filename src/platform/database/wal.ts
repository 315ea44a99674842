import { open } from "node:fs/promises";

/** Flushes SQLite's write-ahead log: any number of waiting commits share one flush. */
export async function openWal(path: string) {
  const file = await open(path, "r+");
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  async function start(): Promise<void> {
    try {
      await file.datasync();
    } catch (error) {
      // After a failed flush nobody knows what is on the disk: going on would promise what cannot be kept.
      console.error(`vitrine: the disk did not take the data (${(error as Error).message}); stopping.`);
      process.exit(1);
    }
    running = null;
  }

  return {
    /** Resolves when everything committed before the call is on the disk. */
    flush(): Promise<void> {
      if (!running) return (running = start());
      // The running flush may have begun before this commit: wait for the one after it.
      next ??= running.then(() => {
        next = null;
        return (running = start());
      });
      return next;
    },
    async close(): Promise<void> {
      await next;
      await running;
      await file.close();
    },
  };
}
