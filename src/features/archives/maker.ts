import { receiveIncoming } from "../../core/storage/incoming.ts";
import { noReservation } from "../../core/storage/reservation.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Database } from "../../platform/database/database.ts";
import { withoutSharedDeadline } from "../../platform/deadline.ts";
import type { Log } from "../../platform/log.ts";
import { doneWithWarnings, streamOwnCommand } from "../../platform/own-command.ts";
import { findWaiting, settleArchive } from "./store.ts";

type Deps = { db: Database; blobs: Blobs; dataDir: string; log: Log; stopping: AbortSignal };

const name = "archives of people";

/** Makes archives one after the other, by the command line of this program in a process of its own. */
export function createMaker({ db, blobs, dataDir, log, stopping }: Deps) {
  let running: Promise<void> = Promise.resolve();
  const run = () =>
    db
      .runExclusively(name, makeAll)
      .catch((error: unknown) => log.error("archive failed", { stack: (error as Error).stack }));
  return {
    makeAll,
    start(): void {
      running = withoutSharedDeadline(() => running.then(run));
    },
    close: (): Promise<void> => running,
  };

  async function makeAll(): Promise<void> {
    while (!stopping.aborted) {
      const next = await findWaiting(db);
      if (!next) return;
      await make(next);
    }
  }

  /** The bytes go from the command to the storage. If the server is stopped, it is made again later. */
  async function make(wanted: { userID: number; username: string; at: number }): Promise<void> {
    const words = ["export", "-", `--owner=${wanted.username}`, "--data", dataDir];
    const { stdout, ended } = streamOwnCommand(words, stopping);
    try {
      await using incoming = await receiveIncoming(db, blobs, { stream: stdout }, noReservation);
      const { code, stderr } = await ended;
      if (stopping.aborted) return;
      // With warnings, the index in the archive lists what the site has lost.
      if (code !== 0 && code !== doneWithWarnings) throw new Error(stderr.trim());
      const { sha256, size } = incoming;
      await incoming.store((tx) => settleArchive(tx, wanted, { sha256, size }));
    } catch (error) {
      if (stopping.aborted) return;
      log.error("archive failed", { user: wanted.userID, stack: (error as Error).stack });
      const reason = "The server could not make it: its log says why. Try again later.";
      await db.transaction((tx) => settleArchive(tx, wanted, { error: reason }));
    }
  }
}
