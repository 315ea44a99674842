import { describePublic } from "../../core/images/image.ts";
import { joinImages, type PublicRow, publicColumns } from "../../core/images/store.ts";
import { noteMissing } from "../../platform/database/generations.ts";
import { sql, type Sql } from "../../platform/database/sql.ts";
import { known } from "../../platform/database/touched-tables.ts";
import type { Grant, Limit, Reach, Viewer } from "../../platform/http/route.ts";
import {
  granterOf,
  isVisibleTo,
  type Prefix,
  thisTable,
  toVisibility,
  withoutLimit,
} from "../../core/records/visibility.ts";
import type { StoredFile } from "./file.ts";

/** `isGranted`: the viewer sees in it what the owner of the grant sees. */
export type Directory = { id: number; path: string; isGranted?: boolean };

/** The root has no row. */
export const root: Directory = { id: 0, path: "/" };

export type FileRow = {
  file_id: number;
  file_parent_id: number;
  file_owner_id: number;
  file_name: string;
  file_sha256: string | null;
  file_size: number;
  file_is_private: number;
  file_content_type: string | null;
  file_created_at: number;
  file_updated_at: number;
};

/**
 * A file with the columns of its public bytes, if joined, the path of the directory that contains it, and whether the
 * viewer may see it.
 */
export type FoundFileRow = FileRow &
  Partial<PublicRow> & { file_path: string | null; is_file_visible: number; is_file_granted?: number };

export const fileColumns = sql`files.id AS file_id, files.parent_id AS file_parent_id, files.owner_id AS file_owner_id,
  files.name AS file_name, files.sha256 AS file_sha256, files.size AS file_size, files.is_private AS file_is_private,
  files.content_type AS file_content_type, files.created_at AS file_created_at, files.updated_at AS file_updated_at`;

/** For queries that join `images`. */
export const fileAndImageColumns = sql`${fileColumns}, ${publicColumns}`;

/** Files with their images. `where` is a condition on `files`. */
export const selectFiles = (viewer: Viewer, where: Sql): Sql =>
  withPaths(
    viewer,
    sql`SELECT ${fileAndImageColumns} FROM files ${joinImages} WHERE ${where} AND files.trash_id IS NULL`,
  );

/**
 * Adds `file_path` and `is_file_visible` to the rows of a SELECT that has `fileColumns`. The path is null below a directory
 * that is in the trash. A file is visible if it and all directories above it are. No row of `files` stores its path, so
 * that a rename changes only one row. The paths of all directories that contain these rows are computed in the same
 * statement.
 */
export function withPaths(viewer: Viewer, rows: Sql): Sql {
  const { grant, limit } = viewer ?? {};
  if (limit) return withLimitedPaths(withoutLimit(viewer as NonNullable<Viewer>), limit, rows);
  return grant?.reach.file ? withGrantedPaths(viewer, grant, grant.reach.file, rows) : withOwnPaths(viewer, rows);
}

const withOwnPaths = (viewer: Viewer, rows: Sql): Sql => sql`
  WITH RECURSIVE found AS (${rows}), above (directory_id, parent_id, path, is_visible) AS (
    SELECT id, parent_id, '/' || name, CASE WHEN ${isVisibleTo(viewer, thisTable)} THEN 1 ELSE 0 END FROM ${known("files")}
    WHERE id IN (SELECT file_parent_id FROM found) AND trash_id IS NULL
    UNION ALL
    SELECT above.directory_id, files.parent_id, '/' || files.name || above.path,
      CASE WHEN ${isVisibleTo(viewer, "files.")} THEN above.is_visible ELSE 0 END
    FROM above JOIN ${known("files")} ON files.id = above.parent_id AND files.trash_id IS NULL
  )
  SELECT found.*, CASE found.file_parent_id WHEN ${root.id} THEN ${root.path} ELSE above.path END AS file_path,
    CASE WHEN ${isVisibleTo(viewer, "found.file_")} THEN coalesce(above.is_visible, 1) ELSE 0 END AS is_file_visible
  FROM found LEFT JOIN above ON above.directory_id = found.file_parent_id AND above.parent_id = ${root.id}`;

/**
 * The same for a viewer with a grant, which reaches the files `tops` and what lies below them, as far as the owner of the
 * grant sees it. On the way up, `is_granted` is 0 until a directory of `tops` is found (1), or one that this owner does not
 * see (-1). A path has no names of directories above those that the viewer may see.
 */
function withGrantedPaths(viewer: Viewer, grant: Grant, tops: Reach, rows: Sql): Sql {
  const isSeen = (columns: Prefix) => isVisibleTo(granterOf(grant), columns);
  const isTop = sql`CASE WHEN NOT ${isSeen("files.")} THEN -1 WHEN ${tops.includes(sql`files.id`)} THEN 1 ELSE 0 END`;
  const isVisible = sql`${isVisibleTo(viewer, "found.file_")} AND coalesce(above.is_visible, 1) = 1`;
  const isGranted = sql`${isSeen("found.file_")} AND (${tops.includes(sql`found.file_id`)} OR coalesce(above.is_granted, 0) = 1)`;
  return sql`
  WITH RECURSIVE found AS (${rows}), above (directory_id, parent_id, path, granted_path, is_visible, is_granted) AS (
    SELECT id, parent_id, '/' || name, '/' || name, CASE WHEN ${isVisibleTo(viewer, "files.")} THEN 1 ELSE 0 END, ${isTop}
    FROM files WHERE id IN (SELECT file_parent_id FROM found) AND trash_id IS NULL
    UNION ALL
    SELECT above.directory_id, files.parent_id, '/' || files.name || above.path,
      CASE above.is_granted WHEN 0 THEN '/' || files.name || above.granted_path ELSE above.granted_path END,
      CASE WHEN ${isVisibleTo(viewer, "files.")} THEN above.is_visible ELSE 0 END,
      CASE above.is_granted WHEN 0 THEN ${isTop} ELSE above.is_granted END
    FROM above JOIN files ON files.id = above.parent_id AND files.trash_id IS NULL
  )
  SELECT found.*, CASE WHEN found.file_parent_id = ${root.id} THEN ${root.path} WHEN above.path IS NULL THEN NULL
      WHEN above.is_visible = 1 THEN above.path WHEN above.is_granted = 1 THEN above.granted_path
      ELSE ${root.path} END AS file_path,
    CASE WHEN (${isVisible}) OR (${isGranted}) THEN 1 ELSE 0 END AS is_file_visible,
    CASE WHEN ${isGranted} THEN 1 ELSE 0 END AS is_file_granted
  FROM found LEFT JOIN above ON above.directory_id = found.file_parent_id AND above.parent_id = ${root.id}`;
}

/**
 * The same for a viewer with a limit: visible is what they see without it, if the limit reaches it or a directory above it. The
 * path of a file that is reached for another reason than its directory says nothing about that.
 */
function withLimitedPaths(viewer: Viewer, { kind, reach }: Limit, rows: Sql): Sql {
  const isReached = (id: Sql) => reach.file?.includes(id) ?? sql`1 = 0`;
  const path =
    kind === "directory" ? sql`above.path` : sql`CASE WHEN above.path IS NULL THEN NULL ELSE ${root.path} END`;
  return sql`
  WITH RECURSIVE found AS (${rows}), above (directory_id, parent_id, path, is_visible, is_reached) AS (
    SELECT id, parent_id, '/' || name, CASE WHEN ${isVisibleTo(viewer, thisTable)} THEN 1 ELSE 0 END,
      CASE WHEN ${isReached(sql`files.id`)} THEN 1 ELSE 0 END
    FROM files WHERE id IN (SELECT file_parent_id FROM found) AND trash_id IS NULL
    UNION ALL
    SELECT above.directory_id, files.parent_id, '/' || files.name || above.path,
      CASE WHEN ${isVisibleTo(viewer, "files.")} THEN above.is_visible ELSE 0 END,
      CASE WHEN ${isReached(sql`files.id`)} THEN 1 ELSE above.is_reached END
    FROM above JOIN ${known("files")} ON files.id = above.parent_id AND files.trash_id IS NULL
  )
  SELECT found.*, CASE found.file_parent_id WHEN ${root.id} THEN ${root.path} ELSE ${path} END AS file_path,
    CASE WHEN ${isVisibleTo(viewer, "found.file_")} AND coalesce(above.is_visible, 1) = 1
      AND (${isReached(sql`found.file_id`)} OR coalesce(above.is_reached, 0) = 1) THEN 1 ELSE 0 END AS is_file_visible
  FROM found LEFT JOIN above ON above.directory_id = found.file_parent_id AND above.parent_id = ${root.id}`;
}

/** Returns null for a file that the viewer may not see, and for one below a directory that is in the trash. */
export function toFile(row: FoundFileRow): StoredFile | null {
  const { file_name: name, file_sha256: sha256, file_size: size, file_content_type: contentType } = row;
  if (row.file_path === null || row.is_file_visible !== 1) return null;
  const { clean_sha256: cleanSHA256 = null, clean_size: cleanSize = null } = row;
  if (sha256 !== null && !row.image_read_at) noteMissing("images");
  const state = row.image_read_at ? { isWithheld: row.withheld === 1, cleanSHA256, cleanSize } : null;
  return {
    public: describePublic({ name, sha256, size, contentType }, state),
    id: row.file_id,
    parentID: row.file_parent_id,
    isGranted: row.is_file_granted === 1,
    name,
    path: row.file_path,
    isDirectory: sha256 === null,
    size,
    contentType,
    url: sha256 === null ? null : `/api/v1/files/${row.file_id}/content`,
    sha256,
    visibility: toVisibility(row.file_is_private),
    ownerID: row.file_owner_id,
    createdAt: new Date(row.file_created_at).toISOString(),
    updatedAt: new Date(row.file_updated_at).toISOString(),
  };
}

export const toFiles = (rows: FoundFileRow[]): StoredFile[] => rows.flatMap((row) => toFile(row) ?? []);

/** The id and the full path of a directory. */
export const toDirectory = (directory: Pick<StoredFile, "id" | "path" | "name" | "isGranted">): Directory => ({
  id: directory.id,
  path: `${directory.path === root.path ? "" : directory.path}/${directory.name}`,
  isGranted: directory.isGranted,
});
