import type { Maintained } from "./maintained.ts";
import { raw } from "./sql.ts";
import { fromOthers, table } from "./table.ts";
import type { Counts, Table } from "./tables.ts";

/**
 * A table of counts. With `lane` in its key, each count is the sum of its lanes: connections to PostgreSQL write to different
 * ones, so that few of them wait for each other. Without lanes, triggers remove the counts of nothing.
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
    async rebuild(db) {
      const { name, counts } = table;
      const stored = `SELECT ${columnsOf(counts)}, -${counts.number} AS number FROM ${name}`;
      // One statement sees a row together with its count, or neither.
      const differences = sumUp(table, "0", [...selectCounted(counts, counts.of, 1), stored]);
      // Nearly always, there is nothing for which writers have to wait.
      if ((await db.get(raw(`${differences} LIMIT 1`))) === null) return 0;
      return db.transaction((tx) => tx.run(raw(addSums(table, differences))), { isLong: true });
    },
  }));

const columnsOf = ({ by: [first = {}] }: Counts) => Object.keys(first).join(", ");

const selectCounted = ({ by, where }: Counts, from: string, number: 1 | -1): string[] =>
  by.map((key) => {
    const columns = Object.entries(key).map(([column, print]) => `${print("one")} AS ${column}`);
    return `SELECT ${columns.join(", ")}, ${number} AS number FROM ${from} AS one WHERE ${where?.("one") ?? "1 = 1"}`;
  });

/** Always in the same order: transactions that change the same counts must not wait for each other in a circle. */
function sumUp({ key, counts }: CountTable, lane: string, selects: string[]): string {
  const columns = columnsOf(counts);
  return `
    SELECT ${columns}, ${hasLanes(key) ? `${lane}, ` : ""}CAST(sum(number) AS BIGINT) FROM (
      ${selects.join(" UNION ALL ")}) AS changed
    GROUP BY ${columns} HAVING sum(number) <> 0 ORDER BY ${columns}`;
}

const addSums = ({ name, key, counts }: CountTable, sums: string): string => `
  INSERT INTO ${name} (${columnsOf(counts)}, ${hasLanes(key) ? "lane, " : ""}${counts.number}) ${sums}
  ${orAdd(name, key, counts.number)}`;

const valuesOf = (key: Counts["by"][number], row: string) =>
  Object.values(key)
    .map((print) => print(row))
    .join(", ");
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

function countOnSqlite(table: CountTable, triggeredBy: string[]): string[] {
  const { name, key, counts } = table;
  const { of, by, where = () => "1 = 1", number } = counts;
  const rows = by.map((one) => `SELECT ${valuesOf(one, "NEW")}${hasLanes(key) ? ", 0" : ""}, 1 WHERE ${where("NEW")}`);
  const add = `${addSums(table, rows.join(" UNION ALL "))};`;
  const subtractions = by.map((one) => {
    const isOld = Object.entries(one).map(([column, print]) => `${column} = ${print("OLD")}`);
    const old = [...isOld, where("OLD")].join(" AND ");
    return `
      ${hasLanes(key) ? "" : `DELETE FROM ${name} WHERE ${old} AND ${number} = 1;`}
      UPDATE ${name} SET ${number} = ${number} - 1 WHERE ${old};`;
  });
  const isOther = [...by.flatMap(Object.values), where].map((print) => `(${print("NEW")}) IS NOT (${print("OLD")})`);
  const create = (suffix: string, event: string, statements: string) => [
    `DROP TRIGGER IF EXISTS ${name}_${suffix}`,
    `CREATE TRIGGER ${name}_${suffix} AFTER ${event} BEGIN ${statements} END`,
  ];
  const subtract = subtractions.join("");
  return [
    ...create("added", `INSERT ON ${of} WHEN ${where("NEW")}`, add),
    ...create(
      "changed",
      `UPDATE OF ${triggeredBy.join(", ")} ON ${of} WHEN ${[...new Set(isOther)].join(" OR ")}`,
      subtract + add,
    ),
    ...create("removed", `DELETE ON ${of} WHEN ${where("OLD")}`, subtract),
  ];
}

/** Once per statement and not per row: many changes of one row in one transaction become slower and slower. */
function countOnPostgres(table: CountTable): string[] {
  const { name, key, counts } = table;
  const [added, removed] = [selectCounted(counts, "added", 1), selectCounted(counts, "removed", -1)];
  const add = (selects: string[]) => `${addSums(table, sumUp(table, "pg_backend_pid() % 16", selects))};`;
  const clear = hasLanes(key)
    ? ""
    : `DELETE FROM ${name} WHERE ${counts.number} = 0
        AND (${columnsOf(counts)}) IN (SELECT ${columnsOf(counts)} FROM (${removed.join(" UNION ALL ")}) AS gone);`;
  const create = (suffix: string, event: string, transition: string) => [
    `DROP TRIGGER IF EXISTS ${name}_${suffix} ON ${counts.of}`,
    `CREATE TRIGGER ${name}_${suffix} AFTER ${event} ON ${counts.of} REFERENCING ${transition}
     FOR EACH STATEMENT EXECUTE FUNCTION count_${name}()`,
  ];
  return [
    `CREATE OR REPLACE FUNCTION count_${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP = 'INSERT' THEN ${add(added)}
      ELSIF TG_OP = 'DELETE' THEN ${add(removed)} ${clear}
      ELSE ${add([...added, ...removed])} ${clear}
      END IF;
      RETURN NULL;
    END $$`,
    ...create("added", "INSERT", "NEW TABLE AS added"),
    ...create("changed", "UPDATE", "NEW TABLE AS added OLD TABLE AS removed"),
    ...create("removed", "DELETE", "OLD TABLE AS removed"),
  ];
}
