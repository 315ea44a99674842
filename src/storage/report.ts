import {
  countedFields,
  type Holdable,
  type HoldingRow,
  selectHoldings,
  summarize,
  sumUp,
  unionAll,
} from "../holdings.ts";
import type { Reader } from "../platform/database/database.ts";
import { raw, sql, type Sql } from "../platform/database/sql.ts";
import type { Table } from "../platform/database/tables.ts";
import { findUser, listUsers } from "../users/store.ts";
import type { Holdings, StorageReport } from "./storage.ts";

export type Report = {
  /** The fields that count kinds of records. */
  counts: string[];
  /** The storage of one owner; for null, of every user and of the whole site. */
  read(db: Reader, quotaBytes: number | null, ownerID: number | null): Promise<StorageReport>;
};

export function createReport(holdable: Holdable, tables: Table[]): Report {
  const counts = countedFields(holdable);
  const contents = contentsOf(tables);

  /** One row for each owner and part, all by one statement: the numbers are of one moment. */
  const select = (own: Sql): Sql =>
    unionAll([
      selectHoldings(holdable, own),
      sql`SELECT owner_id, 'different', count(*), CAST(sum(size) AS BIGINT) FROM (
      SELECT DISTINCT owner_id, sha256, size FROM (${contents}) AS every_content WHERE ${own}) AS contents GROUP BY 1`,
    ]);

  /** The same bytes have the same name: each is counted once. */
  const stored = sql`SELECT 0, 'stored', count(*), CAST(coalesce(sum(size), 0) AS BIGINT) FROM (
    SELECT DISTINCT sha256, size FROM (${contents}) AS every_content) AS contents`;

  function toHoldings(rows: HoldingRow[]): Holdings {
    const held = summarize(rows, counts);
    return { ...held, savedByDeduplication: held.bytes - sumUp(rows, "different").bytes };
  }

  function toSite(rows: HoldingRow[]): StorageReport["site"] {
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
      const rows = await db.all<HoldingRow>(
        ownerID === null ? unionAll([select(sql`1 = 1`), stored]) : select(sql`owner_id = ${ownerID}`),
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

/** The blobs that files, versions and posters hold, each with its owner. */
const contentsOf = (tables: Table[]): Sql =>
  unionAll(
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
