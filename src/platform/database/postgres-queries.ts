import type { DatabaseEvents, Statements } from "./database.ts";
import { observed } from "./observe.ts";
import type { Connection } from "./postgres-connection.ts";
import { isAborted } from "./postgres-errors.ts";
import { ask, print } from "./postgres-statements.ts";
import type { Outcome } from "./generations.ts";
import { sql, type Sql, type Value } from "./sql.ts";
import { type TableFinder, touchesNothing, type Touched } from "./touched-tables.ts";

const rowLocks = { forUpdate: sql`FOR NO KEY UPDATE`, forShare: sql`FOR SHARE` };

type Noting = {
  used(touched: Touched, values: readonly Value[]): void;
  /** Called after each statement. */
  wrote(touched: Touched, values: readonly Value[], outcome: Outcome): void;
};

const notesNothing: Noting = { used() {}, wrote() {} };

/** `sent` holds the statements that were not awaited one by one, `inFlight` counts those without a response. */
export function queries(
  connection: Pick<Connection, "send">,
  { asked, roundTrip }: DatabaseEvents,
  findTables: TableFinder = () => touchesNothing,
  { used, wrote } = notesNothing,
) {
  const sent: Promise<unknown>[] = [];
  const shard = Math.floor(Math.random() * 16);
  // The first statement is sent together with BEGIN, which has been counted.
  let isFirst = true;
  let inFlight = 0;
  let first: unknown;
  const run = async ({ text, values }: Sql, isLater = false) => {
    asked();
    if (inFlight++ === 0 && !isFirst) roundTrip();
    isFirst = false;
    const printed = print(text);
    const touched = findTables(printed);
    used(touched, values);
    // The transaction can be committed together with it.
    if (isLater) wrote(touched, values, null);
    try {
      const rows = await ask(connection, printed, values);
      if (!isLater) wrote(touched, values, touched.returned === "number" ? rows.count : rows);
      return rows;
    } catch (error) {
      first ??= error;
      // A statement that was not awaited has failed before: that is the reason.
      throw isAborted(error) ? first : error;
    } finally {
      inFlight--;
    }
  };
  const tx: Statements = {
    ...rowLocks,
    shard,
    mayWrite: ({ text }, table) => findTables(print(text)).writes.some((one) => one.table === table),
    all: <Row>(query: Sql) => run(query) as Promise<Row[]>,
    get: async <Row>(query: Sql) => ((await run(query))[0] ?? null) as Row | null,
    run: async (query) => (await run(query)).count,
    later(query) {
      const running = run(query, true);
      running.catch(() => {});
      sent.push(running);
    },
    async lock(name) {
      await run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
    },
  };
  return { tx: observed("postgres", tx), sent, inFlight: () => inFlight };
}
