import { z } from "zod";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import type { ItemOutcome } from "./import.ts";
import type { LineSource } from "./lines.ts";

const saveEveryMs = 1000;
const count = z.number().catch(0);

/** `bytes` were stored; `seenBytes` is how much of the source is done. */
export type Progress = Record<ItemOutcome, number> & { items: number; bytes: number; seenBytes: number };

/** How far the reading of a source has come, in the import that has been stored. */
const storedSchema = z.object({
  added: count,
  known: count,
  changed: count,
  refused: count,
  noted: count,
  items: count,
  bytes: count,
  seenBytes: count,
  /** Null if nobody knows how much there is. */
  totalBytes: z.number().nullable().catch(null),
  totalItems: z.number().nullable().catch(null),
  /** How long it was read, without interruptions. */
  workedMs: count,
});
type StoredProgress = z.output<typeof storedSchema>;

const none = storedSchema.parse({});

export const parseProgress = (text: string | null): StoredProgress =>
  text === null ? none : storedSchema.parse(JSON.parse(text));

/**
 * Saves the progress of an import from time to time. One that is continued counts again what was done before, so nothing is
 * saved until it has come further. `advanced` is called in the transaction that has saved something new.
 */
export function createProgressKeeper(db: Database, total: () => Totals, advanced?: (tx: Queries) => Promise<void>) {
  const started = Date.now();
  let before: StoredProgress | null = null;
  let next = 0;

  /** What was counted at the end holds, whatever was counted before. */
  return async (id: number, done: Progress, isEnd: boolean): Promise<void> => {
    if (Date.now() < next && !isEnd) return;
    next = Date.now() + saveEveryMs;
    before ??= await readProgress(db, id);
    if (isEnd || done.items >= before.items) await db.transaction((tx) => save(tx, id, done));
  };

  async function save(tx: Queries, id: number, done: Progress): Promise<void> {
    const { bytes = 0, workedMs = 0 } = before ?? {};
    const { items: totalItems, bytes: totalBytes } = total();
    const stored: StoredProgress = {
      ...storedSchema.parse(done),
      bytes: bytes + done.bytes,
      totalItems,
      totalBytes,
      workedMs: workedMs + Date.now() - started,
    };
    await tx.run(sql`UPDATE imports SET progress = ${JSON.stringify(stored)} WHERE id = ${id}`);
    if (done.items > (before?.items ?? 0)) await advanced?.(tx);
  }
}

async function readProgress(db: Reader, id: number): Promise<StoredProgress> {
  const row = await db.get<{ progress: string | null }>(sql`SELECT progress FROM imports WHERE id = ${id}`);
  return parseProgress(row?.progress ?? null);
}

export type Totals = Pick<LineSource["totals"], "items" | "bytes">;

/** An item takes about as long as this many bytes do: one without a file takes time, too. */
const bytesPerItem = 2 ** 15;

export function secondsLeft(
  progress: Pick<StoredProgress, "items" | "seenBytes" | "totalItems" | "totalBytes" | "workedMs">,
): number | null {
  const { items, seenBytes, totalBytes, totalItems, workedMs } = progress;
  if (totalBytes === null && totalItems === null) return null;
  const done = seenBytes + (totalItems === null ? 0 : items * bytesPerItem);
  const all = (totalBytes ?? 0) + (totalItems ?? 0) * bytesPerItem;
  return done === 0 ? null : Math.ceil((workedMs / 1000) * (Math.max(0, all - done) / done));
}

export const bytesPerSecond = ({ bytes, workedMs }: StoredProgress): number | null =>
  workedMs === 0 ? null : Math.round(bytes / (workedMs / 1000));
