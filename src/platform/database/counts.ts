import type { Maintained } from "./maintained.ts";
import { raw } from "./sql.ts";
import { fromOthers, table } from "./table.ts";
import type { Counts, Table } from "./tables.ts";

/**
 * A table of counts. With `lane` in its key, each count is the sum of its lanes: connections to PostgreSQL write to different
 * ones, so that few of them wait for each other.
 */
export const count = (name: string, key: string[], counts: Counts): Table =>
  // The triggers of another database count again.
  table(name, {}, { key, counts, ...(counts.triggeredBy ? { isTemporary: true } : { without: fromOthers }) });

type CountTable = Table & { counts: Counts };

const countTablesOf = (tables: Table[]) => tables.filter((table): table is CountTable => table.counts !== undefined);

/** Corrects the counts as the triggers count: by adding the differences, so that servers may be running. */
export const maintainedCounts = (tables: Table[]): Maintained[] =>
  countTablesOf(tables).map((table) => ({
    name: table.counts.what,
    rebuild: (db) => db.transaction((tx) => tx.run(raw(addDifferences(table)))),
  }));

/** One statement sees a row together with its count, or neither. */
function addDifferences(table: CountTable): string {
  const { name, counts } = table;
  const stored = `SELECT ${Object.keys(counts.by).join(", ")}, -${counts.number} AS number FROM ${name}`;
  return addSums(table, "0", [selectCounted(counts, counts.of, 1), stored]);
}

const selectCounted = ({ by, where }: Counts, from: string, number: 1 | -1): string => {
  const columns = Object.entries(by).map(([column, print]) => `${print("one")} AS ${column}`);
  return `SELECT ${columns.join(", ")}, ${number} AS number FROM ${from} AS one WHERE ${where?.("one") ?? "1 = 1"}`;
};

/** Always in the same order: transactions that change the same counts must not wait for each other in a circle. */
function addSums({ name, key, counts }: CountTable, lane: string, selects: string[]): string {
  const columns = Object.keys(counts.by).join(", ");
  return `
    INSERT INTO ${name} (${columns}, ${hasLanes(key) ? "lane, " : ""}${counts.number})
    SELECT ${columns}, ${hasLanes(key) ? `${lane}, ` : ""}CAST(sum(number) AS BIGINT) FROM (
      ${selects.join(" UNION ALL ")}) AS changed
    GROUP BY ${columns} HAVING sum(number) <> 0 ORDER BY ${columns}
    ${orAdd(name, key, counts.number)}`;
}

const hasLanes = (key: string[]) => key.includes("lane");
const orAdd = (name: string, key: string[], number: string) =>
  `ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${number} = ${name}.${number} + excluded.${number}`;

/** The triggers that count. */
export const deriveCounts = (tables: Table[], engine: "sqlite" | "postgres"): string[] =>
  countTablesOf(tables).flatMap((table) => {
    const { triggeredBy } = table.counts;
    if (!triggeredBy) return [];
    return engine === "sqlite" ? countOnSqlite(table, triggeredBy) : countOnPostgres(table);
  });

function countOnSqlite({ name, key, counts }: CountTable, triggeredBy: string[]): string[] {
  const { of, by, where = () => "1 = 1", number } = counts;
  const columns = Object.keys(by);
  const valuesOf = (row: string) => Object.values(by).map((print) => print(row));
  const add = `
    INSERT INTO ${name} (${columns.join(", ")}, ${hasLanes(key) ? "lane, " : ""}${number})
    SELECT ${valuesOf("NEW").join(", ")}, ${hasLanes(key) ? "0, " : ""}1 WHERE ${where("NEW")}
    ${orAdd(name, key, number)};`;
  const isOfOld = valuesOf("OLD").map((value, index) => `${columns[index]} = ${value}`);
  const subtract = `
    UPDATE ${name} SET ${number} = ${number} - 1 WHERE ${[...isOfOld, where("OLD")].join(" AND ")};`;
  const isChanged = triggeredBy.map((column) => `NEW.${column} IS NOT OLD.${column}`).join(" OR ");
  const create = (suffix: string, event: string, statements: string) => [
    `DROP TRIGGER IF EXISTS ${name}_${suffix}`,
    `CREATE TRIGGER ${name}_${suffix} AFTER ${event} BEGIN ${statements} END`,
  ];
  return [
    ...create("added", `INSERT ON ${of} WHEN ${where("NEW")}`, add),
    ...create("changed", `UPDATE OF ${triggeredBy.join(", ")} ON ${of} WHEN ${isChanged}`, subtract + add),
    ...create("removed", `DELETE ON ${of} WHEN ${where("OLD")}`, subtract),
  ];
}

/** Once per statement and not per row: many changes of one row in one transaction become slower and slower. */
function countOnPostgres(table: CountTable): string[] {
  const { name, counts } = table;
  const [added, removed] = [selectCounted(counts, "added", 1), selectCounted(counts, "removed", -1)];
  const add = (...selects: string[]) => addSums(table, "pg_backend_pid() % 16", selects);
  const create = (suffix: string, event: string, transition: string) => [
    `DROP TRIGGER IF EXISTS ${name}_${suffix} ON ${counts.of}`,
    `CREATE TRIGGER ${name}_${suffix} AFTER ${event} ON ${counts.of} REFERENCING ${transition}
     FOR EACH STATEMENT EXECUTE FUNCTION count_${name}()`,
  ];
  return [
    `CREATE OR REPLACE FUNCTION count_${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP = 'INSERT' THEN ${add(added)};
      ELSIF TG_OP = 'DELETE' THEN ${add(removed)};
      ELSE ${add(added, removed)}; END IF;
      RETURN NULL;
    END $$`,
    ...create("added", "INSERT", "NEW TABLE AS added"),
    ...create("changed", "UPDATE", "NEW TABLE AS added OLD TABLE AS removed"),
    ...create("removed", "DELETE", "OLD TABLE AS removed"),
  ];
}
