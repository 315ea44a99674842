import { recordActivities, recordActivity } from "../activity/record.ts";
import { missing } from "../../platform/errors.ts";
import type { Change, Database, Queries, Reader } from "../../platform/database/database.ts";
import { type KeysetRequest, listByKey } from "../../platform/database/keyset.ts";
import { countRecord, type List, recountList } from "../../platform/database/lists.ts";
import { mapSlices, readSlices, type Slices } from "../../platform/database/slices.ts";
import { joined, joinedBy, list, raw, sql, type Sql } from "../../platform/database/sql.ts";
import type { Caller } from "../../platform/http/route.ts";
import { indexRestored } from "../../platform/search/documents.ts";
import { shorten } from "../../platform/text.ts";
import type { RecordKind, Restored, Trashable } from "../records/record-kind.ts";
import {
  type Entry,
  isListed,
  type ListedEntry,
  isLive,
  mayKnow,
  type Trash,
  type TrashedRecord,
  type TrashReactions,
} from "./trash.ts";

const day = 86_400_000;
const entriesAtOnce = 500;
const recordsAtOnce = 100;
/** A `deleted_at` that means: the entry is being permanently deleted, and can no longer be restored. */
const beingPurged = 0;

type EntryRow = {
  id: number;
  kind: string;
  record_id: number;
  owner_id: number;
  deleted_by: number;
  deleted_at: number;
  name: string;
};

const isEntry = sql`deleted_at > ${beingPurged}`;
const deletedBy = sql`coalesce(deleted_by, owner_id)`;
const columns = sql`id, kind, record_id, owner_id, ${deletedBy} AS deleted_by, deleted_at, name`;

/**
 * One deletion is one row of `trash`. The record gets its id as its `trash_id`, and loses it when it is restored: what
 * belongs to the record is never taken apart.
 */
export function createTrash(kinds: RecordKind[], reactions: TrashReactions[]): Trash {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  const kindOf = (kind: string) => {
    const found = byName.get(kind);
    if (!found) throw new Error(`No module has records of the kind ${kind}.`);
    return found;
  };
  const purgeBelonging = async (tx: Queries, kind: string, recordID: number) => {
    for (const { purged } of reactions) if ((await purged?.[kind]?.(tx, recordID)) === false) return false;
    return true;
  };
  /** What went to the trash with the record of this entry. */
  const listAlong = async (tx: Queries, { id, kind }: TrashedRecord) => {
    const { along } = kindOf(kind).trash;
    const records = along === undefined ? [] : ((await kindOf(along).trash.list?.(tx, id)) ?? []);
    return records.map((record) => ({ ...record, kind: along as string }));
  };
  return {
    async put(tx, kind, { id, ownerID }, { name, deletedByID, along = [] }) {
      const records = [{ id, ownerID, kind, name }, ...along];
      // Afterwards they cannot be found any more. Without an entry, nothing has changed: a batch goes on with other records.
      const [entry, ...seenByGuests] = await Promise.all([
        tx.get<{ id: number }>(sql`
          INSERT INTO trash (kind, record_id, owner_id, deleted_by, deleted_at, name)
          SELECT CAST(${kind} AS TEXT), id, CAST(${ownerID} AS BIGINT), CAST(${deletedByID} AS BIGINT),
            CAST(${Date.now()} AS BIGINT), CAST(${shorten(name)} AS TEXT)
          FROM ${raw(kindOf(kind).table)} WHERE id = ${id} AND ${isLive} ${tx.forUpdate}
          RETURNING id`),
        ...records.map((record) => kindOf(record.kind).find(tx, null, [record.id])),
      ]);
      if (!entry) throw missing(`${kind} ${id}`);
      for (const [index, record] of records.entries()) {
        const wasPublic = seenByGuests[index]?.has(record.id) ?? false;
        recordActivity(tx, deletedByID, "trashed", { ...record, wasPublic });
        await mark(tx, kindOf(record.kind), record.id, entry.id);
      }
    },
    async putAll(tx, kind, records, deletedByID) {
      let count = 0;
      for (let start = 0; start < records.length; start += recordsAtOnce)
        count += await putSome(tx, kindOf(kind), records.slice(start, start + recordsAtOnce), deletedByID);
      return count;
    },
    async restore(tx, entry, restoredByID) {
      const { id, recordID } = entry;
      // What goes along comes first, because it may throw.
      for (const record of [...(await listAlong(tx, entry)), { ...entry, id: recordID }]) {
        const rows = await kindOf(record.kind).trash.restore(tx, id);
        recordActivity(tx, restoredByID, "restored", record);
        const changes = rows.map((row) => ({
          id: row.id,
          before: { ...row, trash_id: id },
          after: { ...row, trash_id: null },
        }));
        await tx.changed(record.kind, changes);
        if (rows.length > 0)
          await indexRestored(
            tx,
            record.kind,
            rows.map((row) => row.id),
          );
      }
      await removeEntry(tx, id);
    },
    async purge(tx, entry, deletedByID) {
      const { id, kind, recordID } = entry;
      for (const record of await listAlong(tx, entry)) {
        await kindOf(record.kind).trash.purge(tx, id);
        recordActivity(tx, deletedByID, "deleted", record);
      }
      const pages = await kindOf(kind).findPages?.(tx, [recordID]);
      const isDone = (await purgeBelonging(tx, kind, recordID)) && (await kindOf(kind).trash.purge(tx, id));
      const wasPage = pages?.has(recordID) ?? false;
      if (isDone) recordActivity(tx, deletedByID, "deleted", { ...entry, id: recordID, wasPage });
      if (isDone) await removeEntry(tx, id);
      // The rest goes in further transactions: after a crash, with the next emptying of old entries.
      else await tx.run(sql`UPDATE trash SET deleted_at = ${beingPurged} WHERE id = ${id}`);
      return isDone;
    },
  };
}

type Named = { id: number; ownerID: number; name: string };

async function putSome(tx: Queries, kind: RecordKind, records: Named[], deletedByID: number): Promise<number> {
  const ids = list(records.map(({ id }) => id));
  const rows = await tx.all<Restored>(sql`
    SELECT ${markedColumns(kind)} FROM ${raw(kind.table)} WHERE id IN (${ids}) AND ${isLive} ${tx.forUpdate}`);
  const live = new Map(rows.map((row) => [row.id, row]));
  const put = records.filter(({ id }) => live.has(id));
  if (put.length === 0) return 0;
  const seenByGuests = await kind.find(tx, null, [...live.keys()]);
  const time = Date.now();
  const entries = await tx.all<{ id: number; record_id: number }>(sql`
    INSERT INTO trash (kind, record_id, owner_id, deleted_by, deleted_at, name)
    VALUES ${joined(put.map((one) => sql`(${kind.name}, ${one.id}, ${one.ownerID}, ${deletedByID}, ${time}, ${shorten(one.name)})`))}
    RETURNING id, record_id`);
  await tx.run(sql`
    UPDATE ${raw(kind.table)} SET trash_id = trash.id FROM trash
    WHERE trash.id IN (${list(entries.map(({ id }) => id))}) AND ${raw(kind.table)}.id = trash.record_id`);
  recordActivities(
    tx,
    deletedByID,
    "trashed",
    put.map((one) => ({ ...one, kind: kind.name, wasPublic: seenByGuests.has(one.id) })),
  );
  const changes = entries.map(({ id: trashID, record_id: id }) => {
    const row = live.get(id) as Restored;
    return { id, before: { ...row, trash_id: null }, after: { ...row, trash_id: trashID } };
  });
  await tx.changed(kind.name, changes);
  return put.length;
}

const markedColumns = ({ trash }: RecordKind): Sql => raw(["id", ...(trash.total?.columns ?? [])].join(", "));

/** A record that is in the trash already, even by now, is missing: it has one entry. */
async function mark(tx: Queries, kind: RecordKind, id: number, trashID: number): Promise<void> {
  const { name, table } = kind;
  const row = await tx.get<Restored>(sql`
    UPDATE ${raw(table)} SET trash_id = ${trashID} WHERE id = ${id} AND ${isLive}
    RETURNING ${markedColumns(kind)}`);
  if (!row) throw missing(`${name} ${id}`);
  await tx.changed(name, [{ id, before: { ...row, trash_id: null }, after: { ...row, trash_id: trashID } }]);
}

/**
 * For the records of a list with a total. Its table has the columns `trash_id` and `is_private`. Rows in which the column
 * `unlessSet` is 1 are in no list of everyone.
 */
export function trashableList(table: List, { unlessSet }: { unlessSet?: string } = {}): Trashable {
  const name = raw(table);
  const columns = ["is_private", ...(unlessSet === undefined ? [] : [unlessSet])];
  const isInList = (row: Change["after"] | null) => isSeen(row) && (unlessSet === undefined || row?.[unlessSet] !== 1);
  const live = unlessSet === undefined ? isListed : sql`${isListed} AND ${raw(unlessSet)} = 0`;
  return {
    total: {
      columns,
      from: ["trash_id", ...columns],
      derive(tx, changes) {
        for (const { id, before, after } of changes) {
          const change = Number(isInList(after)) - Number(isInList(before));
          if (change !== 0) countRecord(tx, table, id, change);
        }
      },
      maintained: { name: table, rebuild: (db) => recountList(db, table, live) },
    },
    restore: (tx, trashID) =>
      tx.all<Restored>(
        sql`UPDATE ${name} SET trash_id = NULL WHERE trash_id = ${trashID} RETURNING id, ${raw(columns.join(", "))}`,
      ),
    async purge(tx, trashID) {
      await tx.run(sql`DELETE FROM ${name} WHERE trash_id = ${trashID}`);
      return true;
    },
  };
}

/** Whether everyone sees the record: the list of everyone has no private records. */
const isSeen = (columns: Change["after"] | null): boolean =>
  columns !== null && columns.is_private === 0 && (columns.trash_id ?? null) === null;

/** With `lock`, it stays as it is until the transaction ends. */
export async function getEntry(
  db: Reader,
  caller: Caller,
  id: number,
  { keptDays, lock = sql`` }: { keptDays: number; lock?: Sql },
): Promise<Entry> {
  const row = await db.get<EntryRow>(sql`SELECT ${columns} FROM trash WHERE id = ${id} AND ${isEntry} ${lock}`);
  const entry = row && toEntry(row, keptDays);
  if (!entry || !mayKnow(caller, entry)) throw missing(`entry ${id} in the trash`);
  return entry;
}

/** The entries of those records that are in the trash, by their kind and id. */
export async function findEntriesOf(
  db: Reader,
  records: { kind: string; id: number }[],
  keptDays: number,
  lock: Sql,
): Promise<Entry[]> {
  const isWanted = [...Map.groupBy(records, ({ kind }) => kind)].map(
    ([kind, some]) => sql`(kind = ${kind} AND record_id IN (${list(some.map(({ id }) => id))}))`,
  );
  const rows = await db.all<EntryRow>(sql`
    SELECT ${columns} FROM trash WHERE (${joinedBy(" OR ", isWanted)}) AND ${isEntry} ORDER BY id ${lock}`);
  return rows.map((row) => toEntry(row, keptDays));
}

type Shown = { kinds: readonly RecordKind[]; keptDays: number };

/** What a user has deleted, newest first. */
export function listEntries(db: Reader, deletedByID: number, shown: Shown): Slices<ListedEntry> {
  const read = (last: EntryRow | null, size: number) =>
    db.all<EntryRow>(sql`
      SELECT ${columns} FROM trash
      WHERE ${deletedBy} = ${deletedByID} AND id < ${last?.id ?? Number.MAX_SAFE_INTEGER} AND ${isEntry}
      ORDER BY id DESC LIMIT ${size}`);
  return mapSlices(readSlices(read, { size: entriesAtOnce }), (rows) => present(db, deletedByID, rows, shown));
}

export function listEntriesByKey(db: Reader, deletedByID: number, shown: Shown, request: KeysetRequest) {
  return listByKey(db, request, {
    table: "trash",
    where: [sql`${deletedBy} = ${deletedByID}`, isEntry],
    atOnce: entriesAtOnce,
    async find(ids) {
      const rows = await db.all<EntryRow>(sql`SELECT ${columns} FROM trash WHERE id IN (${list(ids)}) AND ${isEntry}`);
      const entries = await present(db, deletedByID, rows, shown);
      return new Map(entries.map((entry) => [entry.id, entry]));
    },
  });
}

/** With what their kinds know of them: which are pages, and which have pictures. Only owners see these. */
async function present(db: Reader, viewerID: number, rows: EntryRow[], shown: Shown): Promise<ListedEntry[]> {
  const [pages, pictured] = [new Set<EntryRow>(), new Set<EntryRow>()];
  for (const [name, some] of Map.groupBy(rows, ({ kind }) => kind)) {
    const kind = shown.kinds.find((one) => one.name === name);
    const ids = some.map((row) => row.record_id);
    const found = { pages: await kind?.findPages?.(db, ids), pictures: await kind?.trash.pictures?.(db, ids) };
    for (const row of some) {
      if (found.pages?.has(row.record_id)) pages.add(row);
      if (row.owner_id === viewerID && found.pictures?.has(row.record_id)) pictured.add(row);
    }
  }
  return rows.map((row) => ({
    ...toEntry(row, shown.keptDays),
    isPage: pages.has(row),
    image: pictured.has(row) ? `/api/v1/trash/${row.id}/image` : null,
  }));
}

async function removeEntry(tx: Queries, id: number): Promise<void> {
  await tx.run(sql`DELETE FROM trash WHERE id = ${id}`);
}

/**
 * Deletes one entry permanently, in as many transactions as that takes. Returns false, and deletes nothing, if it is no longer
 * in the trash: it was restored, or somebody else has begun to delete it.
 */
export async function purgeEntry(
  db: Database,
  trash: Trash,
  entry: TrashedRecord,
  deletedByID: number | null,
): Promise<boolean> {
  const first = await purgeSome(db, trash, entry, { deletedByID, where: isEntry });
  if (first === "more") await purgeRest(db, trash, entry, deletedByID);
  return first !== "nothing";
}

/** The same for an entry that somebody has begun to delete. */
async function purgeRest(db: Database, trash: Trash, entry: TrashedRecord, deletedByID: number | null): Promise<void> {
  while ((await purgeSome(db, trash, entry, { deletedByID, where: sql`1 = 1` })) === "more");
}

function purgeSome(
  db: Database,
  trash: Trash,
  entry: TrashedRecord,
  { deletedByID, where }: { deletedByID: number | null; where: Sql },
): Promise<"nothing" | "more" | "done"> {
  return db.transaction(async (tx) => {
    // A restore at the same time happens before this, or finds nothing.
    const found = await tx.get(sql`SELECT id FROM trash WHERE id = ${entry.id} AND ${where} ${tx.forUpdate}`);
    if (!found) return "nothing";
    return (await trash.purge(tx, entry, deletedByID)) ? "done" : "more";
  });
}

/** Empties what has been in the trash for longer than `days`. */
export async function emptyOldTrash(db: Database, trash: Trash, days: number): Promise<void> {
  const before = Date.now() - days * day;
  const oldest = sql`SELECT ${columns} FROM trash WHERE deleted_at < ${before} ORDER BY deleted_at LIMIT 100`;
  for (let entries = await db.all<EntryRow>(oldest); entries.length > 0; entries = await db.all<EntryRow>(oldest)) {
    for (const row of entries) await purgeRest(db, trash, toEntry(row, days), null);
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
