import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addUser, findUserByName } from "../src/core/users/store.ts";
import { hashPassword } from "../src/platform/auth/passwords.ts";
import { type Sql, sql } from "../src/platform/database/sql.ts";
import { openSqlite } from "../src/platform/database/sqlite.ts";
import { bytesOf } from "./operations.ts";

export const chief = { username: "chief", password: "correct horse battery" };
/** A directory with many files, each with the same content. */
export const shelf = "shelf";
const peopleCount = 10_000;
const filesInShelf = 10_000;
const fileBytes = 1000;

/** Adds to a site of `fillForGrowth` what does not grow with its records: an admin, many people, and a large directory. */
export async function fillForHeaviest(dataDir: string): Promise<void> {
  const db = await openSqlite(join(dataDir, "vitrine.db"));
  if (!(await findUserByName(db, chief.username))) {
    await addUser(db, chief.username, { hash: await hashPassword(chief.password), warning: null }, "admin");
    const run = (statement: Sql) => db.transaction((tx) => tx.run(statement), { isLong: true });
    const count = (most: number) => sql`
      WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${most})`;
    await run(sql`
      INSERT INTO users (username, username_key, username_skeleton, password_hash, role, created_at, updated_at)
      ${count(peopleCount)} SELECT 'person' || number, 'person' || number, 'person' || number, '', 'author', 0, 0
      FROM numbers`);
    await run(sql`
      INSERT INTO files (parent_id, owner_id, created_at, updated_at, name, name_key, order_key)
      VALUES (0, 1, 0, 0, ${shelf}, ${shelf}, ${`0${shelf}`})`);
    await run(sql`
      INSERT INTO files (parent_id, owner_id, size, created_at, updated_at, sha256, content_type, name, name_key, order_key)
      ${count(filesInShelf)} SELECT (SELECT id FROM files WHERE name_key = ${shelf} AND parent_id = 0), number + 2,
        ${fileBytes}, 0, 0, ${storeBlob(dataDir)}, 'application/octet-stream', name, name, '1' || name
      FROM (SELECT number, number || '.bin' AS name FROM numbers)`);
    await run(sql`DELETE FROM documents_waiting`);
  }
  await db.close();
}

/** Returns its SHA-256. */
function storeBlob(dataDir: string): string {
  const bytes = bytesOf(fileBytes, 1);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const directory = join(dataDir, "blobs", sha256.slice(0, 2));
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, sha256), bytes);
  return sha256;
}
