import type { Change, Queries, Reader } from "./database.ts";
import type { Maintained } from "./maintained.ts";
import { sql, type Value } from "./sql.ts";

export type Table = {
  name: string;
  /** The columns that order its rows; no two rows have the same values in them. */
  key: string[];
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
  /** Makes a row that takes the place of a lost one, so that those which refer to it can be kept. */
  standIn?: StandIn;
  /** So few rows are copied by one statement, where each costs much. */
  rowsAtOnce?: number;
  /** Its rows mean nothing to another site: they are not copied to other engines. */
  isTemporary?: true;
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

/** `size` is a column with a number of bytes, null for none. */
type ByteColumn = { size: string } & (StoredBytes | ReservedBytes);

/** A column with the SHA-256 of a blob. While a row has it, the blob is kept. `size` is the column with its size. */
type BlobColumn = {
  column: string;
  size: string;
  /** An expression for people, such as `'file ' || files.id`, given the name of the row. */
  label: (row: string) => string;
} & (StoredBytes | ReservedBytes | BytesOfAnother);

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

/** The tables of the platform that have rows of a site; the others are for one set of engines. */
export const platformTables: Table[] = [
  // Each row is written into the index for search, too: fewer of them in the time that a statement has.
  {
    name: "documents",
    key: ["id"],
    references: [
      {
        column: "owner_id",
        table: "users",
        // The others will be made again.
        where: "child.unread IS NULL",
        repair: 'run "vitrine rebuild search" and start the server',
      },
    ],
    rowsAtOnce: 50,
  },
  {
    name: "idempotency_keys",
    key: ["caller", "name"],
    bytes: [{ size: "bytes", counts: "stored" }],
    rowsAtOnce: 50,
  },
  { name: "tasks", key: ["id"], json: ["payload"] },
  { name: "list_counts", key: ["list", "size", "block", "lane"] },
];

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
