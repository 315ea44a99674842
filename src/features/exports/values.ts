import type { Value } from "../../platform/database/sql.ts";
import type { ExportedTable, Form } from "./tables.ts";

export type Row = Record<string, Value>;
export type ExportedRecord = Record<string, unknown>;

/** `owner_id` → `ownerID`. */
export const fieldOf = (column: string): string =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()).replace(/Id$/, "ID");

function formOf({ forms = {} }: ExportedTable, column: string): Form {
  const given = forms[column];
  if (given) return given;
  if (column.endsWith("_at")) return "time";
  return /^(is|allow|show)_/.test(column) ? "flag" : "plain";
}

export function toRecord(table: ExportedTable, row: Row): ExportedRecord {
  return Object.fromEntries(
    table.columns.map((column) => [fieldOf(column), print(formOf(table, column), row[column] ?? null)]),
  );
}

function print(form: Form, value: Value): unknown {
  if (value === null) return null;
  if (form === "time") return new Date(Number(value)).toISOString();
  if (form === "flag") return value === 1;
  return form === "json" ? (JSON.parse(String(value)) as unknown) : value;
}
