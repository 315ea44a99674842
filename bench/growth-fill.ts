import { join } from "node:path";
import { positionStep } from "../src/content/albums/blocks.ts";
import { currentRenderer } from "../src/content/blog/made.ts";
import { schemaOf } from "../src/module.ts";
import { modules } from "../src/modules.ts";
import { raw, type Sql, sql } from "../src/platform/database/sql.ts";
import { openSqlite } from "../src/platform/database/sqlite.ts";
import { addUser, noPassword } from "../src/core/users/store.ts";
import { fillLibrary } from "./library-fill.ts";

/** Every photo has `photo` in its title, and one of so many rarer words: each of them is in ten titles. */
export const countRareWords = (photos: number) => photos / 10;

/**
 * As many photos with files in one directory, posts, comments on one post, and photos in one album. They are written by
 * SQL: the functions of the modules would need an hour for a million.
 */
export async function fillForGrowth(dataDir: string, count: number): Promise<void> {
  await fillLibrary(dataDir, count);
  const db = await openSqlite(join(dataDir, "vitrine.db"));
  // Without an admin, the front page says that the site is being set up.
  await addUser(db, "admin", noPassword, "admin");
  const numbers = sql`
    WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${count})`;
  const run = (statement: Sql) => db.transaction((tx) => tx.run(statement), { isLong: true });
  await run(sql`
    INSERT INTO posts (id, owner_id, created_at, updated_at, title, content, slug, published_at)
    ${numbers} SELECT number, 1, number, number, 'Post ' || number, 'We walked along the water.', 'p' || number, number
    FROM numbers`);
  await run(sql`INSERT INTO post_slugs (slug, post_id) SELECT slug, id FROM posts`);
  await run(
    sql`INSERT INTO post_html (post_id, renderer, html) SELECT id, ${currentRenderer}, '<p>We walked along the water.</p>' FROM posts`,
  );
  await run(sql`
    INSERT INTO comments (id, target_kind, target_id, owner_id, created_at, updated_at, content)
    ${numbers} SELECT number, 'post', 1, 1, number, number, 'Comment ' || number FROM numbers`);
  await run(sql`
    INSERT INTO albums (id, owner_id, created_at, updated_at, name) VALUES (1, 1, 0, 0, 'All photos')`);
  await run(sql`
    INSERT INTO album_photos (album_id, photo_id, position, seen_by)
    SELECT 1, id, id * ${positionStep}, CASE WHEN is_private = 0 THEN 0 ELSE owner_id END FROM photos`);
  for (const [kind, table] of Object.entries({ post: "posts", comment: "comments", album: "albums" })) {
    await run(sql`
      INSERT INTO documents (kind, record_id, title_words, text_words)
      SELECT ${kind}, id, ' post ', ' ' FROM ${raw(table)}`);
  }
  await run(sql`
    UPDATE documents SET title_words = ' photo w' || (record_id % ${countRareWords(count)}) || ' ' WHERE kind = 'photo'`);
  // Only photos are searched. The blocks are those of `platform/search/sqlite.ts`.
  await run(sql`
    INSERT INTO documents_index (rowid, block, kind, title_words, text_words)
    SELECT id, 's' || (id / 16384) || ' l' || (id / 131072), kind, title_words, text_words
    FROM documents WHERE kind = 'photo'`);
  await run(sql`DELETE FROM documents_waiting`);
  for (const { name, rebuild } of schemaOf(modules).maintained)
    if (name === "posts" || name === "albums") await rebuild(db);
  await db.close();
}
