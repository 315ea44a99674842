import { readSync } from "node:fs";

/** Bytes of a file of SQLite. */
export type Page = { bytes: Uint8Array; view: DataView };

/** Null if a disk refuses to read it, or the file is shorter. */
export function readAt(file: number, position: number, length: number): Page | null {
  const bytes = new Uint8Array(length);
  try {
    if (readSync(file, bytes, 0, length, position) < length) return null;
  } catch {
    return null;
  }
  return { bytes, view: new DataView(bytes.buffer) };
}

export const toPageSize = (stored: number): number | null => {
  const size = stored === 1 ? 65_536 : stored;
  return size >= 512 && (size & (size - 1)) === 0 ? size : null;
};

export const frameHeaderBytes = 24;
export const logHeaderBytes = 32;

type LogHeader = { pageSize: number; salt: bigint; isLittle: boolean; sums: Sums };
/** A page in the log, counted from 0. `place` is where its bytes are. */
type Frame = { number: number; page: number; isCommit: boolean; place: number };

/** The header of a log (`-wal`) of SQLite; null if it is damaged. */
export function readLogHeader(log: number): LogHeader | null {
  const header = readAt(log, 0, logHeaderBytes);
  const pageSize = header && toPageSize(header.view.getUint32(8));
  if (!header || !pageSize) return null;
  const isLittle = header.view.getUint32(0) === 0x377f0682;
  const sums = addSums([0, 0], header.view, { from: 0, to: 24, isLittle });
  if (sums[0] !== header.view.getUint32(24) || sums[1] !== header.view.getUint32(28)) return null;
  return { pageSize, salt: header.view.getBigUint64(16), isLittle, sums };
}

/** The frames up to the first whose checksum is wrong, as SQLite reads them. Each checksum is also over those before it. */
export function* readFrames(log: number, { pageSize, salt, isLittle, ...header }: LogHeader): Generator<Frame> {
  let { sums } = header;
  for (let number = 0; ; number++) {
    const start = logHeaderBytes + number * (frameHeaderBytes + pageSize);
    const frame = readAt(log, start, frameHeaderBytes + pageSize);
    if (!frame || frame.view.getBigUint64(8) !== salt) return;
    sums = addSums(sums, frame.view, { from: 0, to: 8, isLittle });
    sums = addSums(sums, frame.view, { from: frameHeaderBytes, to: frameHeaderBytes + pageSize, isLittle });
    if (sums[0] !== frame.view.getUint32(16) || sums[1] !== frame.view.getUint32(20)) return;
    const isCommit = frame.view.getUint32(4) > 0;
    yield { number, page: frame.view.getUint32(0), isCommit, place: start + frameHeaderBytes };
  }
}

type Sums = [number, number];

function addSums([one, two]: Sums, view: DataView, part: { from: number; to: number; isLittle: boolean }): Sums {
  for (let at = part.from; at < part.to; at += 8) {
    one = (one + view.getUint32(at, part.isLittle) + two) >>> 0;
    two = (two + view.getUint32(at + 4, part.isLittle) + one) >>> 0;
  }
  return [one, two];
}
