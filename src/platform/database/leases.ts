import type { Database, Lease } from "./database.ts";
import { sql, type Sql } from "./sql.ts";

/** A process that dies leaves its leases behind for so long. */
const heldFor = 60_000;
const renewEvery = 15_000;
export const databaseTime = sql`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)`;

/**
 * Lets one process at a time run a task, by a row that it renews while it works. Every new holder gets a higher token: one
 * that was suspended for longer than its lease learns from `check` that another has taken over. The clock is the
 * database's, so copies need not agree on the time.
 */
export function createLeases(db: Pick<Database, "transaction">): Database["alone"] {
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

  /** The row stays, so that tokens only grow. */
  async function release(task: string, token: number, finished: Sql): Promise<void> {
    await db.transaction((tx) =>
      tx.run(sql`UPDATE leases SET expires_at = 0, ${finished} WHERE task = ${task} AND token = ${token}`),
    );
  }
}
