import type { RecordKind } from "../../core/records/record-kind.ts";
import type { RestorableKind, Row } from "../../core/records/restorable.ts";
import type { FindUses } from "../../core/records/use.ts";
import type { StateOfBlob } from "../../platform/backups/read-blob.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Database, Reader } from "../../platform/database/database.ts";
import { raw, sql } from "../../platform/database/sql.ts";
import type { Table } from "../../platform/database/tables.ts";
import { shorten } from "../../platform/text.ts";

export type Backup = {
  db: Reader;
  /** Stores these bytes, if the backup has them. */
  storeBlob(sha256: string, blobs: Pick<Blobs, "receive">): Promise<StateOfBlob>;
};

/** The site to which records are restored, even while servers use it. Until this is done, no blob may be removed. */
export type RestoredSite = {
  db: Database;
  blobs: Pick<Blobs, "has" | "receive">;
  kinds: RecordKind[];
  tables: Table[];
  findUses: FindUses[];
  /** How much an owner may store; null for no limit. */
  quotaBytes: number | null;
  /** Who asks for it; null for the command line. */
  actorID: number | null;
  /** Who gets what belonged to somebody who has no account any more. */
  heirID(): Promise<number>;
};

/**
 * What has become of a record. `id` is that in the backup, and `newID` that in the site. One that is `present`, or in the
 * trash, was there before: at most, bytes that were missing are.
 */
export type Outcome = {
  kind: string;
  id: number;
  name: string;
  state: "restored" | "present" | "trashed" | "failed";
  newID: number | null;
  reason: string | null;
};

export type Kind = RecordKind & { restorable: RestorableKind };
/** What comes along with another record is no change of its own in the activity. */
export type Why = "wanted" | "needed" | "along";
/**
 * A record that the site does not have. `was` is its row in the backup; `row` refers to records of the site, and so do
 * `memberIDs`.
 */
export type NewRecord = { kind: Kind; row: Row; was: Row; why: Why; memberIDs: number[] };
export type Added = { id: number; isNew: boolean };

/** What is done with the records that are found: they are written, or only counted. */
export type Work = {
  add(record: NewRecord): Promise<Added>;
  /** Adds bytes that a record of the site has lost. */
  mend(kind: Kind, id: number): Promise<void>;
};

export const nameOf = ({ restorable }: Kind, row: Row | null) => shorten(String(row?.[restorable.name] ?? ""));

/** A row in another table, of which `column` has the id of the record. `word` is what people call it. */
export type PartRow = { table: string; column: string; word: string; row: Row };

/** The rows of a record in other tables that come back with it, in their order. */
export async function readParts({ db }: Backup, tables: Table[], { kind, was }: NewRecord): Promise<PartRow[]> {
  const found: PartRow[] = [];
  for (const { name: table, key, columns } of tables) {
    for (const [column, { partOf }] of Object.entries(columns)) {
      const { word } = partOf ?? {};
      if (partOf?.table !== kind.table || word === undefined) continue;
      const rows = await db.all<Row>(sql`
        SELECT * FROM ${raw(table)} WHERE ${raw(column)} = ${was["id"] ?? 0} ORDER BY ${raw(key.join(", "))}`);
      found.push(...rows.map((row) => ({ table, column, word, row })));
    }
  }
  return found;
}

type Same = { id: number; isTrashed: boolean };

/** The same record: another one can have its id, if the site was restored to an earlier state. */
export async function findSame(db: Reader, table: string, { id = 0, created_at = 0 }: Row): Promise<Same | null> {
  const row = await db.get<{ id: number; trash_id: number | null }>(sql`
    SELECT id, trash_id FROM ${raw(table)} WHERE id = ${id} AND created_at = ${created_at}`);
  return row && { id: row.id, isTrashed: row.trash_id !== null };
}
