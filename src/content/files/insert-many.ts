import { flagFor, toVisibility, type Visibility } from "../../core/records/visibility.ts";
import type { Queries } from "../../platform/database/database.ts";
import { joined, list, sql } from "../../platform/database/sql.ts";
import type { Caller } from "../../platform/http/route.ts";
import { indexNewRecords } from "../../platform/search/documents.ts";
import { ensureDirectory, nameTaken } from "./directories.ts";
import { fileTexts, type StoredFile } from "./file.ts";
import { nameKey, orderKey } from "./names.ts";
import { type Directory, fileColumns, type FileRow, toFile } from "./rows.ts";
import type { Content, TreeEntry } from "./store.ts";

type Added = { target: { path: string[]; name: string; visibility?: Visibility | undefined }; content: Content };

/** Inserts new files, and creates missing directories. Throws if the name of one of them is taken. The activity has none of them. */
export async function insertNewFiles(tx: Queries, caller: Caller, added: Added[]): Promise<StoredFile[]> {
  const inserted = new Map<Added, StoredFile>();
  const together = Map.groupBy(added, ({ target }) => [target.visibility, ...target.path].join("/"));
  for (const [first, ...others] of together.values()) {
    if (!first) continue;
    const some = [first, ...others];
    const directory = await ensureDirectory(tx, caller, first.target.path, first.target.visibility);
    await checkNames(
      tx,
      directory,
      some.map(({ target }) => target.name),
    );
    const files = some.map(({ target, content }) => ({ ...target, ...content, parentID: directory.id }));
    const rows = await insertRows(tx, caller.id, files);
    for (const [index, row] of rows.entries())
      inserted.set(
        some[index] as Added,
        toFile({ ...row, file_path: directory.path, is_file_visible: 1 }) as StoredFile,
      );
  }
  return added.map((one) => inserted.get(one) as StoredFile);
}

async function checkNames(tx: Queries, directory: Directory, names: string[]): Promise<void> {
  const byKey = new Map<string, string>();
  for (const name of names) {
    if (byKey.has(nameKey(name))) throw nameTaken(name, "file");
    byKey.set(nameKey(name), name);
  }
  const taken = await tx.get<{ name_key: string }>(sql`
    SELECT name_key FROM files
    WHERE parent_id = ${directory.id} AND name_key IN (${list([...byKey.keys()])}) AND trash_id IS NULL LIMIT 1`);
  if (taken) throw nameTaken(byKey.get(taken.name_key) ?? taken.name_key, "file");
}

type NewRow = {
  parentID: number;
  name: string;
  sha256: string | null;
  size: number;
  contentType: string | null;
  visibility?: Visibility | undefined;
};

/**
 * Copies entries in a few statements. `copies` maps the id of each parent directory to the id of its copy. Returns the same
 * map for the entries.
 */
export async function insertCopies(
  tx: Queries,
  ownerID: number,
  entries: TreeEntry[],
  copies: Map<number, number>,
): Promise<Map<number, number>> {
  const files = entries.map((entry) => ({ ...entry, parentID: copies.get(entry.parentID) as number }));
  const rows = await insertRows(tx, ownerID, files);
  return new Map(entries.map(({ id }, index) => [id, rows[index]?.file_id as number]));
}

/** Inserts files, whose names are free, in a few statements. */
async function insertRows(tx: Queries, ownerID: number, files: NewRow[]): Promise<FileRow[]> {
  const time = Date.now();
  const values = files.map(({ parentID, name, sha256, size, contentType, visibility }) => {
    const keys = sql`${name}, ${nameKey(name)}, ${orderKey(name, sha256 === null)}`;
    return sql`(${parentID}, ${ownerID}, ${keys}, ${sha256}, ${size}, ${contentType}, ${flagFor(visibility)}, ${time}, ${time})`;
  });
  const inserted = await tx.all<FileRow>(sql`
    INSERT INTO files (parent_id, owner_id, name, name_key, order_key, sha256, size, content_type, is_private, created_at,
      updated_at)
    VALUES ${joined(values)} RETURNING ${fileColumns}`);
  // They may come in any order.
  const keyOf = (parentID: number, name: string) => `${parentID}/${nameKey(name)}`;
  const byKey = new Map(inserted.map((row) => [keyOf(row.file_parent_id, row.file_name), row]));
  const rows = files.map(({ parentID, name }) => byKey.get(keyOf(parentID, name)) as FileRow);
  await tx.changed(
    "file",
    rows.map((row) => ({ id: row.file_id, before: null, after: { sha256: row.file_sha256 } })),
  );
  await indexNewRecords(
    tx,
    "file",
    rows.map((row) => ({
      id: row.file_id,
      ownerID,
      visibility: toVisibility(row.file_is_private),
      texts: fileTexts({ name: row.file_name }),
    })),
  );
  return rows;
}
