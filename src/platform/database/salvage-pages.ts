import { closeSync, existsSync, fstatSync, openSync } from "node:fs";
import { type Page, readAt, readFrames, readLogHeader, toPageSize } from "./log-frames.ts";

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
  const own = isWhole ? toPageSize(header.view.getUint16(16)) : null;
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

/**
 * Where the log has newer pages. It counts up to the last commit before the first frame whose checksum is wrong, as it does
 * for SQLite. Null if there is nothing in it.
 */
function readLog(log: number): { size: number; places: Map<number, number> } | null {
  const header = readLogHeader(log);
  if (!header) return null;
  const places = new Map<number, number>();
  let uncommitted = new Map<number, number>();
  for (const { page, place, isCommit } of readFrames(log, header)) {
    uncommitted.set(page, place);
    if (!isCommit) continue;
    for (const [number, at] of uncommitted) places.set(number, at);
    uncommitted = new Map();
  }
  return { size: header.pageSize, places };
}
