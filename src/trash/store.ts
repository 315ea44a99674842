import { missing } from "../errors.ts";
import type { Database, Queries, Reader } from "../platform/database/database.ts";
import { countRecord, type List } from "../platform/database/lists.ts";
import { mapSlices, readSlices, type Slices } from "../platform/database/slices.ts";
import { sql, type Sql } from "../platform/database/sql.ts";
import type { Entry, Kind, Trashable } from "./trash.ts";

const day = 86_400_000;
const longestName = 200;
const entriesAtOnce = 500;
/** In the place of `deleted_at`: the entry is being deleted for good, and what is left of it cannot come back. */
const beingPurged = 0;

type EntryRow = {
  id: number;
  kind: Kind;
  record_id: number;
  owner_id: number;
  deleted_by: number;
  deleted_at: number;
  name: string;
};

const deletedBy = sql`coalesce(deleted_by, owner_id)`;
const columns = sql`id, kind, record_id, owner_id, ${deletedBy} AS deleted_by, deleted_at, name`;

/**
 * Opens an entry for one deletion. The record gets its id as its `trash_id`, and loses it when it comes back: what hung
 * on it is never taken apart.
 */
export async function addToTrash(
  tx: Queries,
  kind: Kind,
  record: { id: number; ownerID: number },
  { name, deletedByID }: { name: string; deletedByID: number },
): Promise<number> {
  const row = await tx.get<{ id: number }>(sql`
    INSERT INTO trash (kind, record_id, owner_id, deleted_by, deleted_at, name)
    VALUES (${kind}, ${record.id}, ${record.ownerID}, ${deletedByID}, ${Date.now()}, ${shorten(name)})
    RETURNING id`);
  return (row as { id: number }).id;
}

export async function getEntry(db: Reader, id: number, keptDays: number, lock: Sql = sql``): Promise<Entry> {
  const row = await db.get<EntryRow>(
    sql`SELECT ${columns} FROM trash WHERE id = ${id} AND deleted_at > ${beingPurged} ${lock}`,
  );
  if (!row) throw missing(`entry ${id} in the trash`);
  return toEntry(row, keptDays);
}

/** What somebody has deleted, newest first. */
export function listEntries(db: Reader, deletedByID: number, keptDays: number): Slices<Entry> {
  const read = (last: EntryRow | null, size: number) =>
    db.all<EntryRow>(sql`
      SELECT ${columns} FROM trash
      WHERE ${deletedBy} = ${deletedByID} AND id < ${last?.id ?? Number.MAX_SAFE_INTEGER} AND deleted_at > ${beingPurged}
      ORDER BY id DESC LIMIT ${size}`);
  return mapSlices(readSlices(read, { size: entriesAtOnce }), (rows) => rows.map((row) => toEntry(row, keptDays)));
}

export async function removeEntry(tx: Queries, id: number): Promise<void> {
  await tx.run(sql`DELETE FROM trash WHERE id = ${id}`);
}

/**
 * The records of a list that is counted: brought back by one statement of their room, which answers their ids, and removed
 * by another. `whenBack` runs in the transaction that brings one back.
 */
export function trashedList(
  list: List,
  statements: { restore: (trashID: number) => Sql; purge: (trashID: number) => Sql },
  whenBack: (tx: Queries, id: number) => Promise<void> = async () => {},
): Trashable {
  return {
    async restore(tx, trashID) {
      for (const { id } of await tx.all<{ id: number }>(statements.restore(trashID))) {
        countRecord(tx, list, id, 1);
        await whenBack(tx, id);
      }
    },
    async purge(tx, trashID) {
      await tx.run(statements.purge(trashID));
      return true;
    },
  };
}

/** Removes one deletion for good, a step a transaction. */
export async function purgeEntry(
  db: Database,
  rooms: Record<Kind, Trashable>,
  { id, kind }: Pick<Entry, "id" | "kind">,
) {
  const step = async (tx: Queries): Promise<boolean> => {
    // Whoever restores it at the same time comes first, or finds nothing any more.
    if (!(await tx.get(sql`SELECT id FROM trash WHERE id = ${id} ${tx.forUpdate}`))) return true;
    const isDone = await rooms[kind].purge(tx, id);
    if (isDone) await removeEntry(tx, id);
    // The rest goes in further transactions: after a crash, with the next emptying of old entries.
    else await tx.run(sql`UPDATE trash SET deleted_at = ${beingPurged} WHERE id = ${id}`);
    return isDone;
  };
  while (!(await db.transaction(step)));
}

/** Empties what has been in the trash for longer than `days`. */
export async function emptyOldTrash(db: Database, rooms: Record<Kind, Trashable>, days: number): Promise<void> {
  const before = Date.now() - days * day;
  const oldest = sql`SELECT id, kind FROM trash WHERE deleted_at < ${before} ORDER BY deleted_at LIMIT 100`;
  for (let entries = await db.all<EntryRow>(oldest); entries.length > 0; entries = await db.all<EntryRow>(oldest)) {
    for (const entry of entries) await purgeEntry(db, rooms, entry);
  }
}

function toEntry(row: EntryRow, keptDays: number): Entry {
  return {
    id: row.id,
    kind: row.kind,
    recordID: row.record_id,
    name: row.name,
    ownerID: row.owner_id,
    deletedByID: row.deleted_by,
    deletedAt: new Date(row.deleted_at).toISOString(),
    expiresAt: new Date(row.deleted_at + keptDays * day).toISOString(),
  };
}

function shorten(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, longestName).toWellFormed()}…`;
}
