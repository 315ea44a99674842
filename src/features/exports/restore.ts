import { rmSync } from "node:fs";
import { join } from "node:path";
import type { ReadExport } from "../../platform/archives/vitrine-export.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import { storeWhole } from "../../platform/blobs/blobs.ts";
import { listCopiedTables, replaceRows } from "../../platform/database/copy-rows.ts";
import type { Database, Reader } from "../../platform/database/database.ts";
import { selectLost } from "../../platform/database/integrity.ts";
import { continueIDs } from "../../platform/database/sequences.ts";
import { raw, sql } from "../../platform/database/sql.ts";
import { openSqlite } from "../../platform/database/sqlite.ts";
import type { Schema } from "../../platform/database/tables.ts";
import { settlePasswordRule } from "../../core/settings/store.ts";
import { markMissingHTML } from "../../content/blog/html.ts";
import { invalid } from "../../platform/errors.ts";
import { type Account, fillDraft } from "./draft.ts";
import { listExported } from "./exported.ts";

type Site = { db: Database; blobs: Pick<Blobs, "has" | "receive">; schema: Schema };
type Options = {
  workDirectory: string;
  say(line: string): void;
  /** Makes what follows from the records, and is not a part of the schema. */
  derive(draft: Database): Promise<void>;
};

export type Restored = { counts: Record<string, number>; missing: string[] };

/** What a site has if somebody has used it. */
const contents = ["files", "photos", "albums", "posts", "comments", "shares", "trash"];

export async function isEmpty(db: Reader): Promise<boolean> {
  for (const table of contents) if (await db.get(sql`SELECT id FROM ${raw(table)} LIMIT 1`)) return false;
  return true;
}

/**
 * Makes the same site of an export, ids and all, in one that is empty. First the bytes come, then all records in one
 * transaction: they are made ready in a database of their own, with everything that follows from them.
 */
export async function restoreExport(
  { db, blobs, schema }: Site,
  site: ReadExport,
  { workDirectory, say, derive }: Options,
): Promise<Restored> {
  const path = join(workDirectory, "draft.db");
  const draft = await openSqlite(path, { schema });
  try {
    const tables = await listCopiedTables(draft, schema);
    const names = tables.map(({ name }) => name);
    const accounts = await db.all<Account>(sql`SELECT * FROM users ORDER BY id`);
    const counts = await fillDraft(draft, site, { schema, tables: names, accounts });
    await checkReferences(draft, schema);
    await markMissingHTML(draft, new AbortController().signal);
    for (const { rebuild } of schema.maintained) await rebuild(draft);
    await derive(draft);
    const missing = await storeBytes(blobs, site, say);
    await db.transaction(
      async (tx) => {
        if (!(await isEmpty(tx))) throw notEmpty();
        await replaceRows(draft, tx, tables);
        await settlePasswordRule(tx);
      },
      { isCopy: true, isLong: true },
    );
    for (const { name, key } of tables) {
      if (key[0] !== "id") continue;
      const last = await db.get<{ id: number | null }>(sql`SELECT max(id) AS id FROM ${raw(`"${name}"`)}`);
      const file = listExported(schema).find((one) => one.name === name)?.exported.file ?? "";
      await continueIDs(db, name, Math.max(last?.id ?? 0, site.lastIDs[file] ?? 0));
    }
    if (db.engine !== "sqlite") await db.transaction((tx) => tx.run(sql`ANALYZE`), { isLong: true });
    return { counts, missing };
  } finally {
    await draft.close();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  }
}

/** Throws if a record of the export refers to one that it does not have. The database checks those with a foreign key. */
async function checkReferences(draft: Reader, { tables, documents }: Schema): Promise<void> {
  for (const table of tables) {
    for (const lost of selectLost(table, documents)) {
      const row = await draft.get<{ id: number }>(sql`SELECT child.id FROM ${lost} LIMIT 1`);
      if (row)
        throw invalid(
          `data/${table.exported?.file ?? table.name}.jsonl cannot be imported: number ${row.id} refers to what is not in the export.`,
        );
    }
  }
}

const notEmpty = () =>
  invalid("Somebody has added something to this site in the meantime: run the same command again.");

const sayEvery = 1000;

/** Returns the paths of those that the export does not have as it says. */
async function storeBytes(blobs: Site["blobs"], site: ReadExport, say: (line: string) => void): Promise<string[]> {
  const missing: string[] = [];
  let count = 0;
  for await (const { path, sha256 } of listBytes(site)) {
    if (++count % sayEvery === 0) say(`${count} files so far`);
    if (await blobs.has(sha256)) continue;
    const file = site.find(path);
    const isWhole = file && (await storeWhole(blobs, sha256, file.open()).catch(toMissing));
    if (!isWhole) missing.push(path);
  }
  return missing;
}

/** A full disk is no fault of the export. */
function toMissing(error: unknown): false {
  if ((error as { code?: string }).code) throw error;
  return false;
}

async function* listBytes(site: ReadExport): AsyncGenerator<{ path: string; sha256: string }> {
  for (const file of ["files", "versions", "guest-pictures"])
    for await (const { path, sha256 } of site.read(file))
      if (typeof path === "string" && typeof sha256 === "string") yield { path, sha256 };
  for await (const { posterPath: path, posterSha256: sha256 } of site.read("photos"))
    if (typeof path === "string" && typeof sha256 === "string") yield { path, sha256 };
}
