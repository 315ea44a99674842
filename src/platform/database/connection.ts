import { Database as Sqlite } from "bun:sqlite";
import { DatabaseError } from "./database.ts";
import { usualLogBytes } from "./wal.ts";

/** Opens a SQLite database in WAL mode, and creates it if there is none. */
export function connect(path: string): Sqlite {
  try {
    const connection = new Sqlite(path, { create: true, strict: true });
    // Until the database is open; after that, nothing may stop the event loop.
    connection.run("PRAGMA busy_timeout = 5000");
    connection.run("PRAGMA journal_mode = WAL");
    connection.run("PRAGMA synchronous = NORMAL");
    connection.run(`PRAGMA journal_size_limit = ${usualLogBytes}`);
    connection.run("PRAGMA foreign_keys = ON");
    connection.run("PRAGMA cache_size = -16384");
    connection.run("PRAGMA temp_store = MEMORY");
    return connection;
  } catch (error) {
    throw new DatabaseError(`The database ${path} cannot be opened: ${(error as Error).message}.`);
  }
}

/** From now on SQLite itself does not wait for other processes, because that would stop the event loop (`unlocked.ts`). */
export function waitOutside(connection: Sqlite): void {
  connection.run("PRAGMA busy_timeout = 0");
}
