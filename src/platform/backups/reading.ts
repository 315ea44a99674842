import { BackupError, type Place, UnreadableError } from "./place.ts";

const tries = 3;
const pauseMs = 200;

/** Reads up to three times what could not be read, or seems to be damaged: it may have been cut on its way. */
export async function readAgain<Result>(read: () => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried++) {
    try {
      return await read();
    } catch (error) {
      if (tried === tries || !(error instanceof BackupError)) throw error;
      if (error instanceof UnreadableError) await Bun.sleep(pauseMs * 2 ** tried * Math.random());
    }
  }
}

/** The same bytes, of a place with this name: what fails while they are read is no damage. */
export function explainFailures(bytes: ReadableStream<Uint8Array>, place: string): ReadableStream<Uint8Array> {
  const reader = bytes.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(unreadable(place, error));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

export function unreadable(place: string, error: unknown): UnreadableError {
  const { message, cause } = error as Error;
  const reason = cause instanceof Error ? cause.message : message;
  return new UnreadableError(`The backups in ${place} could not be read (${reason}): try again.`);
}

/** A small file; null if there is none. */
export const readBytes = (place: Place, name: string): Promise<Uint8Array | null> =>
  readAgain(async () => {
    const bytes = await place.open(name);
    return bytes && new Uint8Array(await new Response(bytes).arrayBuffer());
  });
