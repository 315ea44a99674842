import { Database } from "bun:sqlite";
import { open, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TreeFile } from "./tree.ts";

/** A database of another program, which is only read. */
export type SqliteCopy = AsyncDisposable & {
  /** All rows of a table, one by one; none if there is no such table. */
  rowsOf(table: string): Iterable<Record<string, unknown>>;
};

/** Copies a SQLite database out of a tree, with its journal if it has one, so that the database itself is never touched. */
export async function openSqliteCopy(file: TreeFile, journal: TreeFile | undefined): Promise<SqliteCopy> {
  const folder = await mkdtemp(join(tmpdir(), "vitrine-import-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const place = join(folder, "copy.sqlite");
    await write(file, place);
    if (journal) await write(journal, `${place}-wal`);
    const db = new Database(place);
    db.run("PRAGMA trusted_schema = OFF");
    db.run("PRAGMA query_only = ON");
    return {
      rowsOf(table) {
        // A view could compute anything.
        const isTable = db.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table) !== null;
        return isTable
          ? db.query<Record<string, unknown>, []>(`SELECT * FROM "${table.replaceAll('"', '""')}"`).iterate()
          : [];
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
  for await (const chunk of file.open()) await handle.write(chunk);
}
