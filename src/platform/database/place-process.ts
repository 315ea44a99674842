/*
 * A separate process that counts on in a database of its parent, and says whether it could. It is ended by its parent.
 */
import { Database } from "bun:sqlite";

process.on("message", (path: string) => process.send?.(canCount(path)));
process.on("disconnect", () => process.exit());

function canCount(path: string): boolean {
  const database = new Database(path, { readwrite: true });
  try {
    const seen = database.query<{ user_version: number }, []>("PRAGMA user_version").get();
    database.run(`PRAGMA user_version = ${(seen?.user_version ?? 0) + 1}`);
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}
