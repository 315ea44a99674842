import { joinedBy, sql, type Sql } from "./platform/database/sql.ts";
import type { RecordKind } from "./record-kind.ts";

/** What the modules declare of the things that owners have. `selects` are those of `holdings` in `Module`. */
export type Holdable = { kinds: RecordKind[]; selects: (own: Sql) => Sql[] };

/** One part of what an owner has. */
export type HoldingRow = { owner_id: number; part: string; count: number; bytes: number };

export type Amount = { count: number; bytes: number };

/** The fields that count kinds of records. */
export const countedFields = ({ kinds }: Holdable): string[] => countedIn(kinds).map(({ field }) => field);

const countedIn = (kinds: RecordKind[]) => kinds.flatMap(({ counted }) => counted ?? []);

/** Selects the rows of the owners for whom the condition `own` on owner_id holds. */
export function selectHoldings({ kinds, selects }: Holdable, own: Sql): Sql {
  const counts = countedIn(kinds).map(
    ({ field, live }) => sql`
      SELECT owner_id, ${field}, count(*), 0 FROM (${live}) AS records WHERE ${own} GROUP BY 1`,
  );
  return unionAll([...selects(own), ...counts]);
}

/** What the rows add up to. `bytes` are those of files, also in the trash, of versions and of posters. */
export function summarize(rows: HoldingRow[], fields: string[]) {
  const [all, trash, versions] = [sumUp(rows, "files"), sumUp(rows, "trash"), sumUp(rows, "versions")];
  const posters = sumUp(rows, "posters");
  const directories = sumUp(rows, "directories").count;
  return {
    files: { count: all.count - trash.count - directories, bytes: all.bytes - trash.bytes },
    trash,
    versions,
    posters,
    bytes: all.bytes + versions.bytes + posters.bytes,
    unfinishedUploads: sumUp(rows, "uploads"),
    directories: directories - sumUp(rows, "trashed directories").count,
    ...countsOf(rows, fields),
  };
}

export const countsOf = (rows: HoldingRow[], fields: string[]): Record<string, number> =>
  Object.fromEntries(fields.map((field) => [field, sumUp(rows, field).count]));

export const unionAll = (parts: Sql[]) => joinedBy(" UNION ALL ", parts);

export function sumUp(rows: HoldingRow[], part: string): Amount {
  const sum = { count: 0, bytes: 0 };
  for (const row of rows) {
    if (row.part !== part) continue;
    sum.count += row.count;
    sum.bytes += row.bytes;
  }
  return sum;
}
