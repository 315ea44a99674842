import type { Reader } from "./database.ts";
import type { Engine } from "./migrate.ts";
import { joinedBy, raw, sql, type Sql } from "./sql.ts";
import type { Schema, Table } from "./tables.ts";

const maxLines = 20;

/** What the database itself finds wrong with how it has stored its tables and indexes, in lines for people. */
export async function findDamage(db: Reader, engine: Engine): Promise<string[]> {
  try {
    return await (engine === "sqlite" ? findInSqlite(db) : findInPostgres(db));
  } catch (error) {
    // Some damage ends the check itself.
    return [(error as Error).message];
  }
}

async function findInSqlite(db: Reader): Promise<string[]> {
  const rows = await db.all<{ integrity_check: string }>(raw(`PRAGMA integrity_check(${maxLines})`));
  const lines = rows.flatMap((row) => row.integrity_check.split("\n"));
  return lines.filter((line) => line !== "ok").slice(0, maxLines);
}

/**
 * PostgreSQL checks its pages as it reads them, if it has checksums. Here: indexes and constraints that are not valid, and
 * the order of every index if the extension amcheck is installed.
 */
async function findInPostgres(db: Reader): Promise<string[]> {
  const rows = await db.all<{ line: string }>(sql`
    SELECT 'the index ' || indexrelid::regclass || ' is not valid' AS line FROM pg_index
    JOIN pg_class ON pg_class.oid = indrelid
    WHERE NOT indisvalid AND relnamespace = current_schema()::regnamespace
    UNION ALL
    SELECT 'the constraint ' || conname || ' of ' || conrelid::regclass || ' is not valid' FROM pg_constraint
    WHERE NOT convalidated AND connamespace = current_schema()::regnamespace
    LIMIT ${maxLines}`);
  if (!(await db.get(sql`SELECT 1 AS one FROM pg_extension WHERE extname = 'amcheck'`))) return rows.map(lineOf);
  const trees = await db.all<{ name: string }>(sql`
    SELECT pg_class.oid::regclass::text AS name FROM pg_class JOIN pg_am ON pg_am.oid = relam
    WHERE relkind = 'i' AND amname = 'btree' AND relnamespace = current_schema()::regnamespace ORDER BY 1`);
  for (const { name } of trees) await db.get(sql`SELECT bt_index_check(CAST(${name} AS regclass)) AS checked`);
  return rows.map(lineOf);
}

const lineOf = ({ line }: { line: string }) => line;

/**
 * Rows of SQLite with values that a CHECK of their table forbids: only damage stores them. Where a database is only read, SQLite
 * does not compare them itself. PostgreSQL checks its pages instead.
 */
export async function* findWrongValues(db: Reader, engine: Engine, tables: Table[]): AsyncGenerator<WrongRows> {
  if (engine !== "sqlite") return;
  for (const { name, key } of tables) {
    const schema = await db.get<{ sql: string }>(sql`SELECT sql FROM sqlite_schema WHERE name = ${name}`);
    const checks = Array.from((schema?.sql ?? "").matchAll(checkPattern), ([, check = ""]) => check);
    if (checks.length === 0) continue;
    const counts = checks.map((check, index) => raw(`count(CASE WHEN NOT (${check}) THEN 1 END) AS wrong${index}`));
    const found = await db.get<Record<string, number>>(sql`SELECT ${joinedBy(", ", counts)} FROM ${raw(name)}`);
    for (const [index, check] of checks.entries()) {
      const count = found?.[`wrong${index}`] ?? 0;
      if (count === 0) continue;
      const rows = await db.all<Record<string, unknown>>(
        sql`SELECT ${raw(key.join(", "))} FROM ${raw(name)} WHERE NOT (${raw(check)}) LIMIT ${maxNamed}`,
      );
      yield { table: name, what: `without ${check}`, rows: rows.map(nameOf).toSorted(), count, repair: restore };
    }
  }
}

/** The conditions have calls and lists in them, and nothing deeper. */
const checkPattern = /\bCHECK \(((?:[^()]|\([^()]*\))*)\)/g;

/** Columns of a table that refer to those of another one. */
export type Reference = {
  table: string;
  columns: string[];
  refersTo: string;
  itsColumns: string[];
  where: Sql;
  repair: string;
};

/** Rows that cannot be right. `what` follows after their number, and `rows` has the keys of the first ones. */
export type WrongRows = { table: string; what: string; rows: string[]; count: number; repair: string };

/** A condition on the rows of a table, by the name `child`, that none of them may meet. */
type Wrong = { table: string; where: Sql; what: string; repair: string };

const maxNamed = 5;
const restore = "restore a backup from before the damage";

type Declared = Pick<Schema, "documents"> & { tables: Table[] };

/**
 * Rows that refer to a row that does not exist, by the foreign keys of the database and by what the tables declare; rows that
 * cannot be reached in their tree; and rows that contradict others.
 */
export async function* findContradictions(
  db: Reader,
  engine: Engine,
  { tables, documents }: Declared,
): AsyncGenerator<WrongRows> {
  const wrong = [
    ...(await listReferences(db, engine, tables)).map(describeBroken),
    ...tables.flatMap((table) => [...listLost(table, documents), ...listCutOff(table), ...listContradictions(table)]),
  ];
  for (const one of wrong) {
    const { table, what, repair } = one;
    const selected = selectWrong(one);
    const found = await db.get<{ count: number }>(sql`SELECT count(*) AS count FROM ${selected}`);
    if (!found?.count) continue;
    const key = tables.find(({ name }) => name === table)?.key ?? ["*"];
    const columns = joinedBy(
      ", ",
      key.map((column) => raw(`child.${column}`)),
    );
    const rows = await db.all<Record<string, unknown>>(sql`SELECT ${columns} FROM ${selected} LIMIT ${maxNamed}`);
    yield { table, what, rows: rows.map(nameOf).toSorted(), count: found.count, repair };
  }
}

const nameOf = (row: Record<string, unknown>) => Object.values(row).join("/");

/** By foreign keys, and by what the tables declare. */
export async function listReferences(db: Reader, engine: Engine, tables: Table[]): Promise<Reference[]> {
  const declared = tables.flatMap(({ name, references = [] }) =>
    references.map(({ column, table, where, repair }) => ({
      table: name,
      columns: [column],
      refersTo: table,
      itsColumns: ["id"],
      where: where ? raw(where) : sql`1 = 1`,
      repair,
    })),
  );
  return [...(await listForeignKeys(db, engine)), ...declared];
}

/** What stands after FROM in a statement that reads such rows, as `child`. */
const selectWrong = ({ table, where }: Wrong): Sql => sql`${raw(table)} AS child WHERE ${where}`;
export const selectBroken = (reference: Reference): Sql => selectWrong(describeBroken(reference));

/** The same for rows with the kind and the id of a record that does not exist. */
export const selectLost = (table: Table, documents: Schema["documents"]): Sql[] =>
  listLost(table, documents).map(selectWrong);

function describeBroken({ table, columns, refersTo, itsColumns, where, repair }: Reference): Wrong {
  const isSet = columns.map((column) => raw(`child.${column} IS NOT NULL`));
  const isSame = columns.map((column, index) => raw(`parent.${itsColumns[index]} = child.${column}`));
  return {
    table,
    where: sql`${joinedBy(" AND ", isSet)} AND (${where})
      AND NOT EXISTS (SELECT 1 FROM ${raw(refersTo)} AS parent WHERE ${joinedBy(" AND ", isSame)})`,
    what: `whose ${columns.join(", ")} does not exist in ${refersTo}`,
    repair,
  };
}

/** Rows with the kind and the id of a record that does not exist. */
const listLost = ({ name, recordReferences = [] }: Table, documents: Schema["documents"]): Wrong[] =>
  recordReferences.map(({ kind, id, where = "1 = 1", repair }) => {
    const exists = documents.map(
      (one) =>
        sql`(child.${raw(kind)} = ${one.kind} AND EXISTS (SELECT 1 FROM ${raw(one.table)} AS parent WHERE parent.id = child.${raw(id)}))`,
    );
    return {
      table: name,
      where: sql`(${raw(where)}) AND NOT (${joinedBy(" OR ", exists)})`,
      what: `whose ${id} is that of no record`,
      repair,
    };
  });

/** Rows that are below themselves, or below a row that is not reached. */
function listCutOff({ name, tree }: Table): Wrong[] {
  if (!tree) return [];
  const [table, parent] = [raw(name), raw(tree.parent)];
  return [
    {
      table: name,
      where: sql`EXISTS (SELECT 1 FROM ${table} AS parent WHERE parent.id = child.${parent}) AND child.id NOT IN (
        WITH RECURSIVE reached (id) AS (
          SELECT child.id FROM ${table} AS child WHERE ${raw(tree.isRoot)}
          UNION SELECT child.id FROM ${table} AS child JOIN reached ON child.${parent} = reached.id)
        SELECT id FROM reached)`,
      what: "that cannot be reached from the top of the tree",
      repair: restore,
    },
  ];
}

const listContradictions = ({ name, contradictions = [] }: Table): Wrong[] =>
  contradictions.map(({ where, ...more }) => ({ ...more, table: name, where: raw(where) }));

type KeyColumn = { name: string; table: string; column: string; refersTo: string; itsColumn: string };

/** Foreign keys with all their columns. */
async function listForeignKeys(db: Reader, engine: Engine): Promise<Reference[]> {
  const rows = await db.all<KeyColumn>(
    engine === "sqlite"
      ? sql`
        SELECT tables.name || keys.id AS name, tables.name AS "table", keys."from" AS "column", keys."table" AS "refersTo",
          coalesce(keys."to", 'id') AS "itsColumn"
        FROM sqlite_schema AS tables JOIN pragma_foreign_key_list(tables.name) AS keys WHERE tables.type = 'table'
        ORDER BY tables.name, keys.id, keys.seq`
      : sql`
        SELECT conname::text AS name, conrelid::regclass::text AS "table", own.attname::text AS "column",
          confrelid::regclass::text AS "refersTo", its.attname::text AS "itsColumn"
        FROM pg_constraint CROSS JOIN LATERAL unnest(conkey, confkey) WITH ORDINALITY AS pair (own, its, position)
        JOIN pg_attribute AS own ON own.attrelid = conrelid AND own.attnum = pair.own
        JOIN pg_attribute AS its ON its.attrelid = confrelid AND its.attnum = pair.its
        WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
        ORDER BY conname, position`,
  );
  return [...Map.groupBy(rows, ({ table, name }) => `${table} ${name}`).values()].map((columns) => {
    const [{ table, refersTo }] = columns as [KeyColumn, ...KeyColumn[]];
    return {
      table,
      columns: columns.map(({ column }) => column),
      refersTo,
      itsColumns: columns.map(({ itsColumn }) => itsColumn),
      where: sql`1 = 1`,
      repair: restore,
    };
  });
}
