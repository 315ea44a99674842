import type { Queries } from "../../src/platform/database/database.ts";
import { observe } from "../../src/platform/database/observe.ts";
import { print, withLimits } from "../../src/platform/database/postgres-statements.ts";
import { type Sql, sql } from "../../src/platform/database/sql.ts";

/** A statement, and how many rows and entries of indexes PostgreSQL has read for it. */
export type Measured = { text: string; rows: number };

type Plan = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: Plan[];
};
type Explained = { "QUERY PLAN": [{ Plan: Plan }] };

/** Measures the statements of servers that are started from now on. */
export function measureStatements() {
  let running: Promise<Measured>[] | null = null;
  const stop = observe((_engine, queries) => ({ ...queries, ...measured(queries, (one) => running?.push(one)) }));
  return {
    stop,
    /** What is sent while `work` runs. */
    async measure(work: () => Promise<unknown>): Promise<Measured[]> {
      running = [];
      await work();
      const found = await Promise.all(running);
      running = null;
      return found;
    },
  };

  function measured(queries: Partial<Queries>, add: (one: Promise<Measured>) => void): Partial<Queries> {
    const { all, get, run, later } = queries;
    const note = (query: Sql) => {
      if (running && all) add(explain(query, all, run));
    };
    return {
      ...(all && { all: <Row>(query: Sql) => (note(query), all<Row>(query)) }),
      ...(get && { get: <Row>(query: Sql) => (note(query), get<Row>(query)) }),
      ...(run && { run: (query: Sql) => (note(query), run(query)) }),
      ...(later && { later: (query: Sql) => (note(query), later(query)) }),
    };
  }
}

/** The plan that a connection for reads keeps for a statement with any values, when it is executed with these. */
export const explainKept = `
  CREATE FUNCTION explain_kept(statement TEXT, arguments TEXT) RETURNS JSON LANGUAGE plpgsql AS $$ DECLARE plan JSON; BEGIN
    EXECUTE 'PREPARE measured AS ' || statement;
    EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE measured' || arguments INTO plan;
    DEALLOCATE measured;
    RETURN plan;
  END $$`;

/**
 * Runs the statement, and undoes what it has written. In a transaction, all that is sent arrives in this order, before the
 * statement itself.
 */
async function explain(query: Sql, all: Queries["all"], run: Queries["run"] | undefined): Promise<Measured> {
  const text = print(query.text);
  const [, found] = await Promise.allSettled([
    run?.(sql`SAVEPOINT measured`),
    run ? all<Explained>(sql`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${query}`) : explainRead(query, all),
    run?.(sql`ROLLBACK TO SAVEPOINT measured`),
  ]);
  // What cannot be explained reads no rows: locks, and statements that fail.
  const plan = found.status === "fulfilled" ? (found.value[0]?.["QUERY PLAN"][0].Plan ?? null) : null;
  return { text, rows: plan ? countRows(plan) : 0 };
}

/** How many rows a connection for reads reads for it. The database has the function `explain_kept`. */
export async function countRowsRead(db: Pick<Queries, "all">, query: Sql): Promise<number> {
  const [found] = await explainRead(query, db.all);
  return found ? countRows(found["QUERY PLAN"][0].Plan) : Number.NaN;
}

function explainRead(query: Sql, all: Queries["all"]): Promise<Explained[]> {
  const { text, values } = withLimits(print(query.text), query.values);
  const literals = values.map((value) => (typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : `${value}`));
  const given = literals.length > 0 ? `(${literals.join()})` : "";
  return all<Explained>(sql`SELECT explain_kept(${text}, ${given}) AS "QUERY PLAN"`);
}

function countRows(plan: Plan): number {
  const own =
    plan["Relation Name"] || plan["Index Name"]
      ? plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0) + (plan["Rows Removed by Index Recheck"] ?? 0)
      : 0;
  return (plan.Plans ?? []).reduce((sum, below) => sum + countRows(below), own * plan["Actual Loops"]);
}
