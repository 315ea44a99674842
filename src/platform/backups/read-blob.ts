import { BackupError } from "./place.ts";
import { readAgain } from "./reading.ts";
import { blobName, type Repository } from "./repository.ts";

export type StateOfBlob = "whole" | "damaged" | "missing";

class DamagedError extends BackupError {}

/** Reads a file with `isWhole`, which may be called more than once. Fails with an `UnreadableError` if the bytes do not arrive. */
export async function readBlob(
  repository: Repository,
  sha256: string,
  isWhole: (bytes: ReadableStream<Uint8Array>) => Promise<boolean>,
): Promise<StateOfBlob> {
  try {
    return await readAgain(async () => {
      const bytes = await repository.place.open(blobName(repository, sha256));
      if (!bytes) return "missing";
      if (await isWhole(endAtDamage(repository, bytes))) return "whole";
      throw new DamagedError();
    });
  } catch (error) {
    if (error instanceof DamagedError) return "damaged";
    throw error;
  }
}

/** The bytes, which end where they cannot be decrypted, so that they have another hash. */
function endAtDamage({ sealing }: Repository, bytes: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  if (sealing.suffix === "") return bytes;
  const reading = sealing.unseal(bytes).then((stream) => stream.getReader());
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await (await reading).read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        if (error instanceof BackupError) controller.error(error);
        else controller.close();
      }
    },
  });
}
