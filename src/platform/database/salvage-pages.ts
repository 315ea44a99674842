import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";

/** The pages of a database file that may be damaged. They are only read. Pages are counted from 1. */
export type Pages = {
  size: number;
  /** Bytes of a page that are used; others are reserved for extensions. */
  usable: number;
  count: number;
  /** Null if it cannot be read. */
  read(number: number): Page | null;
  close(): void;
};

export type Page = { bytes: Uint8Array; view: DataView };

/** What SQLite creates if it is told nothing else. */
const usualSize = 4096;
const magic = "SQLite format 3\0";
/** So many pages are kept in memory. */
const cached = 4096;

/** Opens a database with its log, as the next start of SQLite would see them. Nothing is locked, written or recovered. */
export function openPages(path: string): Pages {
  const file = openSync(path, "r");
  const log = existsSync(`${path}-wal`) ? openSync(`${path}-wal`, "r") : null;
  const header = readAt(file, 0, 100);
  const isWhole = header !== null && Buffer.from(header.bytes.subarray(0, 16)).toString("latin1") === magic;
  const own = isWhole ? toSize(header.view.getUint16(16)) : null;
  const logged = log === null ? null : readLog(log);
  const size = own ?? logged?.size ?? usualSize;
  const places = logged?.size === size ? logged.places : new Map<number, number>();
  const usable = own === null ? size : size - (header?.bytes[20] ?? 0);
  const count = Math.max(Math.floor(fstatSync(file).size / size), ...places.keys());
  const kept = new Map<number, Page | null>();

  return {
    size,
    usable,
    count,
    read(number) {
      const known = kept.get(number);
      if (known !== undefined) return known;
      if (kept.size > cached) kept.clear();
      const place = places.get(number);
      const page =
        number < 1 || number > count
          ? null
          : place === undefined
            ? readAt(file, (number - 1) * size, size)
            : readAt(log as number, place, size);
      kept.set(number, page);
      return page;
    },
    close() {
      closeSync(file);
      if (log !== null) closeSync(log);
    },
  };
}

/** Null if a disk refuses to read it, or the file is shorter. */
function readAt(file: number, position: number, length: number): Page | null {
  const bytes = new Uint8Array(length);
  try {
    if (readSync(file, bytes, 0, length, position) < length) return null;
  } catch {
    return null;
  }
  return { bytes, view: new DataView(bytes.buffer) };
}

const toSize = (stored: number): number | null => {
  const size = stored === 1 ? 65_536 : stored;
  return size >= 512 && (size & (size - 1)) === 0 ? size : null;
};

const frameHeader = 24;
const logHeader = 32;

/**
 * Where the log has newer pages. It counts up to the last commit before the first frame whose checksum is wrong, as it does
 * for SQLite. Null if there is nothing in it.
 */
function readLog(log: number): { size: number; places: Map<number, number> } | null {
  const header = readAt(log, 0, logHeader);
  const size = header && toSize(header.view.getUint32(8));
  if (!header || !size) return null;
  const isLittle = header.view.getUint32(0) === 0x377f0682;
  let sums = addSums([0, 0], header.view, { from: 0, to: 24, isLittle });
  if (sums[0] !== header.view.getUint32(24) || sums[1] !== header.view.getUint32(28)) return null;
  const places = new Map<number, number>();
  let uncommitted = new Map<number, number>();
  for (let start = logHeader; ; start += frameHeader + size) {
    const frame = readAt(log, start, frameHeader + size);
    if (!frame || frame.view.getUint32(8) !== header.view.getUint32(16)) break;
    if (frame.view.getUint32(12) !== header.view.getUint32(20)) break;
    sums = addSums(sums, frame.view, { from: 0, to: 8, isLittle });
    sums = addSums(sums, frame.view, { from: frameHeader, to: frameHeader + size, isLittle });
    if (sums[0] !== frame.view.getUint32(16) || sums[1] !== frame.view.getUint32(20)) break;
    uncommitted.set(frame.view.getUint32(0), start + frameHeader);
    if (frame.view.getUint32(4) === 0) continue;
    for (const [number, place] of uncommitted) places.set(number, place);
    uncommitted = new Map();
  }
  return { size, places };
}

type Sums = [number, number];

function addSums([one, two]: Sums, view: DataView, part: { from: number; to: number; isLittle: boolean }): Sums {
  for (let at = part.from; at < part.to; at += 8) {
    one = (one + view.getUint32(at, part.isLittle) + two) >>> 0;
    two = (two + view.getUint32(at + 4, part.isLittle) + one) >>> 0;
  }
  return [one, two];
}
