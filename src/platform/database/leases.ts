import type { Database, Lease } from "./database.ts";
import { sql, type Sql } from "./sql.ts";

/** The leases of a process that dies expire after this time. */
const heldFor = 60_000;
const renewEvery = 15_000;
export const databaseTime = sql`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)`;

/**
 * Lets only one process at a time run a task: it holds a row, which it renews while it works. Every new holder gets a
 * higher token, so that a process which was suspended for longer than its lease learns from `check` that another one
 * has taken over. Times come from the clock of the database, so the clocks of the copies do not have to agree.
 */
export function createLeases(db: Pick<Database, "transaction">): Database["runExclusively"] {
  return async (task, work, restMs = 0) => {
    const token = await acquire(task, restMs);
    if (token === null) return;
    const timer = setInterval(() => void renew(task, token).catch(() => {}), renewEvery);
    const lease: Lease = {
      async check() {
        if (!(await renew(task, token))) throw new Error(`Another process has taken over the task "${task}".`);
      },
    };
    try {
      await work(lease);
      await release(task, token, sql`finished_at = ${databaseTime}`);
    } catch (error) {
      await release(task, token, sql`finished_at = 0`);
      throw error;
    } finally {
      clearInterval(timer);
    }
  };

  async function acquire(task: string, restMs: number): Promise<number | null> {
    const row = await db.transaction((tx) =>
      tx.get<{ token: number }>(sql`
        INSERT INTO leases (task, token, expires_at, finished_at) VALUES (${task}, 1, ${databaseTime} + ${heldFor}, 0)
        ON CONFLICT (task) DO UPDATE SET token = leases.token + 1, expires_at = excluded.expires_at
        WHERE leases.expires_at < ${databaseTime} AND leases.finished_at <= ${databaseTime} - ${restMs}
        RETURNING token`),
    );
    return row?.token ?? null;
  }

  async function renew(task: string, token: number): Promise<boolean> {
    const renewed = await db.transaction((tx) =>
      tx.run(
        sql`UPDATE leases SET expires_at = ${databaseTime} + ${heldFor} WHERE task = ${task} AND token = ${token}`,
      ),
    );
    return renewed > 0;
  }

  /** The row is kept, so that tokens only increase. */
  async function release(task: string, token: number, finished: Sql): Promise<void> {
    await db.transaction((tx) =>
      tx.run(sql`UPDATE leases SET expires_at = 0, ${finished} WHERE task = ${task} AND token = ${token}`),
    );
  }
}
