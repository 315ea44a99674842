import { raw, sql, type Sql } from "../../platform/database/sql.ts";
import type { Exported, Schema, Table } from "../../platform/database/tables.ts";

/** A table that has a file in `data/`. */
export type ExportedTable = Table & { exported: Exported };

const isExported = (table: Table): table is ExportedTable => table.exported !== undefined;

/** By the names of their files. */
export const listExported = ({ tables }: Pick<Schema, "tables">): ExportedTable[] =>
  tables.filter(isExported).toSorted((a, b) => (a.exported.file < b.exported.file ? -1 : 1));

export function getExported({ tables }: Pick<Schema, "tables">, file: string): ExportedTable {
  const found = tables.filter(isExported).find(({ exported }) => exported.file === file);
  if (!found) throw new Error(`There is no data/${file}.jsonl.`);
  return found;
}

/** The columns that an export has, in the order of its fields. */
export const exportedColumns = ({ columns }: Table): string[] =>
  Object.keys(columns).filter((name) => columns[name]?.left === undefined);

/** What is being deleted for good is not exported. */
const isKept = sql`(trash_id IS NULL OR trash_id IN (SELECT id FROM trash WHERE deleted_at > 0))`;

/** The conditions on the rows that are exported; null if none of them belongs to a person. */
export function conditionsOf(table: ExportedTable, personID: number | null): Sql[] | null {
  const { where } = table.exported;
  const isOf = personID === null ? sql`1 = 1` : selectOf(table, personID);
  const isInTrash = Object.values(table.columns).some(({ role }) => role === "trash");
  return isOf && [...(where ? [where] : []), ...(isInTrash ? [isKept] : []), isOf];
}

/** The rows of one person: their own, or those that are a part of their records. */
function selectOf({ exported, columns }: ExportedTable, personID: number): Sql | null {
  if (exported.isOf) return exported.isOf(personID);
  const entries = Object.entries(columns);
  const [own] = entries.find(([, { role }]) => role === "owner" || role === "person") ?? [];
  if (own) return sql`${raw(own)} = ${personID}`;
  const [part, { partOf = null } = {}] = entries.find(([, column]) => column.partOf) ?? [];
  if (!part || !partOf) return null;
  const { table, column = "id" } = partOf;
  return sql`${raw(part)} IN (SELECT ${raw(column)} FROM ${raw(table)} WHERE owner_id = ${personID})`;
}
