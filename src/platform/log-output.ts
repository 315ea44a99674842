import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";

export type Output = {
  /** Returns false, and writes nothing, if too much is still waiting for a slow reader. Never blocks on a pipe. */
  write(text: string): boolean;
  /** Writes what is waiting, for at most two seconds. For the end of the process. */
  close(): void;
};

const maxWaiting = 4_000_000;
const retryMs = 100;
const closeMs = 2000;
const empty = Buffer.alloc(0);

/** A server must not stop because the reader of its log is slow or has ended. */
export function openOutput(descriptor: number): Output {
  const file = withoutBlocking(descriptor);
  let waiting: Uint8Array = empty;
  let timer: ReturnType<typeof setTimeout> | null = null;

  return {
    write(text) {
      if (waiting.length > maxWaiting) return false;
      const bytes = Buffer.from(text);
      waiting = waiting.length > 0 ? Buffer.concat([waiting, bytes]) : bytes;
      drain();
      return true;
    },
    close() {
      const end = performance.now() + closeMs;
      for (drain(); waiting.length > 0 && performance.now() < end; drain()) Bun.sleepSync(10);
      if (timer) clearTimeout(timer);
      if (file !== descriptor) closeSync(file);
    },
  };

  function drain(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    try {
      while (waiting.length > 0) waiting = waiting.subarray(writeSync(file, waiting));
    } catch (error) {
      // The reader is slow, or it has ended and there is nothing to write to.
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") timer = setTimeout(drain, retryMs);
      else waiting = empty;
    }
  }
}

/**
 * The same pipe, opened again: to change the descriptor itself would also change it for the processes that share it.
 * Linux can do this; elsewhere, and for what is not a pipe, it is the descriptor itself.
 */
function withoutBlocking(descriptor: number): number {
  if (process.platform !== "linux" || !fstatSync(descriptor).isFIFO()) return descriptor;
  try {
    return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return descriptor;
  }
}
