import { missing } from "../errors.ts";
import { createHasher } from "../hash.ts";
import type { Blobs } from "./blobs.ts";

/** `missing`: no such blob. `damaged`: a blob of another size, or with other bytes. */
type Fault = "missing" | "damaged";
export const faults: Fault[] = ["missing", "damaged"];

/**
 * The same blob store, which reports what it could not return. A stream of a whole blob is hashed as it is read, and
 * fails at the end if the bytes are others. A local file is only compared by its size: its bytes do not pass through the
 * program when they are sent.
 */
export function reportDamage(blobs: Blobs, report: (sha256: string, fault: Fault) => void): Blobs {
  return {
    ...blobs,

    async open(sha256, range, size) {
      const bytes = await blobs.open(sha256, range, size);
      if (!bytes && size !== undefined) report(sha256, (await blobs.has(sha256)) ? "damaged" : "missing");
      if (!(bytes instanceof ReadableStream) || range || size === undefined) return bytes;
      return verified(bytes, sha256, () => report(sha256, "damaged"));
    },

    async withLocalFile(sha256, work) {
      const result = await blobs.withLocalFile(sha256, work);
      // If it does not exist, it may have been removed in the meantime.
      if (result === null && (await blobs.has(sha256))) report(sha256, "damaged");
      return result;
    },
  };
}

/** The runtime resets the connection when a stream fails, so the client does not take the bytes for the whole file. */
function verified(bytes: ReadableStream<Uint8Array>, sha256: string, damaged: () => void): ReadableStream<Uint8Array> {
  const reader = bytes.getReader();
  const hasher = createHasher("sha256");
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (!done) {
          hasher.update(value);
          return controller.enqueue(value);
        }
        if (hasher.digest("hex") === sha256) return controller.close();
        damaged();
        controller.error(missing("content: its bytes are damaged in the storage"));
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
