import { insertComment } from "../../src/content/comments/store.ts";
import { newPostSchema } from "../../src/content/blog/post.ts";
import { insertPost } from "../../src/content/blog/write.ts";
import { addUser, noPassword } from "../../src/core/users/store.ts";
import { schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { openPostgres } from "../../src/platform/database/postgres.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { makeDatabase } from "../../tests/kit/engine.ts";
import { addDirectory, indexAll } from "../fill.ts";
import { post } from "../operations.ts";
import type { Sizes } from "./costs.ts";

const photos = 4000;
const texts = 1000;
const together = 200;

/** How much a database on PostgreSQL grows by each record, with its indexes, its search document and its activity. */
export async function measureSizes(): Promise<Sizes> {
  const db = await openPostgres(await makeDatabase(), { schema: schemaOf(modules) });
  const owner = await addUser(db, "bench", noPassword, "author");
  const grow = async (count: number, add: (first: number) => Promise<unknown>) => {
    const before = await readSize(db);
    for (let first = 1; first <= count; first += together) await add(first);
    await indexAll(db);
    return ((await readSize(db)) - before) / count;
  };
  const each = (first: number, work: (number: number) => Promise<unknown>) =>
    Array.from({ length: together }, (_, index) => first + index).reduce(
      async (before, number) => (await before, work(number)),
      Promise.resolve<unknown>(null),
    );
  const photo = await grow(photos, (first) =>
    db.transaction((tx) => addDirectory(tx, owner, first, first + together - 1), { isLong: true }),
  );
  let postID = 0;
  const onePost = await grow(texts, (first) =>
    each(first, async (number) => {
      const inserted = await db.transaction((tx) =>
        insertPost(tx, owner, newPostSchema.parse(post(String(number))), null),
      );
      postID = inserted.id;
    }),
  );
  const comment = await grow(texts, (first) =>
    each(first, (number) =>
      db.transaction((tx) =>
        insertComment(tx, owner, { blogPostID: postID, parentID: null, content: `A remark, ${number}.` }),
      ),
    ),
  );
  await db.close();
  return { photo, post: onePost, comment };
}

async function readSize(db: Database): Promise<number> {
  const row = await db.get<{ bytes: number }>(sql`SELECT pg_database_size(current_database()) AS bytes`);
  return Number(row?.bytes);
}
