import type { Database, Reader } from "../../platform/database/database.ts";
import { type KeysetRequest, listByKey, type Sort } from "../../platform/database/keyset.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { listIDs } from "../../platform/database/list-ids.ts";
import { list, sql, type Sql, unindexed } from "../../platform/database/sql.ts";
import type { Caller } from "../../platform/http/route.ts";
import { findInSlices, type RecordKind } from "../records/record-kind.ts";
import type { Activity, ActivityQuery } from "./activity.ts";
import { type Change, changeColumns } from "./feed.ts";
import { findVisible, type Kinds } from "./visible.ts";

const day = 86_400_000;
const rowsAtOnce = 500;

export const byTime: Sort = { column: "created_at", type: "integer" };

/** Admins see all; other users see what they did, and what was done to their records. */
export function listActivity(
  db: Reader,
  kinds: Kinds,
  { caller, query }: { caller: Caller; query: ActivityQuery },
  request: KeysetRequest,
) {
  const own = [sql`actor_id = ${caller.id}`, sql`owner_id = ${caller.id} AND actor_id IS DISTINCT FROM owner_id`];
  return listByKey(db, request, {
    table: "activity",
    where: [sql`1 = 1`, ...conditions(query)],
    ...(caller.role !== "admin" && { anyOf: own }),
    atOnce: rowsAtOnce,
    find: (ids) => findActivity(db, kinds, caller, ids),
  });
}

/** How many records of each kind were created, changed and so on after the row with this id. */
export function countSince(db: Reader, id: number) {
  return db.all<{ kind: string; action: string; count: number }>(sql`
    SELECT kind, action, count(DISTINCT record_id) AS count FROM activity WHERE id > ${id}
    GROUP BY kind, action ORDER BY kind, action`);
}

function conditions({ kind, recordID, actor, from, to }: ActivityQuery): Sql[] {
  return [
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(recordID === undefined ? [] : [sql`record_id = ${recordID}`]),
    ...(actor === undefined ? [] : [sql`actor_id = ${actor}`]),
    ...(from === undefined ? [] : [sql`created_at >= ${Date.parse(from)}`]),
    ...(to === undefined ? [] : [sql`created_at < ${Date.parse(to)}`]),
  ];
}

type Row = Change & { username: string | null };

async function findActivity(db: Reader, kinds: Kinds, caller: Caller, ids: number[]): Promise<Map<number, Activity>> {
  const rows = await db.all<Row>(sql`
    SELECT ${changeColumns}, users.username FROM activity LEFT JOIN users ON users.id = activity.actor_id
    WHERE activity.id IN (${list(ids)})`);
  const visible = await findVisible(db, kinds, caller, rows);
  const looks = await findLooks(
    db,
    kinds,
    caller,
    rows.filter((row) => visible.has(row)),
  );
  return new Map(rows.map((row) => [row.id, toActivity(row, !visible.has(row), looks.get(row) ?? plain)]));
}

type Look = { isPage: boolean; image: string | null };
const plain: Look = { isPage: false, image: null };

/** What lists show of the records besides their names, as far as these still exist. */
async function findLooks(db: Reader, kinds: Kinds, caller: Caller, rows: readonly Row[]): Promise<Map<Row, Look>> {
  const looks = new Map<Row, Look>();
  for (const [name, some] of Map.groupBy(rows, ({ kind }) => kind)) {
    const kind = kinds.get(name);
    const ids = [...new Set(some.map(({ recordID }) => recordID))];
    const pages = kind && (await findPages(db, kind, ids));
    const images = new Map<number, string | null>();
    if (kind?.isPictured)
      for await (const [id, { image }] of findInSlices(db, kind, caller, ids)) images.set(id, image);
    for (const row of some)
      looks.set(row, { isPage: pages?.has(row.recordID) ?? false, image: images.get(row.recordID) ?? null });
  }
  return looks;
}

/** Those that are pages, and those that were until they were deleted permanently. */
async function findPages(db: Reader, kind: RecordKind, ids: number[]): Promise<Set<number>> {
  if (!kind.findPages) return new Set();
  // By the index of deleted pages: SQLite would rather read all activity of the kind.
  const deleted = await db.all<{ id: number }>(sql`
    SELECT record_id AS id FROM activity
    WHERE kind || '' = ${kind.name} AND is_page = 1 AND record_id IN (${list(ids)})`);
  return new Set([...(await kind.findPages(db, ids)), ...deleted.map(({ id }) => id)]);
}

function toActivity(row: Row, isHidden: boolean, look: Look): Activity {
  return {
    id: row.id,
    action: row.action,
    kind: row.kind,
    recordID: row.recordID,
    name: isHidden ? null : row.name,
    ...look,
    ownerID: row.ownerID,
    actor: row.actorID === null ? null : { id: row.actorID, username: row.username },
    createdAt: new Date(row.createdAt).toISOString(),
  };
}

/** Removes what is older than `days`. */
export function removeOldActivity(db: Database, days: number, now = Date.now()): Promise<number> {
  return removeRows(db, "activity", sql`created_at < ${now - days * day}`);
}

/** What happened to the records of an owner stays, for those who follow changes, but not what the records were called. */
export async function forgetNames(db: Database, ownerID: number): Promise<void> {
  const where = sql`${unindexed("owner_id")} = ${ownerID} AND name <> ''`;
  for await (const ids of listIDs(db, { table: "activity", where, atOnce: rowsAtOnce }))
    await db.transaction((tx) => tx.run(sql`UPDATE activity SET name = '' WHERE id IN (${list(ids)})`));
}

/** When something last changed; null if nothing ever did. */
export async function findNewestTime(db: Reader): Promise<number | null> {
  return (await db.get<{ newest: number | null }>(sql`SELECT max(created_at) AS newest FROM activity`))?.newest ?? null;
}
