import { findFiles } from "../../content/files/store.ts";
import { findPhotos, photosAtOnce } from "../../content/photos/store.ts";
import type { Reader } from "../../platform/database/database.ts";
import { type KeysetRequest, listByKey, type Sort } from "../../platform/database/keyset.ts";
import type { Page } from "../../platform/database/lists.ts";
import { mapSlices, readSlices, type Slices } from "../../platform/database/slices.ts";
import { list, sql } from "../../platform/database/sql.ts";
import type { Viewer } from "../../platform/http/route.ts";
import type { Import, ImportedFile, Outcome } from "./import.ts";

const fileColumns = sql`file_id AS "fileID", name, outcome, reason, photo_id AS "photoID"`;

/** In the order of `listImportedFilesByKey`. */
export const byFileID: Sort = { column: "file_id", type: "integer" };

/** Ordered by file id; each with its photo as presented to `viewer`. */
export function listImportedFiles(
  db: Reader,
  { id, imported, existing, refused, left }: Import,
  viewer: Viewer,
  { offset, size, outcome }: Page & { outcome?: Outcome | undefined },
): { items: Slices<ImportedFile>; total: number } {
  const rows = readSlices<FileRow>(
    (last, count) =>
      db.all<FileRow>(sql`
        SELECT ${fileColumns} FROM import_files
        WHERE import_id = ${id} AND file_id > ${last?.fileID ?? 0} AND ${outcome ? sql`outcome = ${outcome}` : sql`1 = 1`}
        ORDER BY file_id LIMIT ${count} OFFSET ${last ? 0 : offset}`),
    { size: photosAtOnce, most: size },
  );
  const totals: Record<Outcome, number> = { imported, exists: existing, refused, waiting: left };
  return {
    items: mapSlices(rows, (some) => presentFiles(db, viewer, some)),
    total: outcome ? totals[outcome] : imported + existing + refused + left,
  };
}

export function listImportedFilesByKey(
  db: Reader,
  { id }: Import,
  viewer: Viewer,
  { outcome, ...request }: KeysetRequest & { outcome?: Outcome | undefined },
) {
  return listByKey(db, request, {
    table: "import_files",
    idColumn: "file_id",
    where: [sql`import_id = ${id}`, ...(outcome ? [sql`outcome = ${outcome}`] : [])],
    atOnce: photosAtOnce,
    async find(ids) {
      const rows = await db.all<FileRow>(sql`
        SELECT ${fileColumns} FROM import_files WHERE import_id = ${id} AND file_id IN (${list(ids)})`);
      return new Map((await presentFiles(db, viewer, rows)).map((file) => [file.fileID, file]));
    },
  });
}

async function presentFiles(db: Reader, viewer: Viewer, rows: FileRow[]): Promise<ImportedFile[]> {
  const photoIDs = rows.flatMap((row) => row.photoID ?? []);
  const photos = await findPhotos(db, viewer, photoIDs);
  const fileIDs = rows.map((row) => row.fileID);
  const files = await findFiles(db, viewer, fileIDs);
  return rows.map(({ photoID, ...row }) => ({
    ...row,
    path: files.get(row.fileID)?.path ?? null,
    photo: photos.get(photoID ?? 0) ?? null,
  }));
}

type FileRow = Omit<ImportedFile, "path" | "photo"> & { photoID: number | null };
