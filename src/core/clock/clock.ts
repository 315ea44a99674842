import { findNewestTime } from "../activity/store.ts";
import type { Database, Reader } from "../../platform/database/database.ts";
import { readSetting, removeSetting, removeUnchanged, writeSetting } from "../../platform/database/settings.ts";
import type { Log } from "../../platform/log.ts";
import { type Clocks, machineClocks } from "./machine-clocks.ts";

const hour = 3_600_000;
const day = 24 * hour;
/** A site that was switched off for longer than this looks like one whose clock is wrong. */
const longestPause = 7 * day;

const lastRun = "last-run";
const held = "deletions-held";

/**
 * Finds out whether the clock of the machine can be right. If not, nothing is deleted because of its age for a day: a wrong
 * clock would otherwise empty the trash. The hold is in the database, so all copies of the program keep it.
 */
export type ClockWatch = {
  /** For the start: the clock may be far ahead of the last time at which the site ran, or behind it. */
  checkStart(): Promise<void>;
  /** Before anything is deleted because of its age: the clock may have been set while the server was running. */
  areDeletionsHeld(): Promise<boolean>;
  /** For a job. Ends a hold that this process has known for a day. */
  noteRun(): Promise<void>;
};

export function watchClock(db: Database, log: Log, clocks: Clocks = machineClocks()): ClockWatch {
  let last = clocks.read();
  let known = { hold: "", since: last.steady };

  return {
    async checkStart() {
      const now = clocks.read().wall;
      const ran = (await readTime(db, lastRun)) ?? (await findNewestTime(db));
      if (ran !== null && (now - ran > longestPause || ran - now > hour)) await writeSetting(db, held, String(now));
      if ((await findHold()) === null) return;
      warn(now, ran === null ? "" : ` The site last ran at ${toText(ran)}.`, "until the server has run for a day");
    },
    async areDeletionsHeld() {
      await checkJump();
      return (await findHold()) !== null;
    },
    async noteRun() {
      await checkJump();
      const hold = await findHold();
      if (hold !== null) {
        if (clocks.read().steady - hold.since < day) return;
        await removeUnchanged(db, held, hold.hold);
      }
      await writeSetting(db, lastRun, String(clocks.read().wall));
    },
  };

  /** Compares how far both clocks have gone on. What each of several jumps adds counts, too. */
  async function checkJump(): Promise<void> {
    const [before, now] = [last, clocks.read()];
    const jump = now.wall - before.wall - (now.steady - before.steady);
    if (Math.abs(jump) <= hour) return;
    await writeSetting(db, held, String(now.wall));
    // Two jobs may find the same jump.
    if (last !== before) return;
    last = now;
    const hours = `${Math.round(Math.abs(jump) / hour)} hours ${jump > 0 ? "ahead" : "back"}`;
    warn(now.wall, ` It has jumped ${hours} while the server was running.`, "for a day");
  }

  async function findHold(): Promise<{ hold: string; since: number } | null> {
    const hold = await readSetting(db, held);
    if (hold === null) return null;
    if (known.hold !== hold) known = { hold, since: clocks.read().steady };
    return known;
  }

  function warn(now: number, why: string, until: string): void {
    log.warn(
      `Is the clock right? It says ${toText(now)}.${why} Nothing is deleted because of its age ${until}, or until you run "vitrine confirm clock".`,
    );
  }
}

/** Whether a server has found that the clock may be wrong. */
export const areDeletionsHeld = async (db: Reader): Promise<boolean> => (await readSetting(db, held)) !== null;

/** Somebody has looked at the clock. */
export async function confirmClock(db: Database): Promise<void> {
  await removeSetting(db, held);
  await writeSetting(db, lastRun, String(Date.now()));
}

const toText = (time: number): string => new Date(time).toISOString();

async function readTime(db: Reader, name: string): Promise<number | null> {
  const value = await readSetting(db, name);
  return value === null ? null : Number(value);
}
