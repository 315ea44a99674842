import { existsSync } from "node:fs";
import type { Config } from "../config.ts";
import { findNewestTime } from "../core/activity/store.ts";
import { peekDatabase } from "../engines.ts";
import { databaseFile } from "../platform/database-directory.ts";
import { findLostFrames } from "../platform/database/lost-frames.ts";
import { count } from "./doctor-finding.ts";

/**
 * Says which changes were in the log of SQLite, and are lost because the log is damaged; null if there are none. The first write
 * after a start overwrites them. How much is lost is known only by time: all that was written after the newest change that is left.
 */
export async function describeLostChanges(config: Config): Promise<string | null> {
  const file = databaseFile(config);
  const log = `${file}-wal`;
  if (config.database.engine !== "sqlite" || !existsSync(log) || !existsSync(file)) return null;
  const lost = await findLostFrames(log);
  if (!lost) return null;
  return peekDatabase(config, async (db) => {
    // Without the table, nobody knows the time.
    const found = await findNewestTime(db).catch(() => null);
    const newest = Number.isNaN(new Date(found ?? Number.NaN).getTime()) ? null : found;
    const since = newest === null ? "when the first was made is not known" : `they were made after ${iso(newest)}`;
    return `The log vitrine.db-wal is damaged, and up to ${count(lost.commits, "change")} at its end cannot be read: ${since}, and the last was written at ${iso(lost.writtenAt)}.`;
  });
}

const iso = (time: number) => new Date(time).toISOString();
