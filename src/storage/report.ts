import type { Reader } from "../platform/database/database.ts";
import { raw, joinedBy, sql, type Sql } from "../platform/database/sql.ts";
import type { Table } from "../platform/database/tables.ts";
import type { RecordKind } from "../record-kind.ts";
import { findUser, listUsers } from "../users/store.ts";
import type { Holdings, StorageReport } from "./storage.ts";

type Row = { owner_id: number; part: string; count: number; bytes: number };

export type Report = {
  /** The fields that count kinds of records. */
  counts: string[];
  /** The storage of one owner; for null, of every user and of the whole site. */
  read(db: Reader, quotaBytes: number | null, ownerID: number | null): Promise<StorageReport>;
};

/** What the report is made of. `holdings` are SELECTs of owner_id, part, count and bytes. */
export type Reported = { kinds: RecordKind[]; tables: Table[]; holdings: (own: Sql) => Sql[] };

export function createReport({ kinds, tables, holdings }: Reported): Report {
  const counted = kinds.flatMap((kind) => kind.counted ?? []);
  const counts = counted.map(({ field }) => field);
  const contents = contentsOf(tables);

  /** One row for each owner and part, all by one statement: the numbers are of one moment. */
  const selectHoldings = (own: Sql): Sql =>
    union([
      ...holdings(own),
      ...counted.map(
        ({ field, live }) => sql`
      SELECT owner_id, ${field}, count(*), 0 FROM (${live}) AS records WHERE ${own} GROUP BY 1`,
      ),
      sql`SELECT owner_id, 'different', count(*), CAST(sum(size) AS BIGINT) FROM (
      SELECT DISTINCT owner_id, sha256, size FROM (${contents}) AS every_content WHERE ${own}) AS contents GROUP BY 1`,
    ]);

  /** The same bytes have the same name: each is counted once. */
  const stored = sql`SELECT 0, 'stored', count(*), CAST(coalesce(sum(size), 0) AS BIGINT) FROM (
    SELECT DISTINCT sha256, size FROM (${contents}) AS every_content) AS contents`;

  function toHoldings(rows: Row[]): Holdings {
    const [all, trash, versions] = [sumUp(rows, "files"), sumUp(rows, "trash"), sumUp(rows, "versions")];
    const posters = sumUp(rows, "posters");
    const bytes = all.bytes + versions.bytes + posters.bytes;
    const directories = sumUp(rows, "directories").count;
    return {
      files: { count: all.count - trash.count - directories, bytes: all.bytes - trash.bytes },
      trash,
      versions,
      posters,
      bytes,
      unfinishedUploads: sumUp(rows, "uploads"),
      directories: directories - sumUp(rows, "trashed directories").count,
      ...Object.fromEntries(counts.map((field) => [field, sumUp(rows, field).count])),
      savedByDeduplication: bytes - sumUp(rows, "different").bytes,
    };
  }

  function toSite(rows: Row[]): StorageReport["site"] {
    const holdings = toHoldings(rows);
    const different = sumUp(rows, "stored");
    // Content that several users have is stored once, too.
    return { ...holdings, stored: different, savedByDeduplication: holdings.bytes - different.bytes };
  }

  return {
    counts,
    async read(db, quotaBytes, ownerID) {
      const users =
        ownerID === null ? await listUsers(db) : [await findUser(db, ownerID)].flatMap((user) => user ?? []);
      const rows = await db.all<Row>(
        ownerID === null ? union([selectHoldings(sql`1 = 1`), stored]) : selectHoldings(sql`owner_id = ${ownerID}`),
      );
      const byOwner = Map.groupBy(rows, (row) => row.owner_id);
      const owners = users.map(({ id, username, role }) => ({
        ownerID: id,
        username,
        ...toHoldings(byOwner.get(id) ?? []),
        quota: role === "admin" ? null : quotaBytes,
      }));
      return { owners, site: ownerID === null ? toSite(rows) : null };
    },
  };
}

const union = (parts: Sql[]) => joinedBy(" UNION ALL ", parts);

/** The blobs that files, versions and posters hold, each with its owner. */
const contentsOf = (tables: Table[]): Sql =>
  union(
    tables.flatMap(({ name, blobs = [] }) =>
      blobs
        .filter(({ isPart }) => !isPart)
        .map(
          ({ column, owner, size }) => sql`
        SELECT ${raw(owner(name))} AS owner_id, ${raw(column)} AS sha256, ${raw(size(name))} AS size
        FROM ${raw(name)} WHERE ${raw(column)} IS NOT NULL`,
        ),
    ),
  );

function sumUp(rows: Row[], part: string): { count: number; bytes: number } {
  const sum = { count: 0, bytes: 0 };
  for (const row of rows) {
    if (row.part !== part) continue;
    sum.count += row.count;
    sum.bytes += row.bytes;
  }
  return sum;
}
