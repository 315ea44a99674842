// Runs on the embedded engines only: it opens each engine itself.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { makeDatabase } from "../../../tests/kit/engine.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";
import type { Database } from "./database.ts";
import { collectReads } from "./generations.ts";
import { openPostgres } from "./postgres.ts";
import { sql, type Sql } from "./sql.ts";
import { openSqlite } from "./sqlite.ts";
import { known } from "./touched-tables.ts";

const scratch = useScratch();
const engines: Record<string, () => Promise<Database>> = {
  sqlite: () => openSqlite(join(scratch, `${crypto.randomUUID()}.db`)),
};
if (process.env.TEST_DATABASE_URL) engines.postgres = async () => openPostgres(await makeDatabase());

const add = (name: string, rest = sql``) => sql`
  INSERT INTO users (username, username_key, username_skeleton, password_hash, role, created_at, updated_at)
  VALUES (${name}, ${name}, ${name}, 'x', 'author', 1, 1) ${rest}`;

describe.each(Object.entries(engines))("what is read of known rows, on %s", (_name, open) => {
  test("ends with any change of a row, and not with a new one", async () => {
    await using resources = new AsyncDisposableStack();
    const db = resources.adopt(await open(), (opened) => opened.close());
    await db.transaction((tx) => tx.run(add("one")));
    const reads = [
      sql`SELECT users.username FROM sessions JOIN ${known("users")} ON users.id = sessions.user_id`,
      sql`SELECT posts.id FROM posts JOIN ${known("users")} ON users.id = posts.owner_id WHERE posts.id = ${1}`,
    ];
    const isEnded = async (read: Sql, write: Sql) => {
      const names = new Set<string>();
      await collectReads(names, () => db.all(read));
      const before = db.generation();
      await db.transaction((tx) => tx.all(write));
      return db.lastWrite(names) > before;
    };
    for (const read of reads) {
      const name = crypto.randomUUID();
      expect(await isEnded(read, add(`${name} a`))).toBe(false);
      expect(await isEnded(read, add(`${name} b`, sql`RETURNING id`))).toBe(false);
      expect(await isEnded(read, sql`UPDATE users SET role = 'reader' WHERE id = ${1} RETURNING id`)).toBe(true);
      expect(await isEnded(read, sql`UPDATE users SET role = 'reader' RETURNING id`)).toBe(true);
      const changing = add("one", sql`ON CONFLICT (username_key) DO UPDATE SET role = 'author' RETURNING id`);
      expect(await isEnded(read, changing)).toBe(true);
    }
    // Beside known rows, all of them.
    const both = sql`SELECT one.id FROM users AS one JOIN ${known("users")} AS two ON two.id = one.id`;
    expect(await isEnded(both, add("four"))).toBe(true);
  });
});
