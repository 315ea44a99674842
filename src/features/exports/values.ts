import type { ExportedRecord } from "../../platform/archives/vitrine-export.ts";
import type { Value } from "../../platform/database/sql.ts";
import { isStorable } from "../../platform/text.ts";
import type { ExportedTable, Form } from "./tables.ts";

export type Row = Record<string, Value>;

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

/** Throws a sentence if a field has no value of its form. */
export function toRow(table: ExportedTable, record: ExportedRecord): Row {
  return Object.fromEntries(
    table.columns.map((column) => {
      const field = fieldOf(column);
      const value = parse(formOf(table, column), record[field] ?? null);
      if (value === undefined) throw new Error(`"${field}" is not what it should be.`);
      return [column, value];
    }),
  );
}

function parse(form: Form, value: unknown): Value | undefined {
  if (value === null) return null;
  if (form === "flag") return typeof value === "boolean" ? Number(value) : undefined;
  if (form === "json") return JSON.stringify(value);
  if (form === "time") {
    const time = typeof value === "string" ? Date.parse(value) : NaN;
    return Number.isNaN(time) ? undefined : time;
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return typeof value === "string" && isStorable(value) ? value : undefined;
}
