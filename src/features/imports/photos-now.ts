import type { FileRecord } from "../../content/files/file.ts";
import { findFiles } from "../../content/files/store.ts";
import type { Originals } from "../../content/photos/originals.ts";
import { findPhotoIDs } from "../../content/photos/store.ts";
import { type Image, isImage, isVideo } from "../../core/images/image.ts";
import type { Images } from "../../core/images/read.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { Problem } from "../../platform/errors.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { WaitingPhoto } from "./items-store.ts";
import { makePhoto } from "./make-photo.ts";

export type PhotoDeps = { db: Database; images: Pick<Images, "read">; originals: Originals };

/**
 * Makes the photos that a post shows at once, instead of leaving them to a server. Returns the photos by the ids of their files,
 * without files that no photo can be made of.
 */
export function createPhotosNow({ db, images, originals }: PhotoDeps, owner: Caller, importID: number) {
  return async (altTexts: Map<number, string>): Promise<Map<number, number>> => {
    const ids = [...altTexts.keys()];
    const photos = await findPhotoIDs(db, owner.id, ids);
    const files = await findFiles(
      db,
      owner,
      ids.filter((id) => !photos.has(id)),
    );
    for (const file of files.values()) {
      const photoID = await make(file, altTexts.get(file.id) ?? "");
      if (photoID !== null) photos.set(file.id, photoID);
    }
    return photos;
  };

  async function make(file: FileRecord, altText: string): Promise<number | null> {
    const image = await read(file);
    const { width, height } = image ?? {};
    if (!image || !width || !height) return null;
    return db.transaction(async (tx) => {
      const said = await findDetails(tx, file.id);
      const details = { inAlbums: [], ...said, altText: said?.altText || altText.slice(0, 1000) };
      const made = await makePhoto(tx, originals, owner, { file, image, width, height, details });
      if (made?.isNew) await settle(tx, file, made.photoID);
      return made?.photoID ?? null;
    });
  }

  async function read(file: FileRecord): Promise<Image | null> {
    if (!isImage(file.contentType) && !isVideo(file.contentType)) return null;
    try {
      return await images.read(file);
    } catch (error) {
      if (error instanceof Problem) return null;
      throw error;
    }
  }

  async function findDetails(tx: Queries, fileID: number): Promise<WaitingPhoto["details"] | null> {
    const row = await tx.get<{ details: string | null }>(sql`
      SELECT details FROM import_files WHERE import_id = ${importID} AND file_id = ${fileID} ${tx.forUpdate}`);
    return row?.details ? (JSON.parse(row.details) as WaitingPhoto["details"]) : null;
  }

  /** No server makes it again, and it goes when the import is undone. */
  async function settle(tx: Queries, { id, name }: FileRecord, photoID: number): Promise<void> {
    const waited = await tx.run(sql`
      UPDATE import_files SET outcome = 'imported', photo_id = ${photoID}, next_try_at = NULL
      WHERE import_id = ${importID} AND file_id = ${id} AND outcome = 'waiting'`);
    if (waited === 0)
      await tx.run(sql`
        INSERT INTO import_files (import_id, file_id, name, outcome, photo_id)
        VALUES (${importID}, ${id}, ${name}, 'imported', ${photoID})
        ON CONFLICT (import_id, file_id) DO UPDATE SET outcome = excluded.outcome, photo_id = excluded.photo_id`);
    await tx.run(sql`
      UPDATE imports SET imported = imported + 1, waiting = waiting - ${waited}, updated_at = ${Date.now()}
      WHERE id = ${importID}`);
  }
}
