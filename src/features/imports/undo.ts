import { trashAlbum } from "../../content/albums/store.ts";
import { trashPost } from "../../content/blog/write.ts";
import { trashComments } from "../../content/comments/store.ts";
import { isTargetLive } from "../../content/comments/target.ts";
import { trashFile } from "../../content/files/store.ts";
import type { Originals } from "../../content/photos/originals.ts";
import { trashPhotos } from "../../content/photos/trash.ts";
import { removeRedirectsOf } from "../../core/redirects/store.ts";
import type { Trash } from "../../core/trash/trash.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { list, sql, type Sql } from "../../platform/database/sql.ts";
import { invalid, missing, Problem } from "../../platform/errors.ts";
import { nextTurn } from "../../platform/event-loop.ts";
import { removePeople } from "./undo-people.ts";

type Deps = { db: Database; trash: Trash; originals: Originals };
type Undone = { name: string; removed: number };
type Slice = { id: number; recordID: number; isOfKind: number }[];

const atOnce = 50;
/** They are small, and may be very many. */
const commentsAtOnce = 500;

/**
 * Moves what an import has added to the trash, in batches; one that was interrupted goes on. What its owner has deleted
 * since stays as it is. Afterwards the source is new to the site. `check` is called between batches: if it throws, the rest
 * stays for another time.
 */
export async function undoImport(
  { db, trash, originals }: Deps,
  id: number,
  check: () => void | Promise<void> = () => {},
): Promise<Undone> {
  const found = await db.get<{
    owner_id: number;
    source: string | null;
    is_dry_run: number;
    created_at: number;
  }>(sql`
    SELECT owner_id, source, is_dry_run, created_at FROM imports WHERE id = ${id}`);
  if (!found || found.source === null) throw missing(`import ${id} of a source`);
  if (found.is_dry_run === 1) throw invalid(`Import ${id} was a dry run: there is nothing to undo.`);
  const { owner_id: by, source } = found;
  let removed = 0;
  await db.transaction((tx) =>
    tx.run(sql`
    UPDATE imports SET cancelled_at = coalesce(cancelled_at, ${Date.now()}), finished_at = coalesce(finished_at, ${Date.now()})
    WHERE id = ${id}`),
  );
  const photos = sql`SELECT photo_id FROM import_files WHERE import_id = ${id} AND outcome = 'imported'`;
  await inBatches("photos", photos, (tx, ids) =>
    trashPhotos(tx, { trash, originals }, ids, { deletedByID: by, withFile: false }),
  );
  await inTurn("post", atOnce, sql`posts WHERE posts.trash_id IS NULL AND posts.id`, (tx, ids) =>
    each(ids, (one) => trashPost(tx, trash, one, by)),
  );
  // Those on a post in the trash are there with it.
  const comments = sql`comments WHERE comments.trash_id IS NULL AND ${isTargetLive} AND comments.id`;
  await inTurn("comment", commentsAtOnce, comments, (tx, ids) => trashComments(tx, trash, ids, by));
  await inBatches("files", itemsOf("file"), (tx, ids) => each(ids, (one) => trashFile(tx, trash, one, by)));
  await removeEmptyDirectories();
  await removeLeftDirectories();
  await inBatches("albums", itemsOf("album"), (tx, ids) => each(ids, (one) => trashAlbum(tx, trash, one, by)));
  await forgetItems();
  await db.transaction(async (tx) => {
    await removeRedirectsOf(tx, id);
    await tx.run(sql`UPDATE imports SET undone_at = ${Date.now()}, updated_at = ${Date.now()} WHERE id = ${id}`);
  });
  await removePeople(db, pause);
  return { name: source, removed };

  function itemsOf(kind: string) {
    return sql`SELECT record_id FROM import_items WHERE import_id = ${id} AND kind = ${kind} AND outcome = 'added'`;
  }

  /** Those that the import has made, the deepest first. One that holds something else by now stays. */
  async function removeEmptyDirectories(): Promise<void> {
    const made = await db.all<{ id: number; name: string }>(sql`
      SELECT record_id AS id, name FROM import_items
      WHERE import_id = ${id} AND kind = 'directory' AND outcome = 'added'`);
    for (const directory of made.toSorted((one, other) => other.name.split("/").length - one.name.split("/").length))
      await removeIfEmpty(directory.id);
  }

  /** Those that files of the import needed, and that are no items of it: they are not older than it. */
  async function removeLeftDirectories(): Promise<void> {
    const above = await db.all<{ id: number }>(sql`
      SELECT DISTINCT parent_id AS id FROM files WHERE id IN (${itemsOf("file")}) AND parent_id <> 0`);
    for (const left of above)
      for (let next: number | null = left.id; next;) next = await removeIfEmpty(next, found?.created_at ?? 0);
  }

  /** Returns the directory above one that was removed. */
  function removeIfEmpty(directoryID: number, since = 0): Promise<number | null> {
    return db.transaction(async (tx) => {
      const isEmpty = sql`NOT EXISTS (SELECT 1 FROM files AS inside WHERE inside.parent_id = files.id AND inside.trash_id IS NULL)`;
      const row = await tx.get<{ parent_id: number }>(sql`
        SELECT parent_id FROM files
        WHERE id = ${directoryID} AND trash_id IS NULL AND owner_id = ${by} AND created_at >= ${since} AND ${isEmpty}`);
      if (!row) return null;
      await each([directoryID], (one) => trashFile(tx, trash, one, by));
      removed++;
      return row.parent_id;
    });
  }

  /** Requests go on in the meantime, and it can be ended here. */
  async function pause(): Promise<void> {
    await check();
    await nextTurn();
  }

  /** What it has added, in the order of the items, a few at a time. */
  async function* slicesOf(size: number, where: Sql): AsyncGenerator<Slice> {
    for (let last = 0; ;) {
      const rows = await db.all<Slice[number]>(sql`
        SELECT id, record_id AS "recordID", CASE WHEN ${where} THEN 1 ELSE 0 END AS "isOfKind" FROM import_items
        WHERE import_id = ${id} AND outcome = 'added' AND id > ${last} ORDER BY id LIMIT ${size}`);
      yield rows;
      if (rows.length < size) return;
      last = rows.at(-1)?.id ?? last;
      await pause();
    }
  }

  /** Records of one kind, in the order in which they were added; `live` are the rows of those that are still there. */
  async function inTurn(
    kind: string,
    size: number,
    live: Sql,
    remove: (tx: Queries, ids: number[]) => Promise<number>,
  ): Promise<void> {
    const isLive = sql`kind = ${kind} AND EXISTS (SELECT 1 FROM ${live} = import_items.record_id)`;
    for await (const slice of slicesOf(size, isLive)) {
      const ids = slice.filter(({ isOfKind }) => isOfKind === 1).map(({ recordID }) => recordID);
      if (ids.length > 0) removed += await db.transaction((tx) => remove(tx, ids));
    }
  }

  /** Also what later imports of the source say of the posts that are in the trash now. Not the people, as long as they have accounts. */
  async function forgetItems(): Promise<void> {
    for await (const slice of slicesOf(commentsAtOnce, sql`kind = 'post'`)) {
      const posts = slice.filter(({ isOfKind }) => isOfKind === 1).map(({ recordID }) => recordID);
      if (posts.length > 0)
        await db.transaction((tx) =>
          tx.run(sql`
            UPDATE import_items SET source = NULL
            WHERE owner_id = ${by} AND source IS NOT NULL AND source = ${source} AND kind = 'post' AND record_id IN (${list(posts)})`),
        );
    }
    for (let last = 0; ;) {
      const rows = await db.all<{ id: number }>(sql`
        SELECT id FROM import_items WHERE import_id = ${id} AND id > ${last} ORDER BY id LIMIT ${commentsAtOnce}`);
      const first = last;
      last = rows.at(-1)?.id ?? last;
      await db.transaction((tx) =>
        tx.run(sql`
          UPDATE import_items SET source = NULL WHERE import_id = ${id} AND id > ${first} AND id <= ${last}
            AND (kind <> 'person' OR record_id IS NULL OR NOT EXISTS (SELECT 1 FROM users WHERE users.id = record_id))`),
      );
      if (rows.length < commentsAtOnce) return;
      await pause();
    }
  }

  async function inBatches(
    table: "photos" | "files" | "albums",
    added: ReturnType<typeof sql>,
    remove: (tx: Queries, ids: number[]) => Promise<unknown>,
  ): Promise<void> {
    const from = { photos: sql`photos`, files: sql`files`, albums: sql`albums` }[table];
    for (;;) {
      const count = await db.transaction(async (tx) => {
        const rows = await tx.all<{ id: number }>(sql`
          SELECT id FROM ${from} WHERE trash_id IS NULL AND id IN (${added}) ORDER BY id LIMIT ${atOnce}`);
        await remove(
          tx,
          rows.map((row) => row.id),
        );
        return rows.length;
      });
      removed += count;
      if (count < atOnce) return;
      await pause();
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
