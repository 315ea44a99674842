import { trashAlbum } from "../../content/albums/store.ts";
import { trashPost } from "../../content/blog/write.ts";
import { trashComments } from "../../content/comments/store.ts";
import { isTargetLive } from "../../content/comments/target.ts";
import { trashFile } from "../../content/files/store.ts";
import { trashPhoto } from "../../content/photos/trash.ts";
import { listReferences, removeUnused } from "../../core/users/remove.ts";
import { lockUsers } from "../../core/users/store.ts";
import { noPasswordHash } from "../../platform/auth/passwords.ts";
import { removeRedirectsOf } from "../../core/redirects/store.ts";
import type { Trash } from "../../core/trash/trash.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { readSlices } from "../../platform/database/slices.ts";
import { list, sql, type Sql } from "../../platform/database/sql.ts";
import { invalid, missing, Problem } from "../../platform/errors.ts";

type Deps = { db: Database; trash: Trash };
const atOnce = 50;
/** They are small, and may be very many. */
const commentsAtOnce = 500;

/** The condition of what an import has added. */
const isAdded = (kind: string): Sql => sql`outcome = 'added' AND kind = ${kind}`;

/**
 * Moves what an import has added to the trash, in batches; one that was interrupted goes on. What its owner has deleted
 * since stays as it is. Afterwards the source is new to the site. `check` is called between batches: if it throws, the rest
 * stays for another time.
 */
export async function undoImport(
  { db, trash }: Deps,
  id: number,
  check: () => void | Promise<void> = () => {},
): Promise<{ name: string; removed: number }> {
  const found = await db.get<{ owner_id: number; source: string | null; is_dry_run: number; created_at: number }>(sql`
    SELECT owner_id, source, is_dry_run, created_at FROM imports WHERE id = ${id}`);
  if (!found || found.source === null) throw missing(`import ${id} of a source`);
  if (found.is_dry_run === 1) throw invalid(`Import ${id} was a dry run: there is nothing to undo.`);
  const { owner_id: by, source, created_at: begunAt } = found;
  let removed = 0;
  const time = Date.now();
  await db.transaction((tx) =>
    tx.run(sql`
      UPDATE imports SET cancelled_at = coalesce(cancelled_at, ${time}), finished_at = coalesce(finished_at, ${time})
      WHERE id = ${id}`),
  );
  await removeEach("photo", sql`photos`, trashPhoto);
  await removeEach("post", sql`posts`, trashPost);
  // Those on a post in the trash are there with it.
  await remove("comment", sql`comments`, (tx, ids) => trashComments(tx, trash, ids, by), isTargetLive);
  await removeEach("file", sql`files`, trashFile);
  await removeDirectories();
  await removeEach("album", sql`albums`, trashAlbum);
  await forgetItems();
  await db.transaction(async (tx) => {
    await removeRedirectsOf(tx, id);
    await tx.run(sql`UPDATE imports SET undone_at = ${Date.now()}, updated_at = ${Date.now()} WHERE id = ${id}`);
  });
  await removePeople(db, check);
  return { name: source, removed };

  function removeEach(kind: string, table: Sql, trashOne: typeof trashFile): Promise<void> {
    return remove(kind, table, (tx, ids) => each(ids, (one) => trashOne(tx, trash, one, by)));
  }

  /** Removes what is still there, in the order in which it was added. */
  async function remove(
    kind: string,
    table: Sql,
    trashAll: (tx: Queries, ids: number[]) => Promise<number>,
    isLive = sql`1 = 1`,
  ): Promise<void> {
    const [rows, key, record, isNew] =
      kind === "photo"
        ? [sql`import_files`, sql`file_id`, sql`import_files.photo_id`, sql`outcome = 'imported'`]
        : [sql`import_items`, sql`id`, sql`import_items.record_id`, isAdded(kind)];
    const isThere = sql`EXISTS (
      SELECT 1 FROM ${table} WHERE ${table}.id = ${record} AND ${table}.trash_id IS NULL AND ${isLive})`;
    type Row = { key: number; recordID: number | null };
    const slices = readSlices<Row>(
      (last, count) =>
        db.all<Row>(sql`
          SELECT ${key} AS key, CASE WHEN ${isNew} AND ${isThere} THEN ${record} END AS "recordID" FROM ${rows}
          WHERE import_id = ${id} AND ${key} > ${last?.key ?? 0} ORDER BY ${key} LIMIT ${count}`),
      { size: kind === "comment" ? commentsAtOnce : atOnce },
    );
    for await (const slice of slices) {
      const ids = slice.flatMap(({ recordID }) => recordID ?? []);
      if (ids.length > 0) removed += await db.transaction((tx) => trashAll(tx, ids));
      await check();
    }
  }

  /** Those that the import has made, the deepest first; then those that its files needed, which are not older than it. */
  async function removeDirectories(): Promise<void> {
    const made = await db.all<{ id: number; name: string }>(sql`
      SELECT record_id AS id, name FROM import_items
      WHERE import_id = ${id} AND kind = 'directory' AND outcome = 'added'`);
    const depth = ({ name }: { name: string }) => name.split("/").length;
    for (const directory of made.toSorted((a, b) => depth(b) - depth(a))) await removeIfEmpty(directory.id);
    const above = await db.all<{ id: number }>(sql`
      SELECT DISTINCT parent_id AS id FROM files
      WHERE parent_id <> 0 AND id IN (
        SELECT record_id FROM import_items WHERE import_id = ${id} AND kind = 'file' AND outcome = 'added')`);
    for (const left of above) for (let next: number | null = left.id; next;) next = await removeIfEmpty(next, begunAt);
  }

  /** Returns the directory above one that was removed. One that holds something else by now stays. */
  function removeIfEmpty(directoryID: number, since = 0): Promise<number | null> {
    return db.transaction(async (tx) => {
      const isEmpty = sql`NOT EXISTS (SELECT 1 FROM files AS inside WHERE inside.parent_id = files.id AND inside.trash_id IS NULL)`;
      const row = await tx.get<{ parent_id: number }>(sql`
        SELECT parent_id FROM files
        WHERE id = ${directoryID} AND trash_id IS NULL AND owner_id = ${by} AND created_at >= ${since} AND ${isEmpty}`);
      if (!row) return null;
      removed += await each([directoryID], (one) => trashFile(tx, trash, one, by));
      return row.parent_id;
    });
  }

  /** Also what later imports of the source say of the posts that are in the trash now. Not the people, as long as they have accounts. */
  async function forgetItems(): Promise<void> {
    type Row = { id: number; postID: number | null };
    const slices = readSlices<Row>(
      (last, count) =>
        db.all<Row>(sql`
          SELECT id, CASE WHEN ${isAdded("post")} THEN record_id END AS "postID" FROM import_items
          WHERE import_id = ${id} AND id > ${last?.id ?? 0} ORDER BY id LIMIT ${count}`),
      { size: commentsAtOnce },
    );
    for await (const slice of slices) {
      const posts = list(slice.flatMap(({ postID }) => postID ?? []));
      await db.transaction(async (tx) => {
        await tx.run(sql`
          UPDATE import_items SET source = NULL
          WHERE owner_id = ${by} AND source IS NOT NULL AND source = ${source} AND kind = 'post' AND record_id IN (${posts})`);
        await tx.run(sql`
          UPDATE import_items SET source = NULL
          WHERE import_id = ${id} AND id >= ${slice[0]?.id ?? 0} AND id <= ${slice.at(-1)?.id ?? 0}
            AND (kind <> 'person' OR record_id IS NULL OR NOT EXISTS (SELECT 1 FROM users WHERE users.id = record_id))`);
      });
      await check();
    }
  }
}

/** One that was deleted in the meantime is passed over. */
async function each(ids: number[], work: (id: number) => Promise<void>): Promise<number> {
  let count = 0;
  for (const id of ids)
    try {
      await work(id);
      count++;
    } catch (error) {
      if (!(error instanceof Problem && error.code === "missing")) throw error;
    }
  return count;
}

type Person = { item: number; id: number };

/**
 * Removes the accounts that undone imports have made, without those that have a password, and those to which anything belongs. What
 * is in the trash belongs to its author: restored as somebody else's, it would be in the wrong name. A job comes back for those.
 */
export async function removePeople(db: Database, check: () => void | Promise<void> = () => {}): Promise<void> {
  const references = await listReferences(db);
  const slices = readSlices<Person>(
    (last, count) =>
      db.all<Person>(sql`
        SELECT import_items.id AS item, users.id FROM imports
        JOIN import_items ON import_items.owner_id = imports.owner_id AND import_items.source = imports.source
          AND import_items.kind = 'person' AND import_items.import_id = imports.id
        JOIN users ON users.id = import_items.record_id
        WHERE undone_at IS NOT NULL AND import_items.outcome = 'added' AND password_hash = ${noPasswordHash}
          AND import_items.id > ${last?.item ?? 0}
          AND NOT EXISTS (SELECT 1 FROM imports AS running
            WHERE running.owner_id = imports.owner_id AND running.source = imports.source AND running.finished_at IS NULL)
        ORDER BY import_items.id LIMIT ${count}`),
    { size: atOnce },
  );
  for await (const rows of slices) {
    await db.transaction(async (tx) => {
      await lockUsers(tx);
      for (const { id, item } of rows)
        if (await removeUnused(tx, id, references))
          await tx.run(sql`UPDATE import_items SET source = NULL WHERE id = ${item}`);
    });
    await check();
  }
}
