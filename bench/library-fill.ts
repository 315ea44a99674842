import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { insertImage } from "../src/core/images/store.ts";
import { schemaOf } from "../src/module.ts";
import { modules } from "../src/modules.ts";
import { hashPassword } from "../src/platform/auth/passwords.ts";
import { type Sql, sql } from "../src/platform/database/sql.ts";
import { openSqlite } from "../src/platform/database/sqlite.ts";
import { addUser } from "../src/core/users/store.ts";
import { image } from "./fill.ts";

export const account = { username: "bench", password: "correct horse battery" };
export const firstDay = Date.UTC(2006, 0);
/** The photos are spread evenly over twenty years. */
export const span = 20 * 365.25 * 86_400_000;

/**
 * Photos of one owner with dates, two cameras, a tag for every tenth, and every hundredth private. They are written by SQL:
 * the functions of the modules would need an hour for a million.
 */
export async function fillLibrary(dataDir: string, count: number): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const db = await openSqlite(join(dataDir, "vitrine.db"));
  const { id: ownerID } = await addUser(
    db,
    account.username,
    { hash: await hashPassword(account.password), warning: null },
    "author",
  );
  const model = image("0".repeat(64));
  await db.transaction((tx) => insertImage(tx, model));
  const numbers = sql`
    WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${count})`;
  const takenAt = sql`${firstDay} + CAST(number * ${span / count} AS INTEGER)`;
  const sha256 = sql`printf('%064x', number)`;
  const run = (statement: Sql) => db.transaction((tx) => tx.run(statement), { isLong: true });
  await run(sql`
    INSERT INTO images (sha256, reader, width, height, taken_at, read_at, thumbhash, camera, place, withheld)
    ${numbers} SELECT ${sha256}, reader, width, height, ${takenAt}, read_at, thumbhash, camera, place, withheld
    FROM numbers JOIN images ON sha256 = ${model.sha256}`);
  await run(sql`
    INSERT INTO files (id, parent_id, owner_id, size, created_at, updated_at, sha256, content_type, name, name_key, order_key)
    ${numbers} SELECT number, 0, ${ownerID}, 1000, 0, 0, ${sha256}, 'image/jpeg', name, name, '1' || name
    FROM (SELECT number, number || '.jpg' AS name FROM numbers)`);
  await run(sql`
    INSERT INTO photos (id, owner_id, file_id, width, height, created_at, updated_at, title, description, is_private, taken_at,
      kind, camera_key, tags, is_favourite)
    ${numbers} SELECT number, ${ownerID}, number, 4000, 3000, 0, 0, 'Photo ' || number, '', number % 100 = 0, ${takenAt},
      'image', 'x-t5', CASE WHEN number % 10 = 0 THEN '["sea"]' ELSE '[]' END, number % 50 = 0
    FROM numbers`);
  const entry = (list: string, where: Sql) => sql`
    INSERT INTO photo_lists (photo_id, list, seen_by, taken_at)
    SELECT id, ${list}, CASE WHEN is_private = 0 THEN 0 ELSE owner_id END, taken_at FROM photos WHERE ${where}`;
  await run(entry("kind:image", sql`1 = 1`));
  await run(entry("camera:x-t5", sql`1 = 1`));
  await run(entry("tag:sea", sql`id % 10 = 0`));
  await run(entry(`favourite:${ownerID}`, sql`id % 50 = 0`));
  for (const kind of ["photo", "file"]) {
    await run(sql`
      INSERT INTO documents (kind, record_id, title_words, text_words) ${numbers}
      SELECT ${kind}, number, ' photo ', ' ' FROM numbers`);
  }
  // Nothing is searched here: the server should not be busy with it.
  await run(sql`DELETE FROM documents_waiting`);
  const needed = new Set(["photos", "photos in months"]);
  for (const { name, rebuild } of schemaOf(modules).maintained) if (needed.has(name)) await rebuild(db);
  await db.close();
}
