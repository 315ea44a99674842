import type { Queries, Reader } from "../../platform/database/database.ts";
import { sql, type Sql, type Value } from "../../platform/database/sql.ts";
import type { Reference, Table } from "../../platform/database/tables.ts";

export type Row = Record<string, Value>;

/** A record as it was in a backup. */
export type BackedUp = {
  row: Row;
  backup: Reader;
  /** Whether a share link leads to one of these records of the same kind in the site that the backup does not have. */
  hasNewLink(ids: number[]): Promise<boolean>;
};

/**
 * How a record that was permanently deleted comes back from a backup: its row is written as it was, with the ids of the
 * records to which it refers now, and what is derived from it follows. That follows from the columns of its table; this is
 * what does not.
 */
export type Restorable = {
  /** What people call it, each with a condition on its rows. Without one, it only comes back along with another record. */
  words?: Record<string, Sql>;
  /** The record with this name, such as a path; null if there is none. */
  find?(backup: Reader, name: string): Promise<number | null>;
  /** A live record of the site that takes its place, and is used instead. The row refers to records of the site. */
  findEqual?(db: Reader, row: Row): Promise<number | null>;
  /** Makes the row fit into the site as it is now. It must not become more public than it was. */
  fit?(tx: Queries, row: Row, was: BackedUp): Promise<Row>;
  /** Writes what else belongs to the record. */
  complete?(tx: Queries, id: number, row: Row, was: BackedUp): Promise<void>;
  /** Records that it consists of, and that come back before it. */
  members?: {
    kind: string;
    list(backup: Reader, id: number): Promise<number[]>;
    /** Adds those that are in the site. */
    add(tx: Queries, id: number, memberIDs: number[]): Promise<void>;
    /** Where this record was a member in the backup. */
    listPlaces(backup: Reader, memberID: number): Promise<Place[]>;
    /** Adds a member to a live record of the site, where it was. */
    putBack(tx: Queries, place: Place, memberID: number): Promise<void>;
    /** The record, and those above it: a share link to one of them shows its members. */
    listAbove(db: Reader, id: number): Promise<number[]>;
  };
};

/** A position among the members of the record with this id. */
export type Place = { id: number; position: number };

/** The same with what follows from the columns. */
export type RestorableKind = Restorable & {
  /** The column with its name. */
  name: string;
  words: Record<string, Sql>;
  /** The columns with ids of other records. */
  references: Record<string, Reference>;
  /** Nobody else becomes its owner. */
  isPersonal: boolean;
};

/** Null for a table whose records have no name. */
export function restorableAs(kind: string, { columns }: Table, special: Restorable = {}): RestorableKind | null {
  const entries = Object.entries(columns);
  const [name] = entries.find(([, { role }]) => role === "name") ?? [];
  if (name === undefined) return null;
  return {
    words: { [kind]: sql`1 = 1` },
    ...special,
    name,
    references: Object.fromEntries(entries.flatMap(([column, { ref }]) => (ref ? [[column, ref]] : []))),
    isPersonal: entries.some(([, { isPersonal }]) => isPersonal === true),
  };
}
