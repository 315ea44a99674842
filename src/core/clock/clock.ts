import { findNewestTime } from "../activity/store.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { databaseTime } from "../../platform/database/leases.ts";
import {
  readSetting,
  removeUnchanged,
  dropSetting,
  storeSetting,
  writeSetting,
} from "../../platform/database/settings.ts";
import { sql } from "../../platform/database/sql.ts";
import type { Log } from "../../platform/log.ts";
import { type Clocks, machineClocks, type Times } from "./machine-clocks.ts";

const hour = 3_600_000;
const day = 24 * hour;
/** A site that was switched off for longer than this looks like one whose clock is wrong. */
const longestPause = 7 * day;

const lastRun = "last-run";
/** Since when, and why. */
const held = "deletions-held";
/** The newest change when somebody confirmed the clock. It may be in the future. */
const confirmed = "clock-confirmed";

/**
 * Finds out whether the clock of the machine can be right. If not, nothing is deleted because of its age: a wrong clock would
 * otherwise empty the trash. This ends after a day, if the clock then fits what is stored, or when somebody confirms the clock.
 * The hold is in the database, so all copies of the program keep it.
 */
export type ClockWatch = {
  /** For the start: the clock may be far ahead of the last time at which the site ran, or behind it. */
  checkStart(): Promise<void>;
  /** Before anything is deleted because of its age: the clock may have been set while the server was running. */
  areDeletionsHeld(): Promise<boolean>;
  /** For a job. Ends a hold that this process has known for a day. */
  noteRun(): Promise<void>;
};

/** `readShared` reads a clock that all copies share; null if there is none. */
export function watchClock(
  db: Database,
  log: Log,
  clocks: Clocks = machineClocks(),
  readShared: (db: Database) => Promise<number | null> = readDatabaseClock,
): ClockWatch {
  let last = clocks.read();
  let known = { hold: "", since: last.steady };
  let checking: Promise<void> | null = null;

  return {
    async checkStart() {
      const now = clocks.read();
      const before = await readLastRun(db);
      const isKnown = before !== null && isSameBoot(before, now);
      const why = (await findDisagreement(now)) ?? describePause(before, now, isKnown ? hour : longestPause);
      if (why) await hold(now, why);
      await readHold();
    },
    async areDeletionsHeld() {
      await check();
      return (await readHold()) !== null;
    },
    async noteRun() {
      await check();
      const found = await readHold();
      const now = clocks.read();
      if (found !== null) {
        if (now.steady - found.since < day) return;
        if ((await findDisagreement(now)) || describePause(await readLastRun(db), now, longestPause)) return;
        await removeUnchanged(db, held, found.hold);
      }
      await writeSetting(db, lastRun, printTimes(now));
    },
  };

  /** Many jobs ask at the same moment. */
  function check(): Promise<void> {
    return (checking ??= checkNow().finally(() => (checking = null)));
  }

  /** Compares how far both clocks have gone on, and what each of several jumps adds counts, too. */
  async function checkNow(): Promise<void> {
    const now = clocks.read();
    const jump = now.wall - last.wall - (now.steady - last.steady);
    if (Math.abs(jump) > hour) {
      await hold(now, `It has jumped ${toHours(jump)} ${jump > 0 ? "ahead" : "back"} while the server was running.`);
      last = now;
    } else if (!(await areDeletionsHeld(db))) {
      const why = await findDisagreement(now);
      if (why) await hold(now, why);
    }
  }

  /** What says that the clock of this machine is wrong, or was wrong, or that of another copy is. */
  async function findDisagreement({ wall }: Times): Promise<string | null> {
    const newest = await findNewestKnown(db);
    if (newest - wall > hour) return `It is behind what is stored, which was last changed at ${toText(newest)}.`;
    const ahead = wall - ((await readShared(db)) ?? wall);
    if (Math.abs(ahead) <= hour) return null;
    return `It is ${toHours(ahead)} ${ahead > 0 ? "ahead of" : "behind"} that of the database server.`;
  }

  function hold({ wall }: Times, why: string): Promise<void> {
    return writeSetting(db, held, `${toText(wall)}. ${why}`);
  }

  /** Every copy logs what one of them has found. */
  async function readHold(): Promise<{ hold: string; since: number } | null> {
    const hold = await findHold(db);
    if (hold === null) return null;
    if (known.hold !== hold) {
      known = { hold, since: clocks.read().steady };
      log.warn(`Is the clock right? It says ${hold} ${consequence}`);
    }
    return known;
  }
}

const consequence =
  'Nothing is deleted because of its age for a day, and for longer if the clock then does not fit what is stored. If it is right, press "The clock is right" in the studio, or run "vitrine confirm clock".';

/** How much longer than `limit` the site seems not to have run; as long as the machine runs, its steady clock knows better. */
function describePause(before: Times | null, now: Times, limit: number): string | null {
  if (before === null) return null;
  const pause = now.wall - before.wall - (isSameBoot(before, now) ? now.steady - before.steady : 0);
  return Math.abs(pause) > limit ? `The site last ran at ${toText(before.wall)}.` : null;
}

const isSameBoot = (before: Times, now: Times): boolean =>
  before.boot !== "" && before.boot === now.boot && before.steady <= now.steady;

/** Since when and why deletions are held because the clock may be wrong; null if they are not. */
export const findHold = (db: Reader): Promise<string | null> => readSetting(db, held);

/** Whether a server has found that the clock may be wrong. */
export const areDeletionsHeld = async (db: Reader): Promise<boolean> => (await findHold(db)) !== null;

/** Somebody has looked at the clock. */
export async function confirmClock(tx: Queries, now = machineClocks().read()): Promise<void> {
  await dropSetting(tx, held);
  await storeSetting(tx, lastRun, printTimes(now));
  await storeSetting(tx, confirmed, String((await findNewestTime(tx)) ?? 0));
}

/** The newest time that is stored. Those from before the clock was confirmed do not count. */
async function findNewestKnown(db: Reader): Promise<number> {
  const newest = (await findNewestTime(db)) ?? 0;
  const isConfirmed = newest <= Number(await readSetting(db, confirmed));
  return Math.max(isConfirmed ? 0 : newest, (await readLastRun(db))?.wall ?? 0);
}

async function readDatabaseClock(db: Database): Promise<number | null> {
  if (!db.isShared) return null;
  return (await db.get<{ time: number }>(sql`SELECT ${databaseTime} AS time`))?.time ?? null;
}

/** Without one, a site that was just restored has its newest change. */
async function readLastRun(db: Reader): Promise<Times | null> {
  const value = await readSetting(db, lastRun);
  if (value === null) {
    const newest = await findNewestTime(db);
    return newest === null ? null : { wall: newest, steady: 0, boot: "" };
  }
  const [wall, steady = 0, boot = ""] = value.split(" ");
  return { wall: Number(wall), steady: Number(steady), boot };
}

const printTimes = ({ wall, steady, boot }: Times): string => `${wall} ${steady} ${boot}`;
const toText = (time: number): string => new Date(time).toISOString();
const toHours = (ms: number): string => `${Math.round(Math.abs(ms) / hour)} hours`;
