import { findNewestTime } from "../activity/store.ts";
import type { Database, Reader } from "../../platform/database/database.ts";
import { readSetting, removeSetting, writeSetting } from "../../platform/database/settings.ts";
import type { Log } from "../../platform/log.ts";

const hour = 3_600_000;
const day = 24 * hour;
/** A site that was switched off for longer than this looks like one whose clock is wrong. */
const longestPause = 7 * day;

const lastRun = "last-run";
const held = "deletions-held";

/**
 * For the start: if the clock is far ahead of the last time at which the site ran, or behind it, nothing is deleted because of its
 * age. A wrong clock would otherwise empty the trash.
 */
export async function checkClock(db: Database, log: Log, now = Date.now()): Promise<void> {
  const last = (await readTime(db, lastRun)) ?? (await findNewestTime(db));
  if (last !== null && (now - last > longestPause || last - now > hour)) await writeSetting(db, held, String(now));
  if (!(await areDeletionsHeld(db))) return;
  const since = last === null ? "" : ` The site last ran at ${new Date(last).toISOString()}.`;
  log.warn(
    `Is the clock right? It says ${new Date(now).toISOString()}.${since} Nothing is deleted because of its age until the server has run for a day, or until you run "vitrine confirm clock".`,
  );
}

export const areDeletionsHeld = async (db: Reader): Promise<boolean> => (await readSetting(db, held)) !== null;

/** For a job: the server has run for this long. */
export async function noteRun(db: Database, milliseconds: number): Promise<void> {
  if (await areDeletionsHeld(db)) {
    if (milliseconds < day) return;
    await removeSetting(db, held);
  }
  await writeSetting(db, lastRun, String(Date.now()));
}

/** Somebody has looked at the clock. */
export async function confirmClock(db: Database): Promise<void> {
  await removeSetting(db, held);
  await writeSetting(db, lastRun, String(Date.now()));
}

async function readTime(db: Reader, name: string): Promise<number | null> {
  const value = await readSetting(db, name);
  return value === null ? null : Number(value);
}
