import type { Queries, Reader } from "../../platform/database/database.ts";
import type { Sql, Value } from "../../platform/database/sql.ts";

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
 * records to which it refers now, and what is derived from it follows.
 */
export type Restorable = {
  /** The column with its name. */
  name: string;
  /** What people call it, each with a condition on its rows. Without one, it only comes back along with another record. */
  words: Record<string, Sql>;
  /** The columns with ids of other records. */
  references?: Record<string, Reference>;
  /** Nobody else becomes its owner: without its owner, it does not come back. */
  isPersonal?: true;
  /** The record with this name, such as a path; null if there is none. */
  find?(backup: Reader, name: string): Promise<number | null>;
  /** A live record of the site that takes its place, and is used instead. The row refers to records of the site. */
  findEqual?(db: Reader, row: Row): Promise<number | null>;
  /** Makes the row fit into the site as it is now. It must not become more public than it was. */
  fit?(tx: Queries, row: Row, was: BackedUp): Promise<Row>;
  /** Its rows in other tables, which are written as they were. Those whose bytes are lost in the backup are left out. */
  parts?: Part[];
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

/** `column` has the id of the record, and `word` is what people call such a row. */
export type Part = { table: string; column: string; word: string };

/** A position among the members of the record with this id. */
export type Place = { id: number; position: number };

type Reference = {
  kind: string;
  /** It comes back first. Otherwise the column becomes null if there is no such record. */
  isNeeded?: true;
  /** The record comes back along with the one to which it refers. */
  comesAlong?: true;
  /** The value of a column that refers to nothing. */
  none?: number;
};
