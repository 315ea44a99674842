import { Database as Sqlite } from "bun:sqlite";

/** Copies a database as of one moment to a new file, even while a server writes to it. Takes as long as reading all of it. */
export async function copySqlite(path: string, target: string): Promise<void> {
  const connection = new Sqlite(path, { readonly: true });
  try {
    connection.run("PRAGMA busy_timeout = 5000");
    connection.run("VACUUM INTO ?", [target]);
  } finally {
    connection.close();
  }
}
