import type { Change, Database, Queries, Reader } from "../../platform/database/database.ts";
import { hasChanged } from "../../platform/database/changes.ts";
import { joined, list, sql } from "../../platform/database/sql.ts";
import type { Derived } from "../../platform/database/tables.ts";
import { withoutSharedDeadline } from "../../platform/deadline.ts";
import { nextTurn } from "../../platform/event-loop.ts";
import { countDifferentBits } from "../../platform/images/look.ts";
import { createShared } from "../../platform/once.ts";
import { isLive } from "../../core/trash/trash.ts";
import { findPhotosOf } from "./lists/entries.ts";

/** Of 2,000 photographs, no two different ones were as close. */
const maxDistance = 6;
/** A copy may be cropped a little. */
const maxRatioChange = 1.12;
/** So that many copies of one picture do not become a pair each with all others. They still are one group. */
const maxPairsOfPhoto = 20;

const [rowsAtOnce, photosAtOnce] = [1000, 100];
/** So many of them, and then other requests run. */
const comparisonsBetweenTurns = 50_000;

type Row = {
  id: number;
  sha256: string | null;
  look_high: number | null;
  look_low: number | null;
  width: number | null;
  height: number | null;
};

/** The photos of an owner that were compared already, as columns. */
type Known = { ids: number[]; highs: number[]; lows: number[]; ratios: number[] };

/** Finds the photos that look like others of the same owner. */
export type Comparison = {
  /**
   * Examines at most `limit` photos that were not compared yet. If that is being done, it waits for it, or returns if another
   * process does it.
   */
  compare(ownerID: number, limit: number): Promise<void>;
  compareAll(): Promise<void>;
};

/** What is left when the server stops is compared after the next start. */
export function createComparison(db: Database, stopping: AbortSignal): Comparison {
  const once = createShared<void>();
  const compare = (ownerID: number, limit: number) =>
    once(String(ownerID), () =>
      withoutSharedDeadline(() =>
        db.runExclusively(`compare photos of ${ownerID}`, () => compareOwner(db, ownerID, { limit, stopping })),
      ),
    );
  return {
    compare,
    async compareAll() {
      for (let last = 0; !stopping.aborted;) {
        const row = await db.get<{ owner_id: number }>(sql`
          SELECT owner_id FROM photos WHERE compared_at IS NULL AND ${isLive} AND owner_id > ${last}
          ORDER BY owner_id LIMIT 1`);
        if (!row) return;
        last = row.owner_id;
        await compare(last, Infinity);
      }
    },
  };
}

/** How many photos are still to be compared, at most `limit`. */
export async function countPending(db: Reader, ownerID: number, limit: number): Promise<number> {
  const row = await db.get<{ count: number }>(sql`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM photos WHERE owner_id = ${ownerID} AND compared_at IS NULL AND ${isLive} LIMIT ${limit}) AS pending`);
  return row?.count ?? 0;
}

type Bounds = { limit: number; stopping: AbortSignal };

async function compareOwner(db: Database, ownerID: number, { limit, stopping }: Bounds): Promise<void> {
  let known: Known | null = null;
  for (let last = 0, examined = 0; examined < limit && !stopping.aborted;) {
    const rows = await listPending(db, ownerID, last);
    if (rows.length === 0) return;
    last = rows.at(-1)?.id ?? last;
    examined += rows.length;
    known ??= await readKnown(db, ownerID);
    const pairs = await findPairs(known, rows);
    await db.transaction((tx) => storePairs(tx, ownerID, rows, pairs));
    await nextTurn();
  }
}

const lookColumns = sql`files.sha256, images.look_high, images.look_low, images.width, images.height`;
const joinLooks = sql`LEFT JOIN files ON files.id = photos.file_id LEFT JOIN images ON images.sha256 = files.sha256`;

const listPending = (db: Reader, ownerID: number, after: number) =>
  db.all<Row>(sql`
    SELECT photos.id, ${lookColumns} FROM photos ${joinLooks}
    WHERE photos.owner_id = ${ownerID} AND photos.compared_at IS NULL AND photos.trash_id IS NULL AND photos.id > ${after}
    ORDER BY photos.id LIMIT ${photosAtOnce}`);

async function readKnown(db: Reader, ownerID: number): Promise<Known> {
  const known: Known = { ids: [], highs: [], lows: [], ratios: [] };
  for (const flag of [0, 1]) {
    for (let last = 0; ;) {
      const rows = await db.all<Row & { compared_at: number | null }>(sql`
        SELECT photos.id, photos.compared_at, ${lookColumns} FROM photos ${joinLooks}
        WHERE photos.owner_id = ${ownerID} AND photos.is_private = ${flag} AND photos.trash_id IS NULL
          AND photos.id > ${last} ORDER BY photos.id LIMIT ${rowsAtOnce}`);
      for (const row of rows) if (row.compared_at !== null) addKnown(known, row);
      if (rows.length < rowsAtOnce) break;
      last = rows.at(-1)?.id ?? last;
      await nextTurn();
    }
  }
  return known;
}

function addKnown(known: Known, row: Row): void {
  const { look_high: high, look_low: low } = row;
  if (high === null || low === null) return;
  known.ids.push(row.id);
  known.highs.push(high | 0);
  known.lows.push(low | 0);
  known.ratios.push(ratioOf(row));
}

type Pair = [oneID: number, otherID: number];

/** Compares photos with those that are known and with each other; they are known then. */
async function findPairs(known: Known, rows: Row[]): Promise<Pair[]> {
  const pairs: Pair[] = [];
  let compared = 0;
  for (const row of rows) {
    compared += known.ids.length;
    if (compared > comparisonsBetweenTurns) {
      await nextTurn();
      compared = 0;
    }
    for (const id of findLike(known, row)) pairs.push(id < row.id ? [id, row.id] : [row.id, id]);
    addKnown(known, row);
  }
  return pairs;
}

function findLike({ ids, highs, lows, ratios }: Known, row: Row): number[] {
  const found: number[] = [];
  if (row.look_high === null || row.look_low === null) return found;
  const [high, low, ratio] = [row.look_high | 0, row.look_low | 0, ratioOf(row)];
  for (let index = 0; index < ids.length && found.length < maxPairsOfPhoto; index++) {
    const distance = countDifferentBits(high, highs[index] as number) + countDifferentBits(low, lows[index] as number);
    if (distance <= maxDistance && isSimilarShape(ratio, ratios[index] as number) && ids[index] !== row.id)
      found.push(ids[index] as number);
  }
  return found;
}

const ratioOf = ({ width, height }: Row) => (width ?? 0) / (height || 1);
const isSimilarShape = (one: number, other: number) => Math.max(one, other) <= Math.min(one, other) * maxRatioChange;

/** Photos that were changed, trashed or deleted since they were read are left out: they are compared again, if at all. */
async function storePairs(tx: Queries, ownerID: number, rows: Row[], pairs: Pair[]): Promise<void> {
  const ids = new Set([...rows.map(({ id }) => id), ...pairs.flat()]);
  const now = await tx.all<{ id: number; sha256: string | null; compared_at: number | null }>(sql`
    SELECT photos.id, photos.compared_at, (SELECT sha256 FROM files WHERE files.id = photos.file_id) AS sha256 FROM photos
    WHERE photos.id IN (${list([...ids])}) AND ${isLive} ORDER BY photos.id ${tx.forUpdate}`);
  const shown = new Map(rows.map(({ id, sha256 }) => [id, sha256]));
  const current = new Set(
    now
      .filter((row) => (shown.has(row.id) ? shown.get(row.id) === row.sha256 : row.compared_at !== null))
      .map(({ id }) => id),
  );
  const compared = rows.filter(({ id }) => current.has(id)).map(({ id }) => id);
  if (compared.length === 0) return;
  tx.later(sql`UPDATE photos SET compared_at = ${Date.now()} WHERE id IN (${list(compared)})`);
  const values = pairs
    .filter((pair) => pair.every((id) => current.has(id)))
    .map(([one, other]) => sql`(${one}, ${other}, ${ownerID})`);
  for (let start = 0; start < values.length; start += rowsAtOnce) {
    tx.later(sql`
      INSERT INTO photo_pairs (one_id, other_id, owner_id) VALUES ${joined(values.slice(start, start + rowsAtOnce))}
      ON CONFLICT (one_id, other_id) DO NOTHING`);
  }
}

/** Photos that show another file are like others than before, and restored ones may be like photos that came meanwhile. */
export const comparedPhotos: Derived = {
  kind: "photo",
  from: ["file_id", "trash_id"],
  derive(tx, changes) {
    const isOld = ({ before }: Change) => before !== null;
    const isRestored = (change: Change) => hasChanged(change, ["trash_id"]) && change.after.trash_id === null;
    const old = changes.filter(isOld);
    const other = old.filter((change) => hasChanged(change, ["file_id"])).map(({ id }) => id);
    if (other.length > 0) removePairs(tx, other);
    const again = old.filter((change) => isRestored(change) || hasChanged(change, ["file_id"])).map(({ id }) => id);
    if (again.length > 0) tx.later(sql`UPDATE photos SET compared_at = NULL WHERE id IN (${list(again)})`);
  },
};

/** The same when the files of photos have other contents. */
export const comparedFiles: Derived = {
  kind: "file",
  from: ["sha256"],
  async derive(tx, changes) {
    const ids = await findPhotosOf(tx, changes);
    if (ids.length === 0) return;
    removePairs(tx, ids);
    tx.later(sql`UPDATE photos SET compared_at = NULL WHERE id IN (${list(ids)})`);
  },
};

/** A photo may have been compared before its picture was read. */
export async function compareAgain(tx: Queries, sha256: string): Promise<void> {
  await tx.run(sql`
    UPDATE photos SET compared_at = NULL
    WHERE compared_at IS NOT NULL AND file_id IN (SELECT id FROM files WHERE sha256 = ${sha256})`);
}

function removePairs(tx: Queries, ids: number[]): void {
  tx.later(sql`DELETE FROM photo_pairs WHERE one_id IN (${list(ids)})`);
  tx.later(sql`DELETE FROM photo_pairs WHERE other_id IN (${list(ids)})`);
}
