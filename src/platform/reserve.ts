import { closeSync, constants, openSync, statSync, truncateSync } from "node:fs";
import { open } from "node:fs/promises";

const bytesAtOnce = 2 ** 20;

/** A file that only takes up space, until that is needed. */
export type Reserve = {
  /** How many bytes it has. */
  size(): number;
  /** Frees the space; false if there was none. */
  release(): boolean;
  /** Takes up the space again. Returns false if it was released meanwhile; rejects if there is not enough. */
  fill(): Promise<boolean>;
};

/** The file always exists, and is empty while its space is released. */
export function openReserve(path: string, wanted: number): Reserve {
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch {
    // A disk that is full may not have space for a name. Filling it fails, until it has.
  }
  let { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 };
  // While it is being filled, it can be released: what is written then is removed, too.
  let releases = 0;

  function release(): boolean {
    const had = size > 0;
    size = 0;
    releases++;
    try {
      truncateSync(path, 0);
    } catch {
      // Without the file there is nothing to free.
    }
    return had;
  }

  return {
    size: () => size,
    release,
    async fill() {
      if (size > wanted) release();
      const begun = releases;
      const isReleased = () => releases !== begun;
      const file = await open(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
      const bytes = new Uint8Array(Math.min(bytesAtOnce, wanted));
      try {
        // Random bytes, because file systems compress or share others, and then the space is not theirs to give back.
        while (size < wanted && !isReleased()) {
          const length = Math.min(bytes.length, wanted - size);
          const { bytesWritten } = await file.write(crypto.getRandomValues(bytes), 0, length, size);
          if (!isReleased()) size += bytesWritten;
        }
        if (!isReleased()) return true;
        await file.truncate(0);
        return false;
      } catch (error) {
        release();
        throw error;
      } finally {
        await file.close();
      }
    },
  };
}
