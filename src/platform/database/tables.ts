import type { Change, Queries, Reader } from "./database.ts";
import type { Maintained } from "./maintained.ts";
import { type Sql, sql, type Value } from "./sql.ts";

/** What `table()` makes of a declaration (table.ts). */
export type Table = {
  name: string;
  /** The columns that order its rows; no two rows have the same values in them. Without it: the id. */
  key: string[];
  /** All of an exported table, in the order of the fields of an export. */
  columns: Record<string, Column>;
  /** The file of an export that has its rows. */
  exported?: Exported;
  /** Why an export has nothing of it. */
  without?: string;
  blobs?: BlobColumn[];
  /** Further bytes in its rows that count towards quotas, such as those of texts. */
  bytes?: ByteColumn[];
  /** Columns with a SHA-256 that keep no blob. */
  otherHashes?: string[];
  /** Columns that refer to rows of other tables, and have no foreign key. */
  references?: ReferenceColumn[];
  /** Columns with the kind and the id of a record. `where` is a condition as in `references`. */
  recordReferences?: { kind: string; id: string; where?: string; repair: string }[];
  /** Columns with JSON, or null. */
  json?: string[];
  /** Its rows are a tree: `parent` is a column with the id of another row, and `isRoot` a condition on those that need none; `child` is the row. */
  tree?: { parent: string; isRoot: string };
  /** Conditions that no row may meet; `child` is the row. `what` follows after the number of rows. */
  contradictions?: { where: string; what: string; repair: string }[];
  /** Its rows are counts, which follow from another table. */
  counts?: Counts;
  /** Makes a row that takes the place of a lost one, so that those which refer to it can be kept. */
  standIn?: StandIn;
  /** So few rows are copied by one statement, where each costs much. */
  rowsAtOnce?: number;
  /** Its rows mean nothing to another site: they are not copied to other engines. */
  isTemporary?: true;
};

/** A file of `data/` in an export: one record a line. */
export type Exported = {
  /** The name of the file, without `.jsonl`. */
  file: string;
  /** What it has, for the page about exports. */
  about: string;
  /** Only these rows. */
  where?: Sql;
  /** A condition on the rows that belong to one person, where no column says it. */
  isOf?: (personID: number) => Sql;
  /** Only the export of one person has it, for reading: an import does not take it. */
  isPersonal?: true;
  /** What records say beside their columns. */
  further?: Record<string, string>;
};

/** What a column is. table.ts has a function for each. */
export type Column = {
  /** How an export writes its values. */
  form: "plain" | "time" | "flag" | "json" | "hash";
  /** Its meaning, for the page about exports. */
  about: string;
  /** Why an export does not have it. */
  left?: string;
  /** `owner` and `person`: whose the row is; `trash`: its entry in the trash; `name`: what people call the record. */
  role?: "owner" | "person" | "trash" | "name";
  /** Nobody else becomes the owner of the record: without the owner, it does not come back from a backup. */
  isPersonal?: true;
  ref?: Reference;
  /** The row of which this one is a part, by its id or another column. With a `word` for it, it comes back from a backup with that one. */
  partOf?: { table: string; column?: string; word?: string };
  recordOf?: { kind: string; where?: string; repair: string };
  blob?: BlobUse;
  bytes?: ByteUse;
};

/** The record to which a column refers. */
export type Reference = {
  /** The kind of the record, or the column that has its name. */
  kind: string | { column: string };
  /** It comes back from a backup first. Otherwise the column becomes null if there is no such record. */
  isNeeded?: true;
  /** The record comes back along with the one to which it refers. */
  comesAlong?: true;
  /** The value of a column that refers to nothing. */
  none?: number;
  /** Without a foreign key: what `vitrine doctor` says of rows that refer to a row of `table` that does not exist. */
  lost?: Omit<ReferenceColumn, "column">;
};

type Columns = { [column: string]: Value };

/**
 * `known` is what an index still has of the lost row, and `child` a row that refers to it, with the kind of record that it
 * is. Returns null if that is not enough.
 */
export type StandIn = (
  id: number,
  known: Columns,
  child: { kind: string | null; row: Columns } | null,
) => Columns | null;

/** What the rows of a table count. */
export type Counts = {
  /** For people: `photos in albums`. */
  what: string;
  /** The column with the number. */
  number: string;
  /** The table whose rows are counted. */
  of: string;
  /** What each column of the key is, besides `lane`: an expression, given the name of the row that is counted. More keys: it counts for each. */
  by: Record<string, (row: string) => string>[];
  /** The condition of the rows that are counted. */
  where?: (row: string) => string;
  /** The columns of `of` from which that follows: triggers count, and nothing else. Without them, the owner of the table does. */
  triggeredBy?: string[];
};

/** A column with the id of a row of `table`. A row that does not exist is reported by `vitrine doctor`. */
type ReferenceColumn = {
  column: string;
  table: string;
  /** A condition on the rows for which that is wrong; `child` is the row. */
  where?: string;
  /** What to do about it, for people. */
  repair: string;
};

/** What the program expects of a database, besides the platform's own tables. */
export type Schema = {
  tables: Table[];
  /** The kinds of records that are found by search, each with its table. */
  documents: { kind: string; table: string }[];
  maintained: Maintained[];
  derived: Derived[];
  deriveSchema: DeriveSchema[];
  /** Folders of migrations that run after those of the program. */
  migrations: URL[];
};

/** What is stored although it follows from the records of a kind, such as totals and lists. */
export type Derived = {
  kind: string;
  /** The columns from which it follows. */
  from: readonly string[];
  /**
   * Writes it again after records were created, or one of these columns was changed. The records are locked, and few. The
   * cost grows with their number.
   */
  derive(tx: Queries, changes: Change[]): Promise<void> | void;
};

/** Bytes of rows that count towards the quota of the row's owner, its `owner_id`, until the row is deleted. */
type StoredBytes = {
  counts: "stored";
  /** Where the storage report shows them; the table then has an `id`. Without it, they are not in the report by themselves. */
  part?: Part;
};

/** The same for something unfinished: the storage report shows it as that, if the condition holds for the row. */
type ReservedBytes = { counts: "reserved"; where?: string };

/** Bytes that another row counts, and an expression for the owner of that one, given the name of the row. */
type BytesOfAnother = { counts: "elsewhere"; owner: (row: string) => string };

/** A field of the storage report. */
export type Part = { field: string; description: string };

/** How the number of bytes in a column counts; null for none. */
export type ByteUse = StoredBytes | ReservedBytes;
type ByteColumn = { size: string } & ByteUse;

/** A blob, which is kept while a row has its SHA-256. `size` is the column with its size. */
export type BlobUse = {
  size: string;
  /** An expression for people, such as `'file ' || files.id`, given the name of the row. */
  label: (row: string) => string;
} & (StoredBytes | ReservedBytes | BytesOfAnother);
type BlobColumn = { column: string } & BlobUse;

/** Statements that create what follows from the tables in the database, such as triggers. */
export type DeriveSchema = (tables: Table[], engine: "sqlite" | "postgres") => string[];

export const blobColumnsOf = (tables: Table[]) =>
  tables.flatMap(({ name, blobs = [] }) => blobs.map((blob) => ({ ...blob, table: name })));

/** All columns with bytes; `column` is null if they are not those of a blob. */
const byteColumnsOf = (tables: Table[]) => [
  ...blobColumnsOf(tables),
  ...tables.flatMap(({ name, bytes = [] }) => bytes.map((one) => ({ ...one, table: name, column: null }))),
];

export const storedColumnsOf = (tables: Table[]) => byteColumnsOf(tables).filter((one) => one.counts === "stored");
export const reservedColumnsOf = (tables: Table[]) => byteColumnsOf(tables).filter((one) => one.counts === "reserved");

export type ForeignKey = {
  table: string;
  column: string;
  refersTo: string;
  /** A row is deleted with the row that it refers to. */
  isCascade: boolean;
  /** A row may be changed or deleted when the row that it refers to is. */
  propagates: boolean;
  /** The same, even if the row that it refers to is not deleted. */
  propagatesUpdates: boolean;
};

type KeyRow = Pick<ForeignKey, "table" | "column" | "refersTo"> & { onDelete: string; onUpdate: string };

type Source = Pick<Reader, "all"> & { engine: "sqlite" | "postgres" };

export function listForeignKeys(db: Source): Promise<ForeignKey[]> {
  return db.engine === "sqlite" ? listOfSqlite(db) : listOfPostgres(db);
}

async function listOfSqlite(db: Pick<Reader, "all">): Promise<ForeignKey[]> {
  const rows = await db.all<KeyRow>(sql`
    SELECT tables.name AS "table", keys."from" AS "column", keys."table" AS "refersTo",
      keys.on_delete AS "onDelete", keys.on_update AS "onUpdate"
    FROM sqlite_schema AS tables JOIN pragma_foreign_key_list(tables.name) AS keys WHERE tables.type = 'table'
    ORDER BY 1, 2`);
  return rows.map(toForeignKey);
}

async function listOfPostgres(db: Pick<Reader, "all">): Promise<ForeignKey[]> {
  const rows = await db.all<KeyRow>(sql`
    SELECT conrelid::regclass::text AS "table", attname::text AS "column", confrelid::regclass::text AS "refersTo",
      confdeltype::text AS "onDelete", confupdtype::text AS "onUpdate"
    FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
    WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
    ORDER BY 1, 2`);
  return rows.map(toForeignKey);
}

/** CASCADE, NO ACTION, RESTRICT in SQLite, their first letters in PostgreSQL. */
const cascades = new Set(["CASCADE", "c"]);
const refusals = new Set(["NO ACTION", "RESTRICT", "a", "r"]);

const toForeignKey = ({ onDelete, onUpdate, ...key }: KeyRow): ForeignKey => ({
  ...key,
  isCascade: cascades.has(onDelete),
  propagates: !refusals.has(onDelete) || !refusals.has(onUpdate),
  propagatesUpdates: !refusals.has(onUpdate),
});

/** So that every table comes after those that it refers to. */
export function sortByReferences(tables: Table[], keys: ForeignKey[]): Table[] {
  const sorted = new Set<Table>();
  const add = (table: Table) => {
    if (sorted.has(table)) return;
    const wanted = keys.filter((key) => key.table === table.name && key.refersTo !== table.name);
    for (const { refersTo } of wanted) for (const other of tables) if (other.name === refersTo) add(other);
    sorted.add(table);
  };
  for (const table of tables) add(table);
  return [...sorted];
}
