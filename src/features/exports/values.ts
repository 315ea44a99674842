import type { ExportedRecord } from "../../platform/archives/vitrine-export.ts";
import type { Value } from "../../platform/database/sql.ts";
import type { Column } from "../../platform/database/tables.ts";
import { isStorable } from "../../platform/text.ts";
import { exportedColumns, type ExportedTable } from "./exported.ts";

export type Row = Record<string, Value>;

/** `owner_id` → `ownerID`. */
export const fieldOf = (column: string): string =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()).replace(/Id$/, "ID");

type Form = Column["form"];

const formOf = ({ columns }: ExportedTable, name: string): Form => columns[name]?.form ?? "plain";

export function toRecord(table: ExportedTable, row: Row): ExportedRecord {
  return Object.fromEntries(
    exportedColumns(table).map((name) => [fieldOf(name), print(formOf(table, name), row[name] ?? null)]),
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
    exportedColumns(table).map((column) => {
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
