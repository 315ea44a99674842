import type { Database } from "../../src/platform/database/database.ts";
import { print } from "../../src/platform/database/postgres-statements.ts";
import { raw, type Sql, sql } from "../../src/platform/database/sql.ts";

/** How SQLite runs a statement, in its own words. */
export type Plan = {
  steps: string[];
  /** Steps that read a table or a whole index, from some position perhaps, and not only what is equal to a value. */
  scans: Step[];
  /** What is sorted, if it may be more than a page. Rows with equal keys are not. */
  sorts: Step[];
  /** Steps that read what is equal to a value which many rows have. */
  fewValues: Step[];
  tables: string[];
};
export type Step = { table: string; detail: string };

/** As many rows that have the same value, on average, are not few. */
const manyRows = 500;

const reading =
  /^(?:SCAN|SEARCH) (\S+)(?: EXISTS)?(?: USING (AUTOMATIC )?(?:PARTIAL )?(?:COVERING )?(?:INDEX (\w+)|INTEGER PRIMARY KEY))? ?(?:\((.*)\))?/;

export async function createPlanReader(db: Database): Promise<(query: Sql) => Promise<Plan>> {
  const schema = await db.all<{ type: string; name: string; tbl_name: string; sql: string | null }>(
    sql`SELECT type, name, tbl_name, sql FROM sqlite_schema`,
  );
  const tables = new Set(schema.filter(({ type }) => type === "table").map(({ name }) => name));
  const indexes = new Map(schema.filter(({ type }) => type === "index").map((one) => [one.name, one]));
  const averages = new Map<string, number>();
  return readPlan;

  async function readPlan(query: Sql): Promise<Plan> {
    const text = print(query.text).replaceAll(/\s+/g, " ");
    const steps = await db.all<{ id: number; parent: number; detail: string }>(sql`EXPLAIN QUERY PLAN ${query}`);
    const plan: Plan = { steps: steps.map(({ detail }) => detail), scans: [], sorts: [], fewValues: [], tables: [] };
    const isPart = (name: string) => plan.steps.some((one) => one.endsWith(` ${name}`) && /^(CO-R|MATERIAL)/.test(one));
    const tableIn = (step = "") => {
      const [, name = ""] = reading.exec(step) ?? [];
      return !name || (step === `SCAN ${name}` && isPart(name)) ? "" : tableOf(text, name);
    };
    for (const { id, parent, detail } of steps) {
      if (detail.startsWith("USE TEMP B-TREE")) {
        const source = steps.find((one) => one.parent === parent && one.id < id && reading.test(one.detail));
        if (!detail.includes("LAST TERM") && !isBounded(text, source?.detail ?? ""))
          plan.sorts.push({ table: tableIn(source?.detail), detail: `${source?.detail}: ${detail}` });
      }
      const [, , isAutomatic, index, columns = ""] = reading.exec(detail) ?? [];
      const table = tableIn(detail);
      if (!table) continue;
      plan.tables.push(table);
      const equal = [...columns.matchAll(/(\w+|<expr>)=\?/g)].map(([, column = ""]) => column);
      // Without a condition, SEARCH reads the first or the last entry.
      const isFew = equal.length > 0 || (detail.startsWith("SEARCH") && !columns);
      const isMany = index !== undefined && (await countRows(index, equal)) > manyRows;
      if (isAutomatic || (!isFew && (isMany || !index))) plan.scans.push({ table, detail });
      else if (isMany && equal.length > 0) plan.fewValues.push({ table, detail });
    }
    return plan;
  }

  /** The table behind a name in a plan; empty for a part of the statement, which has steps of its own. */
  function tableOf(statement: string, name: string): string {
    const text = statement.replaceAll(/ \/\*\w+\*\//g, "");
    const escaped = RegExp.escape(name);
    const words = [...text.matchAll(new RegExp(String.raw`\b(\w+) (?:AS )?${escaped}\b`, "g"))];
    const table = [...words.map(([, word = ""]) => word), name].find((word) => tables.has(word));
    const isPart = new RegExp(String.raw`\b${escaped}(?: \([^()]*\))? AS (?:\w+ )?\(|\) (?:AS )?${escaped}\b`);
    if (!table && !isPart.test(text) && !/^(\(subquery-|CONSTANT$|\d+(-ROW)?$)/.test(name))
      throw new Error(`It is not known what "${name}" is in the plan of this statement: ${text}`);
    return table ?? "";
  }

  /** How many entries of the index have the same values in these columns, on average. */
  async function countRows(name: string, columns: string[]): Promise<number> {
    const index = indexes.get(name);
    if (!index || columns.includes("<expr>")) return 0;
    const key = `${name} ${columns.join()}`;
    const [, condition = "1 = 1"] = / WHERE (.*)$/s.exec(index.sql ?? "") ?? [];
    const groups = columns.length === 0 ? sql`` : sql`GROUP BY ${raw(columns.join())}`;
    const counts = sql`SELECT count(*) AS rows FROM ${raw(index.tbl_name)} WHERE ${raw(condition)} ${groups}`;
    const row = averages.has(key)
      ? null
      : await db.get<{ rows: number | null }>(sql`SELECT avg(rows) AS rows FROM (${counts})`);
    if (row) averages.set(key, row.rows ?? 0);
    return averages.get(key) ?? 0;
  }
}

/** Whether the step reads a row for each of some ids, or a part of the statement that ends with a LIMIT. */
function isBounded(text: string, step: string): boolean {
  const [, name = ""] = reading.exec(step) ?? [];
  return (
    step.endsWith("(rowid=?)") ||
    new RegExp(String.raw`LIMIT \S+(?: OFFSET \S+)? ?\) (?:AS )?${RegExp.escape(name)}\b`).test(text)
  );
}
