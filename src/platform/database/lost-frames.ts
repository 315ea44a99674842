import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const headerSize = 32;
const frameHeaderSize = 24;
/** A commit is in the log a moment before it is in the index of the log. */
const settlesAfterMs = 100;

/** Commits at the end of the log that SQLite has not read, and when the log was last written. */
type LostFrames = { commits: number; writtenAt: number };

/**
 * Commits that are in the log of the database, but that SQLite ignores, because a frame before them is damaged. A power cut can
 * also leave such commits, if they were not flushed and so never acknowledged. A connection has read the database before.
 *
 * The log has one header and frames of one page each. SQLite reads them up to the first whose checksum is wrong, and writes
 * the number of those that it uses into the index (`-shm`). Later frames with the salt of the log were written to the same log.
 */
export async function findLostFrames(dataDir: string): Promise<LostFrames | null> {
  const [log, index] = ["vitrine.db-wal", "vitrine.db-shm"].map((name) => join(dataDir, name)) as [string, string];
  if (!existsSync(log) || !existsSync(index)) return null;
  const lost = countBehind(log, readUsed(index));
  if (!lost) return null;
  // A running server may have been writing.
  await setTimeout(settlesAfterMs);
  return countBehind(log, readUsed(index));
}

/** How many frames SQLite uses. */
const readUsed = (index: string): number => readFileSync(index).readUInt32LE(16);

/** Commits in frames after the first `used` ones. */
function countBehind(path: string, used: number): LostFrames | null {
  const file = openSync(path, "r");
  try {
    const { size, mtimeMs } = fstatSync(file);
    const header = Buffer.alloc(headerSize);
    if (readSync(file, header, 0, headerSize, 0) < headerSize) return null;
    const frameSize = frameHeaderSize + pageSizeOf(header);
    const frame = Buffer.alloc(frameHeaderSize);
    const readFrame = (number: number) => {
      readSync(file, frame, 0, frameHeaderSize, headerSize + number * frameSize);
      return { isCommit: frame.readUInt32BE(4) > 0, salt: frame.readBigUInt64BE(8) };
    };
    const frames = Math.floor((size - headerSize) / frameSize);
    if (frames <= used) return null;
    // The salt of the header may be what is damaged, if SQLite uses no frame at all.
    const salt = isWhole(header) ? header.readBigUInt64BE(16) : readFrame(0).salt;
    let commits = 0;
    for (let number = used; number < frames; number++) {
      const { isCommit, salt: its } = readFrame(number);
      if (isCommit && its === salt) commits++;
    }
    return commits > 0 ? { commits, writtenAt: mtimeMs } : null;
  } finally {
    closeSync(file);
  }
}

/** The usual size if the header is damaged. */
function pageSizeOf(header: Buffer): number {
  const size = header.readUInt32BE(8);
  return size >= 512 && size <= 65_536 && Number.isInteger(Math.log2(size)) ? size : 4096;
}

/** The checksum of SQLite over the first 24 bytes, in the order of bytes that the first number says. */
function isWhole(header: Buffer): boolean {
  const isBigEndian = header.readUInt32BE(0) === 0x377f0683;
  const read = (at: number) => (isBigEndian ? header.readUInt32BE(at) : header.readUInt32LE(at));
  let [one, two] = [0, 0];
  for (let at = 0; at < 24; at += 8) {
    one = (one + read(at) + two) >>> 0;
    two = (two + read(at + 4) + one) >>> 0;
  }
  return one === header.readUInt32BE(24) && two === header.readUInt32BE(28);
}
