import type { Database, Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import type { ItemOutcome } from "./import.ts";
import type { Source } from "./lines.ts";

const saveEveryMs = 1000;

/** `bytes` were stored; `seenBytes` is how much of the source is done. */
export type Progress = Record<ItemOutcome | "items" | "bytes" | "seenBytes", number>;
/** How far the reading of a source has come, in the import that has been stored. Nobody may know how much there is. */
type StoredProgress = Progress & {
  totalBytes: number | null;
  totalItems: number | null;
  /** How long it was read, without interruptions. */
  workedMs: number;
};

export const noProgress = { added: 0, known: 0, changed: 0, refused: 0, noted: 0, items: 0, bytes: 0, seenBytes: 0 };
const none: StoredProgress = { ...noProgress, totalBytes: null, totalItems: null, workedMs: 0 };

export const parseProgress = (text: string | null): StoredProgress =>
  text === null ? none : { ...none, ...(JSON.parse(text) as Partial<StoredProgress>) };

/**
 * Saves the progress of an import from time to time. One that is continued counts again what was done before, so nothing is
 * saved until it has come further. `advanced` is called in the transaction that has saved something new.
 */
export function createProgressKeeper(db: Database, totals: Totals, advanced?: (tx: Queries) => Promise<void>) {
  const started = Date.now();
  let before: StoredProgress | null = null;
  let next = 0;

  /** What was counted at the end holds, whatever was counted before. */
  return async (id: number, done: Progress, isEnd: boolean): Promise<void> => {
    if (Date.now() < next && !isEnd) return;
    next = Date.now() + saveEveryMs;
    const read = () => db.get<{ progress: string | null }>(sql`SELECT progress FROM imports WHERE id = ${id}`);
    before ??= parseProgress((await read())?.progress ?? null);
    if (isEnd || done.items >= before.items) await db.transaction((tx) => save(tx, id, done));
  };

  async function save(tx: Queries, id: number, done: Progress): Promise<void> {
    const { items, bytes, workedMs } = before ?? none;
    const ofAll = { totalItems: totals.items, totalBytes: totals.bytes };
    const now = { bytes: bytes + done.bytes, workedMs: workedMs + Date.now() - started };
    const stored: StoredProgress = { ...done, ...ofAll, ...now };
    await tx.run(sql`UPDATE imports SET progress = ${JSON.stringify(stored)} WHERE id = ${id}`);
    if (done.items > items) await advanced?.(tx);
  }
}

export type Totals = Pick<Source["totals"], "items" | "bytes">;

/** An item takes about as long as this many bytes do: one without a file takes time, too. */
const bytesPerItem = 2 ** 15;

export function secondsLeft(progress: Omit<StoredProgress, ItemOutcome | "bytes">): number | null {
  const { items, seenBytes, totalBytes, totalItems, workedMs } = progress;
  if (totalBytes === null && totalItems === null) return null;
  const done = seenBytes + (totalItems === null ? 0 : items * bytesPerItem);
  const all = (totalBytes ?? 0) + (totalItems ?? 0) * bytesPerItem;
  return done === 0 ? null : Math.ceil((workedMs / 1000) * (Math.max(0, all - done) / done));
}

export const bytesPerSecond = ({ bytes, workedMs }: StoredProgress): number | null =>
  workedMs === 0 ? null : Math.round(bytes / (workedMs / 1000));
