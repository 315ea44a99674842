import { Database as Sqlite } from "bun:sqlite";
import { DatabaseError } from "./database.ts";
import { usualLogBytes } from "./wal.ts";

/** Opens a SQLite database in WAL mode, and creates it if there is none. Throws where that mode is not possible. */
export function connect(path: string): Sqlite {
  let connection = null as Sqlite | null;
  try {
    connection = new Sqlite(path, { create: true, strict: true });
    // Until the database is open; after that, nothing may stop the event loop.
    connection.run("PRAGMA busy_timeout = 5000");
    refuseOtherMode(connection);
    connection.run("PRAGMA synchronous = NORMAL");
    connection.run(`PRAGMA journal_size_limit = ${usualLogBytes}`);
    connection.run("PRAGMA foreign_keys = ON");
    connection.run("PRAGMA cache_size = -16384");
    connection.run("PRAGMA temp_store = MEMORY");
    return connection;
  } catch (error) {
    connection?.close();
    throw new DatabaseError(`The database ${path} cannot be opened: ${(error as Error).message}.`);
  }
}

/** SQLite keeps another mode without an error. What is acknowledged would then not be what was flushed. */
function refuseOtherMode(connection: Sqlite): void {
  const { journal_mode: mode } = connection.query("PRAGMA journal_mode = WAL").get() as { journal_mode: string };
  if (mode === "wal") return;
  throw new Error(`SQLite cannot use a write-ahead log there (the journal mode stays "${mode}")`);
}

/** From now on SQLite itself does not wait for other processes, because that would stop the event loop (`unlocked.ts`). */
export function waitOutside(connection: Sqlite): void {
  connection.run("PRAGMA busy_timeout = 0");
}
