import type { Database, Queries, Reader } from "../database/database.ts";
import { databaseTime } from "../database/leases.ts";
import { removeRows } from "../database/remove-rows.ts";
import { joined, list, sql, type Sql } from "../database/sql.ts";

const rowsAtOnce = 100;
/** How long a settled task is kept, if it is. */
const keptMs = 30 * 86_400_000;

/** `key` names it in its queue. Tasks of a group can be waited for and removed together. */
export type NewTask<Payload> = { key: string; group: number; payload: Payload };

/** A task that a process has claimed. */
export type Task<Payload> = NewTask<Payload> & {
  id: number;
  /** How often it was begun in a row without an end, this time included. */
  begins: number;
  /** How often it has failed. */
  failures: number;
  /** Grows when it is added again. */
  version: number;
};

/** The process that works on a queue. Its claims expire after `leaseMs`, unless it renews them. */
type Claimer = { queue: string; by: string; leaseMs: number };

/** Another process works on the task, or it was removed: the transaction is rolled back. */
export class LostTask extends Error {}

/** Adds tasks that are due now. One that is there already begins anew, with this payload; if it is running, it runs once more. */
export async function addTasks(tx: Queries, queue: string, tasks: NewTask<unknown>[]): Promise<void> {
  const now = Date.now();
  for (let start = 0; start < tasks.length; start += rowsAtOnce) {
    const rows = tasks
      .slice(start, start + rowsAtOnce)
      .map(({ key, group, payload }) => sql`(${queue}, ${key}, ${group}, ${JSON.stringify(payload)}, ${now}, ${now})`);
    await tx.run(sql`
      INSERT INTO tasks (queue, task_key, group_id, payload, added_at, next_at) VALUES ${joined(rows)}
      ON CONFLICT (queue, task_key) DO UPDATE SET version = tasks.version + 1, payload = excluded.payload,
        added_at = excluded.added_at, next_at = excluded.next_at, begins = 0, failures = 0, settled_at = NULL,
        outcome = NULL, reason = NULL`);
  }
}

/** Adds a task, unless it was added before and is still known. Returns whether it was added. */
export async function addTaskOnce(
  tx: Queries,
  queue: string,
  { key, group, payload }: NewTask<unknown>,
): Promise<boolean> {
  const now = Date.now();
  const added = await tx.run(sql`
    INSERT INTO tasks (queue, task_key, group_id, payload, added_at, next_at)
    VALUES (${queue}, ${key}, ${group}, ${JSON.stringify(payload)}, ${now}, ${now})
    ON CONFLICT (queue, task_key) DO NOTHING`);
  return added > 0;
}

/** Adds a task that is not run, or stores what became of it elsewhere. Returns its id. */
export async function addSettledTask(
  tx: Queries,
  queue: string,
  { key, group, payload }: NewTask<unknown>,
  { outcome, reason }: { outcome: "done" | "given up"; reason: string | null },
): Promise<number> {
  const now = Date.now();
  const row = await tx.get<{ id: number }>(sql`
    INSERT INTO tasks (queue, task_key, group_id, payload, added_at, next_at, settled_at, outcome, reason)
    VALUES (${queue}, ${key}, ${group}, ${JSON.stringify(payload)}, ${now}, ${now}, ${now}, ${outcome}, ${reason})
    ON CONFLICT (queue, task_key) DO UPDATE SET payload = excluded.payload, settled_at = excluded.settled_at,
      outcome = excluded.outcome, reason = excluded.reason
    RETURNING id`);
  return row?.id ?? 0;
}

/** Removes a task whose work is done elsewhere, and returns what it had to do. A process that is doing it will not store the result. */
export async function takeTask<Payload>(tx: Queries, queue: string, key: string): Promise<Payload | null> {
  const row = await tx.get<{ payload: string }>(sql`
    DELETE FROM tasks WHERE queue = ${queue} AND task_key = ${key} AND settled_at IS NULL RETURNING payload`);
  return row && (JSON.parse(row.payload) as Payload);
}

/** Nothing more of a group is done, and nothing is known of what was done. */
export const removeGroup = (tx: Queries, queue: string, group: number): Promise<number> =>
  tx.run(sql`DELETE FROM tasks WHERE queue = ${queue} AND group_id = ${group}`);

/** Removes the tasks of a group, or those with these keys, that no process has begun. */
export async function removeWaiting(
  tx: Queries,
  queue: string,
  which: { group: number } | { keys: string[] },
): Promise<void> {
  const isMeant = "group" in which ? sql`group_id = ${which.group}` : sql`task_key IN (${list(["", ...which.keys])})`;
  await tx.run(sql`DELETE FROM tasks WHERE queue = ${queue} AND settled_at IS NULL AND begins = 0 AND ${isMeant}`);
}

/** Whether a group has tasks that are not settled; besides this one. */
export const hasTasks = (queue: string, group: Sql | number, besides = 0): Sql => sql`
  EXISTS (SELECT 1 FROM tasks WHERE tasks.queue = ${queue} AND tasks.group_id = ${group} AND tasks.settled_at IS NULL
    AND tasks.id <> ${besides})`;

/** By the clock of the database if several copies use it: the clocks of the copies do not have to agree. */
const claimTime = ({ engine }: Pick<Database, "engine">): Sql =>
  engine === "postgres" ? databaseTime : sql`${Date.now()}`;

type Waiting = Claimer & {
  running: number[];
  /** Groups of which nothing is begun. */
  busy: number[];
  /** Only those that were added since. */
  addedSince: number;
  where: Sql;
};

const isWaiting = ({ queue, running, busy, addedSince, where }: Waiting): Sql => sql`
  queue = ${queue} AND settled_at IS NULL AND added_at >= ${addedSince} AND ${where}
    AND id NOT IN (${list([0, ...running])}) AND group_id NOT IN (${list([-1, ...busy])})`;

const isDue = (db: Pick<Database, "engine">, { by, ...waiting }: Waiting): Sql => sql`
  ${isWaiting({ by, ...waiting })} AND (claimed_until <= ${claimTime(db)} OR claimed_by = ${by})
    AND next_at <= ${Date.now()}`;

/** When the next task is due, or another process has to renew its claim on one, unless something is written before. */
export async function findNextTime(db: Database, waiting: Waiting): Promise<number> {
  const freeAt = sql`claimed_until - ${claimTime(db)} + ${Date.now()}`;
  const row = await db.get<{ next: number | null }>(sql`
    SELECT min(CASE WHEN claimed_by = ${waiting.by} OR next_at > ${freeAt} THEN next_at ELSE ${freeAt} END) AS next
    FROM tasks WHERE ${isWaiting(waiting)}`);
  return row?.next ?? Number.MAX_SAFE_INTEGER;
}

/** The group whose turn it is: so that a group of many tasks does not delay the others. */
export async function findNextGroup(db: Database, due: Waiting, last: number): Promise<number | null> {
  const find = (after: number) =>
    db.get<{ group_id: number }>(sql`
      SELECT group_id FROM tasks WHERE ${isDue(db, due)} AND group_id > ${after} ORDER BY group_id LIMIT 1`);
  return ((await find(last)) ?? (last < 0 ? null : await find(-1)))?.group_id ?? null;
}

type TaskRow = Omit<Task<never>, "key" | "group" | "payload"> & {
  task_key: string;
  group_id: number;
  payload: string;
};

/** Claims tasks by one statement, and stores that they begin. Of two processes that do this at the same time, each task goes to one. */
export async function claimTasks<Payload>(
  db: Database,
  due: Waiting,
  { group, most }: { group: number; most: number },
): Promise<Task<Payload>[]> {
  const rows = await db.transaction((tx) =>
    tx.all<TaskRow>(sql`
      UPDATE tasks SET begins = begins + 1, claimed_by = ${due.by}, claimed_until = ${claimTime(db)} + ${due.leaseMs}
      WHERE ${isDue(db, due)} AND id IN (
        SELECT id FROM tasks WHERE ${isDue(db, due)} AND group_id = ${group} ORDER BY next_at, id LIMIT ${most})
      RETURNING id, task_key, group_id, payload, begins, failures, version`),
  );
  return rows
    .map(({ task_key: key, group_id: of, payload, ...row }) => ({
      ...row,
      key,
      group: of,
      payload: JSON.parse(payload) as Payload,
    }))
    .toSorted((one, other) => one.id - other.id);
}

/** Only this process runs a task, whenever it is due, until it ends. */
export async function holdTask(db: Database, tx: Queries, { queue, by, leaseMs }: Claimer, key: string): Promise<void> {
  await tx.run(sql`
    UPDATE tasks SET claimed_by = ${by}, claimed_until = ${claimTime(db)} + ${leaseMs}
    WHERE queue = ${queue} AND task_key = ${key}`);
}

/** Renews what a process has claimed. */
export async function renewClaims(db: Database, { queue, by, leaseMs }: Claimer): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      UPDATE tasks SET claimed_until = ${claimTime(db)} + ${leaseMs} WHERE queue = ${queue} AND claimed_by = ${by}`),
  );
}

/** Others need not wait until the claims expire. Without `by`, those of all processes: none of them is there any more. */
export async function releaseClaims(db: Database, queue: string, by?: string): Promise<void> {
  const isClaimed = sql`queue = ${queue} AND claimed_by ${by === undefined ? sql`IS NOT NULL` : sql`= ${by}`}`;
  // Mostly there is none, and then no transaction has to be flushed.
  if (!(await db.get(sql`SELECT 1 AS one FROM tasks WHERE ${isClaimed} LIMIT 1`))) return;
  // A process that ends in order has not crashed.
  const begins = by === undefined ? sql`begins` : sql`0`;
  await db.transaction((tx) =>
    tx.run(sql`UPDATE tasks SET claimed_by = NULL, claimed_until = 0, begins = ${begins} WHERE ${isClaimed}`),
  );
}

export const isClaimed = async (db: Reader, { by }: Pick<Claimer, "by">, id: number): Promise<boolean> =>
  (await db.get(sql`SELECT 1 AS one FROM tasks WHERE id = ${id} AND claimed_by = ${by}`)) !== null;

/** It has brought something new: if its process ends now, that was no begin in vain. */
export async function forgetBegins(tx: Queries, { by }: Pick<Claimer, "by">, id: number): Promise<void> {
  await tx.run(sql`UPDATE tasks SET begins = 0 WHERE id = ${id} AND claimed_by = ${by}`);
}

export type Settling =
  /** `kept` is what is kept of its payload; undefined: the task is removed. */
  | { outcome: "done" | "given up"; reason: string | null; kept: unknown }
  | { nextAt: number; reason: string | null; payload: unknown; failures: number; isCrash: boolean; isHeld: boolean };

/** Stores the result of a task. Throws if this process has lost it. One that was added again meanwhile is due again. */
export async function settleTask(
  tx: Queries,
  { by }: Claimer,
  { id, version, begins }: Task<unknown>,
  settling: Settling,
): Promise<void> {
  const isOurs = sql`id = ${id} AND claimed_by = ${by}`;
  const isSame = sql`${isOurs} AND version = ${version}`;
  const free = sql`claimed_by = NULL, claimed_until = 0`;
  if (!("outcome" in settling)) {
    const { nextAt, reason, payload, failures, isCrash, isHeld } = settling;
    const stored = await tx.run(sql`
      UPDATE tasks SET next_at = ${nextAt}, reason = ${reason}, payload = ${JSON.stringify(payload)}, failures = ${failures},
        begins = ${isCrash ? begins : 0} ${isHeld ? sql`` : sql`, ${free}`}
      WHERE ${isSame}`);
    if (stored > 0) return;
  } else if (settling.kept === undefined) {
    if ((await tx.run(sql`DELETE FROM tasks WHERE ${isSame}`)) > 0) return;
  } else {
    const { outcome, reason, kept } = settling;
    const stored = await tx.run(sql`
      UPDATE tasks SET settled_at = ${Date.now()}, outcome = ${outcome}, reason = ${reason},
        payload = ${JSON.stringify(kept)}, ${free}
      WHERE ${isSame}`);
    if (stored > 0) return;
  }
  if ((await tx.run(sql`UPDATE tasks SET begins = 0, ${free} WHERE ${isOurs}`)) === 0) throw new LostTask();
}

/** Whether a group has something to do now, or a process is doing it. */
export const isGroupDue = async (db: Reader, queue: string, group: number): Promise<boolean> =>
  (await db.get(sql`
    SELECT 1 AS one FROM tasks
    WHERE queue = ${queue} AND group_id = ${group} AND settled_at IS NULL AND next_at <= ${Date.now()} LIMIT 1`)) !==
  null;

/** Of all queues. */
export const removeSettledTasks = (db: Database): Promise<number> =>
  removeRows(db, "tasks", sql`settled_at < ${Date.now() - keptMs}`);
