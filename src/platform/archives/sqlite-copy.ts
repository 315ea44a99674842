import { Database } from "bun:sqlite";
import { open, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nextTurn } from "../event-loop.ts";
import { noteProgress } from "../progress.ts";
import type { TreeFile } from "./tree.ts";

/** A database of another program, which is only read. */
export type SqliteCopy = AsyncDisposable & {
  /** All rows of a table, one by one; none if there is no such table. */
  rowsOf(table: string): AsyncIterable<Record<string, unknown>>;
};

const maxBytes = 2 ** 28;
/** Then requests may run. */
const rowsAtOnce = 500;

/** Copies a SQLite database out of a tree, with its journal if it has one, so that the database itself is never touched. */
export async function openSqliteCopy(file: TreeFile, journal: TreeFile | undefined): Promise<SqliteCopy> {
  if (file.size + (journal?.size ?? 0) > maxBytes) throw new Error(`It is larger than ${maxBytes / 2 ** 20} MiB.`);
  const folder = await mkdtemp(join(tmpdir(), "vitrine-import-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const place = join(folder, "copy.sqlite");
    await write(file, place);
    if (journal) await write(journal, `${place}-wal`);
    const db = new Database(place);
    db.run("PRAGMA trusted_schema = OFF");
    db.run("PRAGMA query_only = ON");
    db.run("PRAGMA cell_size_check = ON");
    return {
      async *rowsOf(table) {
        // A view or a virtual table could compute anything.
        const isTable = `type = 'table' AND name = ? AND sql LIKE 'CREATE TABLE%'`;
        if (db.query(`SELECT 1 FROM sqlite_master WHERE ${isTable}`).get(table) === null) return;
        const rows = db.query<Record<string, unknown>, []>(`SELECT * FROM "${table.replaceAll('"', '""')}"`);
        let count = 0;
        for (const row of rows.iterate()) {
          noteProgress();
          yield row;
          if (++count % rowsAtOnce === 0) await nextTurn();
        }
      },
      async [Symbol.asyncDispose]() {
        db.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function write(file: TreeFile, place: string): Promise<void> {
  await using handle = await open(place, "wx", 0o600);
  for await (const chunk of file.open()) await handle.writeFile(chunk);
}
