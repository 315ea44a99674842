import { noEvents, type Reader } from "./database.ts";
import type { Taken } from "./postgres-pool.ts";
import { queries } from "./postgres-queries.ts";
import { raw, sql } from "./sql.ts";

/*
 * To plan a list takes PostgreSQL longer than to read it, and it would do so at each execution, because it expects the plan for
 * these values to be cheaper than one for any values. So reads keep their plans. Poolers lose what a session sets: it is a setting
 * of the role in this database, which new connections begin with. Transactions decide as usual, by what they send with BEGIN.
 */

const setting = "plan_cache_mode";
const keep = `${setting} = force_generic_plan`;

/** To be sent with BEGIN. */
export const planAsUsual = `SET LOCAL ${setting} = auto`;

/**
 * The statement with which an administrator makes reads keep their plans. Null if the role or the database has this setting: the
 * program's, or what somebody else has chosen.
 */
export async function findMissingSetting(db: Reader): Promise<string | null> {
  const row = await db.get<{ statement: string }>(sql`
    SELECT format('ALTER ROLE %I IN DATABASE %I SET ${raw(keep)}', session_user, current_database()) AS statement
    WHERE NOT EXISTS (
      SELECT 1 FROM pg_db_role_setting CROSS JOIN unnest(setconfig) AS one
      WHERE one LIKE '${raw(setting)}=%'
        AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
        AND setrole IN (0, (SELECT oid FROM pg_roles WHERE rolname = session_user)))`);
  return row?.statement ?? null;
}

/**
 * Makes reads keep their plans, on connections that are opened from now on. Where the role may not do that, the server works as
 * well, but slower, and doctor says so.
 */
export async function keepPlans(take: () => Promise<Taken>): Promise<void> {
  const connection = await take();
  try {
    const statement = await findMissingSetting(queries(connection, noEvents).tx);
    // A pooler goes on using this connection for others, so it gets what a new one begins with.
    if (statement) await connection.send(`BEGIN; ${statement}; SET ${keep}; COMMIT`);
  } catch {
    await connection.send("ROLLBACK").catch(() => {});
  } finally {
    connection.release();
  }
}
