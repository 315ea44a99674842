import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { readSlices, type Slices } from "../../platform/database/slices.ts";
import { sql } from "../../platform/database/sql.ts";
import { nameKey } from "../../content/files/names.ts";
import { root } from "../../content/files/rows.ts";

/** A file that a program leaves beside others: no list, search or activity has it. Only its owner sees it, over WebDAV. */
export type SideFile = {
  id: number;
  parentID: number;
  ownerID: number;
  name: string;
  sha256: string;
  size: number;
  contentType: string;
  createdAt: number;
  updatedAt: number;
};

/** What macOS, Windows and office programs leave in every directory that they open. */
const sideNames = /^(\._.+|\.ds_store|thumbs\.db|desktop\.ini|~\$.+|\.~lock\..+#)$/i;

export const isSideName = (name: string): boolean => sideNames.test(name);

const columns = sql`id, parent_id AS "parentID", owner_id AS "ownerID", name, sha256, size, content_type AS "contentType",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

type Place = { ownerID: number; parentID: number; name: string };

export function findSideFile(db: Reader, { ownerID, parentID, name }: Place): Promise<SideFile | null> {
  return db.get<SideFile>(sql`
    SELECT ${columns} FROM dav_side_files
    WHERE owner_id = ${ownerID} AND parent_id = ${parentID} AND name_key = ${nameKey(name)}`);
}

export function listSideFiles(db: Reader, ownerID: number, parentID: number): Slices<SideFile> {
  const read = (last: SideFile | null, size: number) =>
    db.all<SideFile>(sql`
      SELECT ${columns} FROM dav_side_files
      WHERE owner_id = ${ownerID} AND parent_id = ${parentID} AND name_key > ${last ? nameKey(last.name) : ""}
      ORDER BY name_key LIMIT ${size}`);
  return readSlices(read, { size: 500 });
}

type Content = Pick<SideFile, "sha256" | "size" | "contentType">;

/** Writes it, or replaces the one with this name. */
export async function putSideFile(tx: Queries, { ownerID, parentID, name }: Place, content: Content): Promise<void> {
  const { sha256, size, contentType } = content;
  const time = Date.now();
  await tx.run(sql`
    INSERT INTO dav_side_files (parent_id, owner_id, size, created_at, updated_at, sha256, content_type, name, name_key)
    VALUES (${parentID}, ${ownerID}, ${size}, ${time}, ${time}, ${sha256}, ${contentType}, ${name}, ${nameKey(name)})
    ON CONFLICT (owner_id, parent_id, name_key) DO UPDATE SET size = excluded.size, updated_at = excluded.updated_at,
      sha256 = excluded.sha256, content_type = excluded.content_type`);
}

export async function moveSideFile(tx: Queries, id: number, { parentID, name }: Omit<Place, "ownerID">): Promise<void> {
  await tx.run(sql`
    UPDATE dav_side_files SET parent_id = ${parentID}, name = ${name}, name_key = ${nameKey(name)} WHERE id = ${id}`);
}

export async function removeSideFile(tx: Queries, id: number): Promise<void> {
  await tx.run(sql`DELETE FROM dav_side_files WHERE id = ${id}`);
}

/** Those whose directory was permanently deleted. */
export const removeStraySideFiles = (db: Database): Promise<number> =>
  removeRows(
    db,
    "dav_side_files",
    sql`parent_id <> ${root.id} AND NOT EXISTS (SELECT 1 FROM files WHERE files.id = dav_side_files.parent_id)`,
  );
