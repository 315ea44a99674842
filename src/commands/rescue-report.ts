import type { Database } from "../platform/database/database.ts";
import type { Salvaged } from "../platform/database/salvage.ts";
import type { Mended } from "../platform/database/salvage-references.ts";
import { joinedBy, raw, sql, type Value } from "../platform/database/sql.ts";
import { platformTables } from "../platform/database/platform-tables.ts";
import { table } from "../platform/database/table.ts";
import { type Schema, type Table } from "../platform/database/tables.ts";

type Columns = { [name: string]: Value };

/** What is missing in a rescued site, and what was changed because of that, in lines for people. */
export async function describeLosses(
  db: Database,
  schema: Schema,
  salvaged: Salvaged[],
  { standIns, emptied, removed }: Mended,
): Promise<string[]> {
  const tables = [...schema.tables, ...platformTables];
  const tableOf = (name: string): Table =>
    tables.find((table) => table.name === name) ?? table(name, {}, { key: ["name"] });
  const name = async (table: string, row: Columns) => {
    const kind = schema.documents.find((one) => one.table === table)?.kind ?? null;
    return `${keyOf(tableOf(table), row)}${quote(nameIn(row) ?? (await findName(db, kind, row.id ?? null)))}`;
  };
  const lines: string[] = [];
  for (const { table, saved, lost, doubtful, mended } of salvaged) {
    for (const { row, columns } of mended)
      lines.push(`${table}: damaged, with U+FFFD for what is no text in ${columns.join()}: ${await name(table, row)}`);
    if (lost.size + doubtful.length === 0) continue;
    lines.push(`${table}: ${count(saved, "row")} saved.`);
    const unnamed: number[] = [];
    let madeAgain = 0;
    for (const [rowid, known] of lost) {
      const row = tableOf(table).key[0] === "id" ? { ...known, id: rowid } : known;
      const isStandIn = standIns.some((one) => one.table === table && one.row.id === rowid);
      if (isStandIn) continue;
      if (await hasRow(db, tableOf(table), row)) madeAgain++;
      else if (keyOf(tableOf(table), row)) lines.push(`${table}: lost: ${await name(table, row)}`);
      else unnamed.push(rowid);
    }
    if (madeAgain > 0) lines.push(`${table}: ${count(madeAgain, "lost row")} could be derived again.`);
    if (unnamed.length > 0) lines.push(`${table}: lost: ${count(unnamed.length, "row")} of which nothing is known.`);
    for (const { low, high } of doubtful)
      lines.push(`${table}: may be lost: rows ${low + 1} to ${high === Infinity ? "the last one" : high}.`);
  }
  for (const { table, row } of standIns)
    lines.push(`${table}: lost, and replaced by what is known of it: ${await name(table, row)}`);
  for (const { table, column, row } of emptied)
    lines.push(`${table}: ${await name(table, row)} has lost its ${column} (${row[column]}).`);
  for (const { table, refersTo, row } of removed)
    lines.push(`${table}: left out, because what it refers to in ${refersTo} is lost: ${await name(table, row)}`);
  return lines;
}

const count = (number: number, what: string) => `${number} ${number === 1 ? what : `${what}s`}`;
const quote = (name: string | null) => (name ? ` (${JSON.stringify(name)})` : "");

/** Empty if it is not known. */
function keyOf({ key }: Table, row: Columns): string {
  return key.every((column) => row[column] !== undefined) ? key.map((column) => row[column]).join("/") : "";
}

function nameIn({ title, name, username, username_key: key, slug }: Columns): string | null {
  return [title, name, username, key, slug].find((value) => typeof value === "string") ?? null;
}

/** The name that a record had when it was last changed. */
async function findName(db: Database, kind: string | null, id: Value): Promise<string | null> {
  if (kind === null || id === null) return null;
  const found = await db.get<{ name: string }>(
    sql`SELECT name FROM activity WHERE kind = ${kind} AND record_id = ${id} ORDER BY id DESC LIMIT 1`,
  );
  return found?.name ?? null;
}

async function hasRow(db: Database, { name, key }: Table, row: Columns): Promise<boolean> {
  if (key.some((column) => row[column] === undefined)) return false;
  const isSame = key.map((column) => sql`${raw(column)} = ${row[column] ?? null}`);
  return (await db.get(sql`SELECT 1 AS one FROM ${raw(name)} WHERE ${joinedBy(" AND ", isSame)}`)) !== null;
}
