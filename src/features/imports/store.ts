import { recordActivity } from "../../core/activity/record.ts";
import { missing, Problem } from "../../platform/errors.ts";
import { findUser } from "../../core/users/store.ts";
import { type Caller, mayActAs } from "../../platform/http/route.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { type KeysetRequest, listByKey } from "../../platform/database/keyset.ts";
import { maintainedColumns } from "../../platform/database/maintained.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { raw, joined, joinedBy, list, sql, type Sql } from "../../platform/database/sql.ts";
import { type Import, type Outcome, parsePlan, type Plan } from "./import.ts";
import { bytesPerSecond, parseProgress, secondsLeft } from "./progress.ts";
import { photoTasks, sourceTask, sourceTasks } from "./tasks.ts";

type ImportRow = Pick<
  Import,
  "id" | "ownerID" | "imported" | "existing" | "refused" | "left" | "path" | "source" | "kind" | "failure"
> &
  Record<"recursive" | "isDryRun" | "needsKey" | "createdAt" | "updatedAt", number> &
  Record<"finishedAt" | "cancelledAt" | "undoneAt" | "undoAt" | "readAt", number | null> &
  Record<"progress" | "plan", string | null>;

const counted = { imported: "imported", existing: "exists", refused: "refused", waiting: "waiting" } as const;
const trueCounts = Object.entries(counted satisfies Record<string, Outcome>).map(([column, outcome]) => ({
  column: raw(column),
  truth: sql`(SELECT count(*) FROM import_files WHERE import_id = imports.id AND outcome = ${outcome})`,
}));

export const importCounts = maintainedColumns("files in imports", "imports", {
  isWrong: sql`(${joinedBy(
    " OR ",
    trueCounts.map(({ column, truth }) => sql`${column} <> ${truth}`),
  )})`,
  correction: joined(trueCounts.map(({ column, truth }) => sql`${column} = ${truth}`)),
});

const columns = sql`id, owner_id AS "ownerID", imported, existing, refused, waiting AS "left", path, source, kind, failure,
  is_recursive AS recursive, is_dry_run AS "isDryRun", needs_key AS "needsKey", created_at AS "createdAt",
  updated_at AS "updatedAt", finished_at AS "finishedAt", cancelled_at AS "cancelledAt", undone_at AS "undoneAt",
  undo_at AS "undoAt", read_at AS "readAt", progress, plan`;

/** The condition of imports that the viewer sees: their own, unless these name the files of others, and all for admins. */
const isVisible = (viewer: Caller): Sql =>
  viewer.role === "admin" ? sql`1 = 1` : sql`owner_id = ${viewer.id} AND includes_others = 0`;

export const getImport = (db: Reader, viewer: Caller, id: number) => getWhere(db, id, isVisible(viewer));

async function getWhere(db: Reader, id: number, condition: Sql = sql`1 = 1`): Promise<Import> {
  const row = await db.get<ImportRow>(sql`SELECT ${columns} FROM imports WHERE id = ${id} AND ${condition}`);
  if (!row) throw missing(`import ${id}`);
  return toImport(row);
}

/** Newest first: those that the viewer sees. */
export function listImports(
  db: Reader,
  viewer: Caller,
  { origin, ...request }: KeysetRequest & { origin?: "elsewhere" | "site" | undefined },
) {
  const ofOrigin = { elsewhere: sql`source IS NOT NULL`, site: sql`source IS NULL` };
  return listByKey(db, request, {
    table: "imports",
    where: [isVisible(viewer), ...(origin ? [ofOrigin[origin]] : [])],
    atOnce: 100,
    async find(ids) {
      const rows = await db.all<ImportRow>(sql`SELECT ${columns} FROM imports WHERE id IN (${list(ids)})`);
      return new Map(rows.map((row) => [row.id, toImport(row)]));
    },
  });
}

export async function lockImport(tx: Queries, id: number): Promise<Import> {
  await tx.get(sql`SELECT id FROM imports WHERE id = ${id} ${tx.forUpdate}`);
  return getWhere(tx, id);
}

const maxUnfinished = 5;

type Recognised = { kind: string; source: string };
type NewImport = { path?: string; isRecursive?: boolean; kind?: string; source?: string; plan?: Plan };

/**
 * A directory of the site, or a source outside it: `source` is for people, until the source was recognised. An import that an admin
 * starts includes the files of others.
 */
async function insertImport(
  tx: Queries,
  { id: ownerID, role }: Caller,
  { path = "/", isRecursive = false, kind, source, plan }: NewImport,
): Promise<number> {
  const time = Date.now();
  const row = await tx.get<{ id: number }>(sql`
    INSERT INTO imports (owner_id, is_recursive, includes_others, created_at, updated_at, path, kind, source, plan, is_dry_run,
      needs_key)
    VALUES (${ownerID}, ${isRecursive ? 1 : 0}, ${role === "admin" ? 1 : 0}, ${time}, ${time}, ${path}, ${kind ?? null},
      ${source ?? null}, ${plan ? JSON.stringify(plan) : null}, ${plan?.dryRun ? 1 : 0}, ${plan?.server ? 1 : 0})
    RETURNING id`);
  const { id } = row as { id: number };
  if (!plan?.dryRun) recordActivity(tx, ownerID, "imported", { kind: "import", id, ownerID, name: source ?? path });
  return id;
}

/** One that a user has asked for. Throws if the user has enough to wait for. */
export async function insertRequested(tx: Queries, owner: Caller, wanted: NewImport): Promise<number> {
  await tx.lock(`imports of ${owner.id}`);
  const rows = await tx.all<{ id: number }>(sql`
    SELECT id FROM imports WHERE owner_id = ${owner.id} AND finished_at IS NULL ORDER BY id`);
  if (rows.length < maxUnfinished) return insertImport(tx, owner, wanted);
  const ids = rows.map((row) => row.id).join(", ");
  const sentence = `You have ${rows.length} unfinished imports (${ids}): wait until one has finished, or cancel one.`;
  throw new Problem("conflict", sentence);
}

/** An import of the command line that was begun and not read to its end is continued. */
export async function openImport(tx: Queries, owner: Caller, { kind, source }: Recognised): Promise<number> {
  await tx.lock(`import of ${source} for ${owner.id}`);
  const begun = await tx.get<{ id: number }>(sql`
    SELECT id FROM imports
    WHERE owner_id = ${owner.id} AND source = ${source} AND read_at IS NULL AND finished_at IS NULL AND plan IS NULL
    ORDER BY id DESC LIMIT 1`);
  return begun?.id ?? insertImport(tx, owner, { kind, source });
}

/**
 * What is left to do of an import, and who has started it: null if that is nothing. If that user may no longer import, or no longer
 * what it includes, it is cancelled.
 */
export async function findUnfinished(db: Database, id: number) {
  const row = await db.get<ImportRow & { includesOthers: number }>(sql`
    SELECT ${columns}, includes_others AS "includesOthers" FROM imports WHERE id = ${id} AND finished_at IS NULL`);
  if (!row) return null;
  const user = await findUser(db, row.ownerID);
  const owner: Caller | null = user && { id: user.id, username: user.username, role: user.role, tokenID: "" };
  const includesOthers = row.includesOthers === 1;
  if (owner && mayActAs(owner, includesOthers ? "admin" : "author")) {
    const [isRecursive, isRead] = [row.recursive === 1, row.readAt !== null];
    return { owner, includesOthers, isRecursive, isRead, plan: parsePlan(row.plan) };
  }
  await db.transaction((tx) => cancelImport(tx, id));
  return null;
}

/** The import has ended while something was to be added to it. */
export class Cancelled extends Problem {
  constructor() {
    super("conflict", "The import was cancelled.");
  }
}

/** Whether an import has not ended: until the end of the transaction, it does not. */
export const lockUnfinished = async (tx: Queries, id: number): Promise<boolean> =>
  (await tx.get(sql`SELECT id FROM imports WHERE id = ${id} AND finished_at IS NULL ${tx.forUpdate}`)) !== null;

type Changes = { failure?: string | null; needsKey?: boolean; isEnd?: boolean };

/** Changes an import that has not ended. `failure` says why it ends, or does not get on now. */
export async function changeUnfinished(tx: Queries, id: number, { failure, needsKey, isEnd }: Changes): Promise<void> {
  const time = Date.now();
  const changes = [sql`updated_at = ${time}`];
  if (failure !== undefined) changes.push(sql`failure = ${failure}`);
  if (needsKey !== undefined) changes.push(sql`needs_key = ${needsKey ? 1 : 0}`);
  if (isEnd) changes.push(sql`finished_at = ${time}`);
  await tx.run(sql`UPDATE imports SET ${joined(changes)} WHERE id = ${id} AND finished_at IS NULL`);
}

export async function countFiles(tx: Queries, id: number, changes: Partial<Record<Outcome, number>>): Promise<void> {
  const { imported = 0, exists = 0, refused = 0, waiting = 0 } = changes;
  await tx.run(sql`
    UPDATE imports SET imported = imported + ${imported}, existing = existing + ${exists}, refused = refused + ${refused},
      waiting = waiting + ${waiting}, updated_at = ${Date.now()}
    WHERE id = ${id}`);
}

/** The source was read to its end: when no photo is left to be made, the import is finished. */
export async function closeImport(tx: Queries, id: number): Promise<void> {
  await tx.run(sql`UPDATE imports SET read_at = ${Date.now()} WHERE id = ${id} AND read_at IS NULL`);
  await finishIfDone(tx, id);
}

/** Finishes an import if nothing is left to be done of it, besides the task `besides`. It is locked. */
export async function finishIfDone(tx: Queries, id: number, besides = 0): Promise<void> {
  const time = Date.now();
  await tx.run(sql`
    UPDATE imports SET finished_at = ${time}, updated_at = ${time}
    WHERE id = ${id} AND finished_at IS NULL AND (source IS NULL OR read_at IS NOT NULL)
      AND NOT ${photoTasks.hasTasks(id, besides)}`);
}

/** Keeps the photos that were created, and what is in the trash if it was being undone. A finished import is not changed. */
export async function cancelImport(tx: Queries, id: number): Promise<Import> {
  const change = sql`cancelled_at = coalesce(cancelled_at, ${Date.now()}), undo_at = NULL`;
  await end(tx, id, { change, isEnded: sql`finished_at IS NULL OR (undo_at IS NOT NULL AND undone_at IS NULL)` });
  return getWhere(tx, id);
}

/** From now on, nothing more is added. One that is undone already is not changed. */
export const beginUndo = (tx: Queries, id: number): Promise<void> =>
  end(tx, id, { change: sql`undo_at = coalesce(undo_at, ${Date.now()})`, isEnded: sql`undone_at IS NULL` });

/** What works on the import ends, and forgets the key. */
async function end(tx: Queries, id: number, { change, isEnded }: { change: Sql; isEnded: Sql }): Promise<void> {
  const time = Date.now();
  const ended = await tx.get<{ source: string | null }>(sql`
    UPDATE imports SET ${change}, finished_at = coalesce(finished_at, ${time}), updated_at = ${time}
    WHERE id = ${id} AND (${isEnded}) RETURNING source`);
  if (!ended) return;
  await photoTasks.removeGroup(tx, id);
  if (ended.source !== null) await sourceTasks.add(tx, [sourceTask(id)]);
}

export const isUndoing = async (db: Reader, id: number): Promise<boolean> =>
  (await db.get(sql`SELECT 1 AS one FROM imports WHERE id = ${id} AND undo_at IS NOT NULL AND undone_at IS NULL`)) !==
  null;

/** Removes imports that finished before `before`. Those of sources stay: their items are known again, and can be undone. */
export async function removeOldImports(db: Database, before = Date.now() - 7 * 86_400_000): Promise<void> {
  await removeImports(db, sql`finished_at < ${before} AND (source IS NULL OR is_dry_run = 1)`);
}

/** One that is running ends: it does not find itself any more. */
export const removeImportsOf = (db: Database, ownerID: number) => removeImports(db, sql`owner_id = ${ownerID}`);

async function removeImports(db: Database, isRemoved: Sql): Promise<void> {
  const isOfThem = sql`import_id IN (SELECT id FROM imports WHERE ${isRemoved})`;
  await removeRows(db, "import_files", isOfThem, "import_id, file_id");
  await removeRows(db, "import_items", isOfThem, "id");
  await removeRows(db, "imports", isRemoved);
}

function toImport(all: ImportRow): Import {
  const { undoneAt, undoAt, cancelledAt, readAt, progress: stored, ...row } = all;
  const progress = parseProgress(stored);
  const { added, known, changed, refused, noted, bytes, totalBytes, totalItems, seenBytes } = progress;
  const status = statusOf(all);
  const isReading = row.source !== null && readAt === null;
  const phase = status !== "running" ? "finished" : isReading ? "reading" : "photos";
  return {
    ...row,
    recursive: row.recursive === 1,
    plan: parsePlan(row.plan),
    isDryRun: row.isDryRun === 1,
    status,
    phase,
    needsKey: status === "running" && row.needsKey === 1,
    items: { added, known, changed, refused, noted },
    totalItems,
    bytes,
    seenBytes,
    totalBytes,
    bytesPerSecond: phase === "reading" ? bytesPerSecond(progress) : null,
    secondsLeft: { reading: secondsLeft(progress), photos: secondsOfPhotos(all), finished: null }[phase],
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
    finishedAt: row.finishedAt === null ? null : new Date(row.finishedAt).toISOString(),
  };
}

function statusOf(row: ImportRow): Import["status"] {
  if (row.undoneAt !== null) return "undone";
  if (row.undoAt !== null) return "undoing";
  if (row.finishedAt === null) return "running";
  if (row.cancelledAt !== null) return "cancelled";
  return row.failure === null ? "finished" : "failed";
}

/** As fast as so far. Photos are also made while the source is read. */
function secondsOfPhotos({ createdAt, updatedAt, imported, existing, refused, left }: ImportRow): number | null {
  const made = imported + existing + refused;
  return made === 0 ? null : Math.ceil(((updatedAt - createdAt) / 1000) * (left / made));
}
