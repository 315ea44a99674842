import { VitrineError } from "../../client/src/index.ts";
import { createSharedValue } from "./shared-value.ts";

/** Whether something is shown as this device has kept it, because the server could not be reached. */
const unreachable = createSharedValue(false);

export const isUnreachable = unreachable.read;
export const useIsUnreachable = unreachable.use;

type Options = { retry?: { attempts: number } };

/** What the server returns; without a connection, what this device has kept of it. */
export async function readOrKept<Result>(
  read: (options: Options) => Promise<Result>,
  findKept: () => Result | null,
): Promise<Result> {
  try {
    const found = await read(navigator.onLine ? {} : { retry: { attempts: 1 } });
    unreachable.change(false);
    return found;
  } catch (error) {
    const isCut = error instanceof VitrineError && error.status === 0;
    const kept = isCut ? findKept() : null;
    if (kept === null) throw error;
    unreachable.change(true);
    return kept;
  }
}
