import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { list, sql, type Sql } from "../../platform/database/sql.ts";
import { areBlobsHeld, findKeptBlobs } from "./holds.ts";

/** Small enough that neither the database nor the disk is held for long. */
const blobsAtOnce = 200;
const endOfTime = Number.MAX_SAFE_INTEGER;

type Row = { id: number; sha256: string };

/**
 * A database whose transactions end only when the bytes that they have released are removed: triggers leave the names of
 * blobs that no row refers to any more (`derived.ts`), and their owner's quota counts them until they are off the disk. There
 * are such triggers with SQLite only; PostgreSQL is left as it is.
 */
export async function removeReleased(db: Database, blobs: Blobs): Promise<Database> {
  if (db.engine !== "sqlite") return db;
  // No other server uses this database: these rows were left by a server that was killed.
  await removeLeftovers(db, blobs, endOfTime);
  return {
    ...db,
    async transaction(work, options) {
      const workAndList = async (tx: Queries) => {
        const watched = watchReleases(tx);
        const result = await work(watched.tx);
        return { result, released: await watched.list() };
      };
      const { result, released } = await db.transaction(workAndList, options);
      // The work is done in any case: what cannot be removed now is removed as a leftover.
      if (released.length > 0) await removeBlobs(db, blobs, released).catch(() => {});
      return result;
    },
  };
}

/**
 * `list` returns the blobs that the transaction has released. The rows before its first statement that can run one of the
 * triggers are those of others; a transaction without such a statement costs nothing.
 */
function watchReleases(tx: Queries): { tx: Queries; list(): Promise<Row[]> } {
  let last: Promise<{ id: number | null } | null> | null = null;
  const watch = (query: Sql): void => {
    if (!tx.mayWrite(query, "reservations")) return;
    last ??= tx.get<{ id: number | null }>(sql`SELECT max(id) AS id FROM reservations`);
  };
  return {
    tx: {
      ...tx,
      run(query) {
        watch(query);
        return tx.run(query);
      },
      later(query) {
        watch(query);
        tx.later(query);
      },
      get(query) {
        watch(query);
        return tx.get(query);
      },
      all(query) {
        watch(query);
        return tx.all(query);
      },
    },
    list: async () => (last ? listReleased(tx, (await last)?.id ?? 0) : []),
  };
}

/** Removes reservations that have expired, and blobs that should have been removed before. */
export async function removeLeftovers(db: Database, blobs: Blobs, before = Date.now()): Promise<void> {
  await removeRows(db, "reservations", sql`unused_blob IS NULL AND expires_at <= ${before}`);
  await removeBlobs(db, blobs, await listReleased(db, 0, before));
}

function listReleased(db: Reader, after: number, before = endOfTime): Promise<Row[]> {
  return db.all<Row>(sql`
    SELECT id, unused_blob AS sha256 FROM reservations
    WHERE id > ${after} AND unused_blob IS NOT NULL AND expires_at <= ${before} ORDER BY id`);
}

async function removeBlobs(db: Database, blobs: Blobs, rows: Row[]): Promise<void> {
  for (let start = 0; start < rows.length; start += blobsAtOnce) {
    const some = rows.slice(start, start + blobsAtOnce);
    await removeUnused(
      db,
      blobs,
      some.map((row) => row.sha256),
    );
    // They are removed as leftovers later.
    if (await areBlobsHeld(db)) return;
    const ids = list(some.map((row) => row.id));
    await db.transaction((tx: Queries) => tx.run(sql`DELETE FROM reservations WHERE id IN (${ids})`));
  }
}

/**
 * Removes blobs that no row refers to. Rows with SQLite are written by one transaction at a time, and refer to bytes that
 * were kept for them, or to those of another row: so what no committed row refers to, no other can. With PostgreSQL, a
 * transaction that has read such a row before it was deleted may still copy it: there the sweep removes the bytes, when
 * they are too old for that.
 */
export async function removeUnused(db: Database, blobs: Pick<Blobs, "removeUnused">, sha256: string[]): Promise<void> {
  if (db.engine === "sqlite") await blobs.removeUnused(sha256, (names) => findKeptBlobs(db, names));
}
