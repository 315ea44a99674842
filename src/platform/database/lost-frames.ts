import { closeSync, existsSync, fstatSync, openSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { frameHeaderBytes, logHeaderBytes, readAt, readFrames, readLogHeader, toPageSize } from "./log-frames.ts";

/** A frame of a running server may be half written. */
const settlesAfterMs = 100;
const usualPageSize = 4096;

/** Commits at the end of the log that SQLite has not read, and when the log was last written. */
type LostFrames = { commits: number; writtenAt: number };

/**
 * Commits that are in the log of the database, but that SQLite ignores, because a frame before them is damaged. A power cut can
 * also leave such commits, if they were not flushed and so never acknowledged.
 *
 * The log has one header and frames of one page each. SQLite reads them up to the first whose checksum is wrong. Later frames
 * with the salt of the log were written to the same log.
 *
 * Only the log is read. SQLite holds POSIX locks on the database and on the index of the log (`-shm`), and a process loses all
 * its locks on a file when it closes that file anywhere: the next program would then take the index for an old one, truncate it,
 * and crash this one (SIGBUS). It locks nothing in the log.
 */
export async function findLostFrames(log: string): Promise<LostFrames | null> {
  const found = existsSync(log) ? findBehind(log) : null;
  if (!found) return null;
  await setTimeout(settlesAfterMs);
  const again = findBehind(log);
  const isSame = again !== null && again.salt === found.salt && again.used === found.used;
  return isSame ? again : null;
}

/** Commits after the first `used` frames. */
function findBehind(path: string): (LostFrames & { used: number; salt: bigint }) | null {
  const log = openSync(path, "r");
  try {
    const { size, mtimeMs } = fstatSync(log);
    const start = readAt(log, 0, logHeaderBytes + frameHeaderBytes);
    if (!start) return null;
    const header = readLogHeader(log);
    const used = header ? countUsed(log, header) : 0;
    const frameBytes = frameHeaderBytes + (header?.pageSize ?? toPageSize(start.view.getUint32(8)) ?? usualPageSize);
    // The salt of the header may be what is damaged.
    const salt = header?.salt ?? start.view.getBigUint64(logHeaderBytes + 8);
    let commits = 0;
    for (let place = logHeaderBytes + used * frameBytes; place + frameBytes <= size; place += frameBytes) {
      const frame = readAt(log, place, frameHeaderBytes);
      if (frame && frame.view.getUint32(4) > 0 && frame.view.getBigUint64(8) === salt) commits++;
    }
    return commits > 0 ? { commits, writtenAt: mtimeMs, used, salt } : null;
  } finally {
    closeSync(log);
  }
}

/** How many frames SQLite uses: those up to the last commit that it can read. */
function countUsed(...log: Parameters<typeof readFrames>): number {
  let used = 0;
  for (const { number, isCommit } of readFrames(...log)) if (isCommit) used = number + 1;
  return used;
}
