import { nextTurn } from "../event-loop.ts";
import type { Reader } from "./database.ts";
import { ordinaryPage, type Slices } from "./slices.ts";
import { firstOf, joinedBy, raw, sql, type Sql } from "./sql.ts";

/**
 * A list that is read from position to position, which costs the same at any depth. It is ordered by a column and then by
 * id, both in the same direction, and needs an index on the columns of its conditions, this column and id. Null comes
 * last in both directions.
 */
export type Sort = {
  readonly column: string;
  readonly type: "integer" | "text";
  readonly isNullable?: true;
};

/** The order in which records were created. */
export const byID: Sort = { column: "id", type: "integer" };

export type Order = "asc" | "desc";

/** A record in a list, which need not exist any more. `key` is its value in the column of the sort. */
export type Position = { readonly id: number; readonly key: Key };
type Key = string | number | null;

export type KeysetRequest = {
  readonly sort: Sort;
  readonly order: Order;
  /** The page starts after this position; null for the first page. */
  readonly after: Position | null;
  readonly size: number;
  /** How many records are read by one statement, if the list is long and little is shown of each. */
  readonly atOnce?: number;
};

/** `next` is the position of the last record of the page, or null if the list ends there. */
export type KeysetPage<Item> = { items: Slices<Item>; next: Position | null };

export type KeysetList<Item> = {
  table: string;
  /** The column with the ids of the records; by default `id`. */
  idColumn?: string;
  /** The conditions that its rows meet, on columns of the table. */
  where: [Sql, ...Sql[]];
  /** If set, its rows also meet one of these conditions. Each needs an index of its own, as if it were a list. */
  anyOf?: Sql[];
  /** How many records are read by one statement. */
  atOnce: number;
  /** An expression for the bytes of a row, if they can be many: a statement and a page have fewer records then. */
  bytes?: Sql;
  /** The records with these ids. Those that were deleted in the meantime are left out. */
  find: (ids: number[]) => Promise<Map<number, Item>>;
};

const maxBytesAtOnce = 2 ** 19;
/** A page ends before the record that would exceed this. */
const maxBytesOfPage = 4_000_000;
/** What a record has besides its long text, about. */
const bytesBesides = 1500;
const longSlice = 50_000;

/** One page: first the keys of its records, then the records in slices. */
export async function listByKey<Item>(
  db: Reader,
  request: KeysetRequest,
  list: KeysetList<Item>,
): Promise<KeysetPage<Item>> {
  if (request.size > ordinaryPage) await nextTurn();
  const rows = await readRows(db, list, { ...request, size: request.size + 1 });
  const page = takeUntilFull(rows.slice(0, request.size));
  const last = rows.length > page.length ? page.at(-1) : undefined;
  const { atOnce = list.atOnce } = request;
  return { items: readRecords(page, { ...list, atOnce }), next: last ? { id: last.id, key: last.sort_key } : null };
}

/** The rows of one page: fewer if their records are long, but at least one. The rest is on the next page. */
export function takeUntilFull<Row extends { bytes: number }>(rows: Row[]): Row[] {
  let total = 0;
  const end = rows.findIndex(({ bytes }) => (total += bytes + bytesBesides) > maxBytesOfPage);
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
}

type KeyRow = { id: number; sort_key: Key; bytes: number };

async function readRows(db: Reader, list: Source, { sort, order, after, size }: KeysetRequest): Promise<KeyRow[]> {
  const [column, id] = [raw(sort.column), raw(list.idColumn ?? byID.column)];
  const beyond = order === "asc" ? sql`>` : sql`<`;
  const direction = order === "asc" ? sql`ASC` : sql`DESC`;
  if (sort === byID) return select(after && sql`${id} ${beyond} ${after.id}`, size);
  if (after?.key === null) return select(sql`${column} IS NULL AND ${id} ${beyond} ${after.id}`, size);
  const start = after ? sql`(${column}, ${id}) ${beyond} (${after.key}, ${after.id})` : sql`${column} IS NOT NULL`;
  const rows = await select(start, size);
  if (!sort.isNullable || rows.length === size) return rows;
  return [...rows, ...(await select(sql`${column} IS NULL`, size - rows.length))];

  function select(start: Sql | null, limit: number): Promise<KeyRow[]> {
    const where = [...list.where, ...(start ? [start] : [])].reduce((all, one) => sql`${all} AND ${one}`);
    const columns = sort === byID ? sql`${id} ${direction}` : sql`${column} ${direction}, ${id} ${direction}`;
    const selectWhere = (condition: Sql) => sql`
      SELECT ${id} AS id, ${column} AS sort_key, ${list.bytes ?? sql`0`} AS bytes FROM ${raw(list.table)}
      WHERE ${condition} ORDER BY ${columns}`;
    if (!list.anyOf) return db.all<KeyRow>(firstOf(selectWhere(where), limit));
    const parts = list.anyOf.map((one) => {
      return sql`SELECT * FROM (${firstOf(selectWhere(sql`${where} AND ${one}`), limit)}) AS part`;
    });
    return db.all<KeyRow>(sql`
      ${joinedBy(" UNION ", parts)} ORDER BY sort_key ${direction}, id ${direction} LIMIT ${limit}`);
  }
}

type Source = Pick<KeysetList<unknown>, "table" | "idColumn" | "where" | "anyOf" | "bytes">;

/** The records of these rows, in slices. */
export async function* readRecords<Item>(
  rows: Pick<KeyRow, "id" | "bytes">[],
  { atOnce, find }: Pick<KeysetList<Item>, "atOnce" | "find">,
): AsyncGenerator<Item[]> {
  for (let start = 0; start < rows.length;) {
    let [end, bytes] = [start, 0];
    while (end < rows.length && end - start < atOnce && (end === start || bytes < maxBytesAtOnce)) {
      bytes += rows[end++]?.bytes ?? 0;
    }
    const ids = rows.slice(start, end).map(({ id }) => id);
    // Many requests at once do not make others wait for all of them.
    if (bytes > longSlice) await nextTurn();
    const found = await find(ids);
    yield ids.flatMap((id) => found.get(id) ?? []);
    start = end;
    // Lets other requests run.
    if (start < rows.length) await nextTurn();
  }
}
