import { Database as Sqlite } from "bun:sqlite";
import { closeSync, copyFileSync, openSync, writeSync } from "node:fs";
import { openPages } from "../../src/platform/database/salvage-pages.ts";
import { parseNode } from "../../src/platform/database/salvage-records.ts";
import { readSchema, walkTree } from "../../src/platform/database/salvage-trees.ts";

/** Numbers that look random, and are the same for the same seed. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** What the pages of an undamaged database are for, and on which of them each row is. */
export type PageMap = { byKind: Record<string, number[]>; rows: Map<string, Map<number, number[]>> };

export function mapPages(path: string): PageMap {
  const database = new Sqlite(path, { readonly: true });
  const kinds = database
    .query<{ pageno: number; name: string; pagetype: string }, []>("SELECT pageno, name, pagetype FROM dbstat")
    .all();
  const used = new Set(kinds.map(({ pageno }) => pageno));
  const tables = new Set(
    database
      .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map(({ name }) => name),
  );
  database.close();
  const pages = openPages(path);
  const numbersOf = (isWanted: (one: (typeof kinds)[number]) => boolean) =>
    kinds.filter((one) => one.pageno !== 1 && isWanted(one)).map(({ pageno }) => pageno);
  const isTable = ({ name }: { name: string }) => tables.has(name) && !name.startsWith("documents_index");
  const trunk = pages.read(1)?.view.getUint32(32) ?? 0;
  const byKind = {
    header: [1],
    schema: numbersOf(({ name }) => name === "sqlite_schema"),
    leaf: numbersOf((one) => one.pagetype === "leaf" && isTable(one)),
    interior: numbersOf((one) => one.pagetype === "internal" && isTable(one)),
    overflow: numbersOf((one) => one.pagetype === "overflow"),
    index: numbersOf((one) => !isTable(one) && one.name !== "sqlite_schema"),
    trunk: trunk === 0 ? [] : [trunk],
    free: Array.from({ length: pages.count }, (_, index) => index + 1).filter((page) => !used.has(page)),
  };
  const claimed = new Set<number>();
  const rows = new Map<string, Map<number, number[]>>();
  for (const { name, type, root } of readSchema(pages, claimed).values()) {
    if (type !== "table" || parseNode(pages, root)?.kind !== "table") continue;
    const places = new Map<number, number[]>();
    for (const leaf of walkTree(pages, root, "table", claimed).nodes) {
      for (const { rowid, payload } of parseNode(pages, leaf)?.cells ?? []) {
        const chain: number[] = [];
        for (let page = payload.overflow; page !== 0; page = pages.read(page)?.view.getUint32(0) ?? 0) chain.push(page);
        places.set(rowid, [leaf, ...chain]);
      }
    }
    rows.set(name, places);
  }
  pages.close();
  return { byKind, rows };
}

/** A copy in which these pages are overwritten, with zeros or with noise. */
export function damagePages(from: string, to: string, bad: number[], random: (below: number) => number): void {
  copyFileSync(from, to);
  const file = openSync(to, "r+");
  for (const page of bad) {
    const isNoise = random(2) === 1;
    const bytes = Uint8Array.from({ length: 4096 }, () => (isNoise ? random(256) : 0));
    writeSync(file, bytes, 0, bytes.length, (page - 1) * 4096);
  }
  closeSync(file);
}
