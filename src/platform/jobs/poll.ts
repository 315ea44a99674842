import type { Database } from "../database/database.ts";
import { withoutSharedDeadline } from "../deadline.ts";

/** How old an idle copy's knowledge of what others have written may be: all its loops share one look. */
const idleLookMs = 5000;

type Polling = {
  /** Ends the wait before the next look. */
  wake(): void;
  /** When the last look has ended. */
  ended: Promise<void>;
};

type Options = {
  /** The wait between two looks. */
  everyMs: number;
  signal: AbortSignal;
  /** Called when a look fails. The next one comes all the same. */
  failed: (error: Error) => void;
};

/** To be called before `lastWrite` by a loop that has nothing to do unless something was written. */
export const noticeWrites = (db: Pick<Database, "fresh" | "isShared">): Promise<void> | null =>
  db.fresh(db.isShared ? idleLookMs : undefined);

/** Looks again and again whether there is something to do, until `signal` is aborted. */
export function poll(look: () => Promise<void>, { everyMs, signal, failed }: Options): Polling {
  let wake = () => {};
  signal.addEventListener("abort", () => wake());
  const ended = withoutSharedDeadline(async () => {
    while (!signal.aborted) {
      // Before the look, so that none is forgotten that comes meanwhile.
      const woken = Promise.withResolvers<void>();
      wake = woken.resolve;
      await look().catch(failed);
      if (signal.aborted) return;
      const timer = setTimeout(woken.resolve, everyMs);
      await woken.promise;
      clearTimeout(timer);
    }
  });
  return { wake: () => wake(), ended };
}
