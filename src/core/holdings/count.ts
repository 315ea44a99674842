import { joinedBy, raw, sql } from "../../platform/database/sql.ts";
import type { Slices } from "../../platform/database/slices.ts";
import { reservedColumnsOf, storedColumnsOf, type Table } from "../../platform/database/tables.ts";
import { nextTurn } from "../../platform/event-loop.ts";
import type { RecordKind } from "../records/record-kind.ts";
import { type Holding, readByID, readDeclared, type Source } from "./holding.ts";

export type Amount = { count: number; bytes: number };

export type Totals = {
  /** By field of the storage report, also those of kinds of records. */
  parts: Map<string, Amount>;
  months: Map<string, Amount>;
  /** All that is stored; contents, which are blobs; and contents of which each is counted once. */
  stored: Amount;
  contents: Amount;
  different: Amount;
};

export type Counted = { countedAt: number; site: Totals; byOwner: Map<number, Totals> };

/** What is counted. */
export type Reported = { kinds: RecordKind[]; tables: Table[]; holdings: ((db: Source) => Slices<Holding>)[] };

const contentsAtOnce = { sqlite: 1000, postgres: 50_000 };
/** The field of what is not finished. */
export const unfinished = "unfinishedUploads";
/** After all hexadecimal digits. */
const afterAllNames = "g";

/**
 * Counts what all users store. It reads every row that counts, in statements of a few milliseconds, and other requests run
 * in between: what is written meanwhile is counted or not.
 */
export async function countHoldings(db: Source, { kinds, tables, holdings }: Reported): Promise<Counted> {
  const counted: Counted = { countedAt: Date.now(), site: createTotals(), byOwner: new Map() };

  for (const read of holdings) await countSlices(read(db), ["stored", "contents"]);
  for (const { part, ...declared } of storedColumnsOf(tables)) {
    const sums: Sum[] = declared.column === null ? ["stored"] : ["stored", "contents"];
    if (part) await countSlices(readDeclared(db, part.field, declared), sums);
  }
  for (const declared of reservedColumnsOf(tables)) await countSlices(readDeclared(db, unfinished, declared), []);
  for (const { table, counted: records } of kinds) {
    if (!records) continue;
    const slices = readByID(db, table, (some) =>
      db.all<{ ownerID: number; count: number }>(sql`
        SELECT owner_id AS "ownerID", count(*) AS count FROM (${records.live}) AS records WHERE ${some} GROUP BY 1`),
    );
    for await (const some of slices) {
      for (const { ownerID, count } of some) {
        for (const { parts } of totalsFor(ownerID)) addTo(parts, records.field, { count, bytes: 0 });
      }
    }
  }
  await countDifferent();
  return counted;

  async function countSlices(slices: Slices<Holding>, sums: Sum[]): Promise<void> {
    for await (const some of slices) {
      for (const { ownerID, part, month, ...amount } of some) {
        for (const totals of totalsFor(ownerID)) {
          addTo(totals.parts, part, amount);
          if (month) addTo(totals.months, month, amount);
          for (const sum of sums) add(totals[sum], amount);
        }
      }
    }
  }

  /** The same bytes have the same name: each is counted once for every owner that has it, and once for the site. */
  async function countDifferent(): Promise<void> {
    for await (const amounts of countContents(db, contentColumnsOf(tables))) {
      for (const { ownerID, ...amount } of amounts)
        add((ownerID === wholeSite ? counted.site : totalsOf(ownerID)).different, amount);
    }
  }

  function totalsFor(ownerID: number): Totals[] {
    return [counted.site, totalsOf(ownerID)];
  }

  function totalsOf(ownerID: number): Totals {
    const totals = counted.byOwner.get(ownerID) ?? createTotals();
    counted.byOwner.set(ownerID, totals);
    return totals;
  }
}

type Sum = "stored" | "contents";

export const createTotals = (): Totals => ({
  parts: new Map(),
  months: new Map(),
  stored: { count: 0, bytes: 0 },
  contents: { count: 0, bytes: 0 },
  different: { count: 0, bytes: 0 },
});

function addTo(amounts: Map<string, Amount>, name: string, more: Amount): void {
  const amount = amounts.get(name) ?? { count: 0, bytes: 0 };
  add(amount, more);
  amounts.set(name, amount);
}

function add(amount: Amount, { count, bytes }: Amount): void {
  amount.count += count;
  amount.bytes += bytes;
}

type ContentColumn = { table: string; column: string; size: string };
type OwnerAmount = Amount & { ownerID: number };
/** No user has this id. */
const wholeSite = 0;

/** The stored blobs: not those of what is unfinished. */
const contentColumnsOf = (tables: Table[]): ContentColumn[] =>
  storedColumnsOf(tables).flatMap(({ column, ...stored }) => (column === null ? [] : { ...stored, column }));

/** How many different contents each owner has, and the site. In the order of their names: those of the same name are counted together. */
async function* countContents(db: Source, columns: ContentColumn[]): AsyncGenerator<OwnerAmount[]> {
  for (let [last, end] = ["", ""]; end !== afterAllNames; last = end) {
    await nextTurn();
    end = await findEnd(last);
    const some = columns.map(
      ({ table, column, size }) => sql`
        SELECT owner_id AS "ownerID", ${raw(column)} AS sha256, ${raw(size)} AS size
        FROM ${raw(table)} WHERE ${raw(column)} > ${last} AND ${raw(column)} <= ${end}`,
    );
    yield await db.all<OwnerAmount>(sql`
      WITH contents AS (${joinedBy(" UNION ", some)})
      SELECT "ownerID", count(*) AS count, CAST(sum(size) AS BIGINT) AS bytes FROM contents GROUP BY 1
      UNION ALL
      SELECT ${raw(`${wholeSite}`)}, count(*), CAST(coalesce(sum(size), 0) AS BIGINT)
      FROM (SELECT min(size) AS size FROM contents GROUP BY sha256) AS different`);
  }

  async function findEnd(start: string): Promise<string> {
    const ends = columns.map(({ table, column }) =>
      db.get<{ sha256: string }>(sql`
        SELECT ${raw(column)} AS sha256 FROM ${raw(table)} WHERE ${raw(column)} > ${start}
        ORDER BY ${raw(column)} LIMIT 1 OFFSET ${contentsAtOnce[db.engine]}`),
    );
    const names = (await Promise.all(ends)).map((row) => row?.sha256 ?? afterAllNames);
    return names.toSorted()[0] ?? afterAllNames;
  }
}
