import type { Reader } from "../platform/database/database.ts";
import { joinedBy, raw, sql } from "../platform/database/sql.ts";
import type { Slices } from "../platform/database/slices.ts";
import type { BlobColumn, Table } from "../platform/database/tables.ts";
import { nextTurn } from "../platform/event-loop.ts";
import type { RecordKind } from "../record-kind.ts";
import { type Holding, readByID } from "./holding.ts";

export type Amount = { count: number; bytes: number };

/** By part, by field of a kind of records, and `different` for contents of which each is counted once. */
export type Totals = { parts: Map<string, Amount>; months: Map<string, Amount> };

export type Counted = { countedAt: number; site: Totals; byOwner: Map<number, Totals> };

/** What is counted. */
export type Reported = { kinds: RecordKind[]; tables: Table[]; holdings: ((db: Reader) => Slices<Holding>)[] };

const contentsAtOnce = 1000;
/** After all hexadecimal digits. */
const afterAllNames = "g";

/**
 * Counts what all users store. It reads every row that counts, in statements of a few milliseconds, and other requests run
 * in between: what is written meanwhile is counted or not.
 */
export async function countHoldings(db: Reader, { kinds, tables, holdings }: Reported): Promise<Counted> {
  const counted: Counted = { countedAt: Date.now(), site: createTotals(), byOwner: new Map() };

  for (const read of holdings) {
    for await (const some of read(db)) for (const { ownerID, part, ...holding } of some) count(ownerID, part, holding);
  }
  for (const { table, counted: records } of kinds) {
    if (!records) continue;
    const slices = readByID(db, table, (some) =>
      db.all<{ ownerID: number; count: number }>(sql`
        SELECT owner_id AS "ownerID", count(*) AS count FROM (${records.live}) AS records WHERE ${some} GROUP BY 1`),
    );
    for await (const some of slices) for (const row of some) count(row.ownerID, records.field, { ...row, bytes: 0 });
  }
  await countDifferent();
  return counted;

  function count(ownerID: number, part: string, { month, ...amount }: Amount & { month?: string }): void {
    for (const totals of [counted.site, totalsOf(ownerID)]) {
      add(totals.parts, part, amount);
      if (month) add(totals.months, month, amount);
    }
  }

  /** The same bytes have the same name: each is counted once for every owner that has it, and once for the site. */
  async function countDifferent(): Promise<void> {
    for await (const contents of readContents(db, contentColumns(tables))) {
      const names = new Set<string>();
      for (const { ownerID, sha256, size } of contents) {
        const content = { count: 1, bytes: size };
        add(totalsOf(ownerID).parts, "different", content);
        if (!names.has(sha256)) add(counted.site.parts, "different", content);
        names.add(sha256);
      }
    }
  }

  function totalsOf(ownerID: number): Totals {
    const totals = counted.byOwner.get(ownerID) ?? createTotals();
    counted.byOwner.set(ownerID, totals);
    return totals;
  }
}

const createTotals = (): Totals => ({ parts: new Map(), months: new Map() });

function add(amounts: Map<string, Amount>, name: string, { count, bytes }: Amount): void {
  const amount = amounts.get(name) ?? { count: 0, bytes: 0 };
  amount.count += count;
  amount.bytes += bytes;
  amounts.set(name, amount);
}

type ContentColumn = BlobColumn & { table: string };
type Content = { ownerID: number; sha256: string; size: number };

/** The columns of files, versions and posters. */
const contentColumns = (tables: Table[]): ContentColumn[] =>
  tables
    .flatMap(({ name, blobs = [] }) => blobs.map((blob) => ({ ...blob, table: name })))
    .filter(({ isPart }) => !isPart);

/** The different contents of each owner, in the order of their names: those of the same name are in the same slice. */
async function* readContents(db: Reader, columns: ContentColumn[]): AsyncGenerator<Content[]> {
  for (let [last, end] = ["", ""]; end !== afterAllNames; last = end) {
    await nextTurn();
    end = await findEnd(last);
    const some = columns.map(
      ({ table, column, owner, size }) => sql`
        SELECT ${raw(owner(table))} AS "ownerID", ${raw(column)} AS sha256, ${raw(size(table))} AS size
        FROM ${raw(table)} WHERE ${raw(column)} > ${last} AND ${raw(column)} <= ${end}`,
    );
    yield await db.all<Content>(joinedBy(" UNION ", some));
  }

  async function findEnd(start: string): Promise<string> {
    const ends = columns.map(({ table, column }) =>
      db.get<{ sha256: string }>(sql`
        SELECT ${raw(column)} AS sha256 FROM ${raw(table)} WHERE ${raw(column)} > ${start}
        ORDER BY ${raw(column)} LIMIT 1 OFFSET ${contentsAtOnce}`),
    );
    const names = (await Promise.all(ends)).map((row) => row?.sha256 ?? afterAllNames);
    return names.toSorted()[0] ?? afterAllNames;
  }
}
