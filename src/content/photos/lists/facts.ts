import type { Camera } from "../../../core/images/image.ts";
import { hasChanged } from "../../../platform/database/changes.ts";
import type { Change, Database, Queries } from "../../../platform/database/database.ts";
import type { Maintained } from "../../../platform/database/maintained.ts";
import { list, sql, type Sql } from "../../../platform/database/sql.ts";
import type { Derived } from "../../../platform/database/tables.ts";
import { markUnread } from "../../../platform/search/documents.ts";
import { fold } from "../../../platform/text.ts";
import { type ListedRow, listNewPhoto, lockPhotos, type PhotoKind, relist } from "./entries.ts";
import { isPossibleDate } from "../photo.ts";
import { placePhotos } from "./places.ts";

/**
 * What the columns of a photo say about its file, so that lists can be sorted and filtered by it: `taken_at`, `camera_key` and
 * `kind`. They keep their values while the file is in the trash, and after it was deleted. The date and the camera are those
 * of a file of the same owner: the file of another user may become private at any time.
 */
type Facts = { takenAt: number | null; cameraKey: string | null; kind: PhotoKind };

type Content = { contentType: string | null; takenAt: number | null; camera: Camera | null };

type ContentRow = { file_content_type: string | null; taken_at: number | null; camera: string | null };

/** What is known of a file and its image; without a file, nothing. */
export function toContent(row: ContentRow | null): Content {
  const camera = row?.camera ? (JSON.parse(row.camera) as Camera) : null;
  return { contentType: row?.file_content_type ?? null, takenAt: row?.taken_at ?? null, camera };
}

export function factsOf({ contentType, takenAt, camera }: Content, isOwn: boolean, correction: number | null): Facts {
  const read = isOwn && takenAt !== null && isPossibleDate(takenAt) ? takenAt : null;
  return { takenAt: correction ?? read, cameraKey: isOwn ? cameraKeyOf(camera) : null, kind: kindOf(contentType) };
}

const kindOf = (contentType: string | null): PhotoKind => (contentType?.startsWith("video/") ? "video" : "image");

const cameraKeyOf = (camera: Camera | null): string | null => {
  const name = camera?.model ?? camera?.make;
  return name ? cameraKey(name) : null;
};

export const cameraKey = (name: string): string => fold(name.trim());

type Row = {
  id: number;
  owner_id: number;
  file_owner_id: number | null;
  file_content_type: string | null;
  taken_at: number | null;
  taken_at_set: number | null;
  kind: PhotoKind;
  camera_key: string | null;
  image_taken_at: number | null;
  camera: string | null;
};

/** The lists of photos, the counts of the timeline, and those columns of a photo that its file decides. */
export const photoLists: Derived = {
  kind: "photo",
  from: ["trash_id", "is_private", "tags", "is_favourite", "taken_at_set", "file_id", "is_untitled"],
  async derive(tx, changes) {
    const others: Change[] = [];
    for (const change of changes) {
      if (change.before === null) listNewPhoto(tx, change.after as ListedRow);
      else others.push(change);
    }
    const ids = others.map(({ id }) => id);
    const isOneChanged = (column: string) => others.some((change) => hasChanged(change, [column]));
    if (isOneChanged("file_id")) await describePhotos(tx, ids, true);
    else if (isOneChanged("taken_at_set")) await describePhotos(tx, ids);
    else await relist(tx, ids);
  },
};

/** The same when the files of photos have other contents. */
export const photosOfFiles: Derived = {
  kind: "file",
  from: ["sha256"],
  async derive(tx, changes) {
    const ids = changes.flatMap(({ id, before }) => (before === null ? [] : [id]));
    if (ids.length > 0) await updateSelected(tx, sql`SELECT id FROM photos WHERE file_id IN (${list(ids)})`);
  },
};

/** More is known of the image in a blob than before. */
export const updatePhotosShowing = (tx: Queries, sha256: string): Promise<void> =>
  updateSelected(
    tx,
    sql`SELECT photos.id FROM photos JOIN files ON files.id = photos.file_id WHERE files.sha256 = ${sha256}`,
  );

/** Photos are also found by what is known of their images. */
async function updateSelected(tx: Queries, ids: Sql): Promise<void> {
  await markUnread(tx, "photo", ids);
  await describeSelected(tx, ids);
}

/**
 * Corrects the columns and the lists of photos by their files, and returns how many photos were wrong. The photos are locked.
 * `isNewFile` says that they show another file than before.
 */
async function describePhotos(tx: Queries, ids: number[], isNewFile = false): Promise<number> {
  if (ids.length === 0) return 0;
  const rows = await tx.all<Row>(sql`
    SELECT photos.id, photos.owner_id, photos.taken_at, photos.taken_at_set, photos.kind, photos.camera_key,
      files.owner_id AS file_owner_id, files.content_type AS file_content_type, images.taken_at AS image_taken_at, images.camera
    FROM photos LEFT JOIN files ON files.id = photos.file_id LEFT JOIN images ON images.sha256 = files.sha256
    WHERE photos.id IN (${list(ids)})`);
  const wrong: Change[] = [];
  for (const row of rows) {
    const { takenAt, cameraKey, kind } = currentFacts(row, isNewFile);
    if (takenAt === row.taken_at && cameraKey === row.camera_key && kind === row.kind) continue;
    const before = { taken_at: row.taken_at, camera_key: row.camera_key, kind: row.kind };
    wrong.push({ id: row.id, before, after: { taken_at: takenAt, camera_key: cameraKey, kind } });
    tx.later(sql`
      UPDATE photos SET taken_at = ${takenAt}, camera_key = ${cameraKey}, kind = ${kind} WHERE id = ${row.id}`);
  }
  const relisted = await relist(tx, ids);
  const placed = await placePhotos(tx, ids);
  if (wrong.length > 0) await tx.changed("photo", wrong);
  return Math.max(relisted, placed, wrong.length);
}

function currentFacts(row: Row, isNewFile: boolean): Facts {
  // The file was permanently deleted: only a correction can still change.
  if (row.file_owner_id === null) {
    return { takenAt: row.taken_at_set ?? row.taken_at, cameraKey: row.camera_key, kind: row.kind };
  }
  const isOwn = row.file_owner_id === row.owner_id;
  const content = toContent({ ...row, taken_at: row.image_taken_at });
  const facts = factsOf(content, isOwn, row.taken_at_set);
  // Another user may have replaced the content since, and made the file private.
  return isOwn || isNewFile ? facts : { ...facts, kind: row.kind };
}

/** Describes the photos that the SELECT of ids returns. */
async function describeSelected(tx: Queries, selected: Sql): Promise<void> {
  const ids = (await tx.all<{ id: number }>(selected)).map(({ id }) => id);
  for (let start = 0; start < ids.length; start += photosAtOnce) {
    const some = ids.slice(start, start + photosAtOnce);
    await lockPhotos(tx, some);
    await describePhotos(tx, some);
  }
}

const photosAtOnce = 200;

function describeLocked(db: Database, ids: number[]): Promise<number> {
  return db.transaction(async (tx) => {
    await lockPhotos(tx, ids);
    return describePhotos(tx, ids);
  });
}

export const listedPhotos: Maintained = {
  name: "photos in lists",
  async rebuild(db) {
    let corrected = 0;
    for (let last = 0; ;) {
      const rows = await db.all<{ id: number }>(sql`
        SELECT id FROM photos WHERE id > ${last} ORDER BY id LIMIT ${photosAtOnce}`);
      if (rows.length === 0) return corrected;
      const ids = rows.map(({ id }) => id);
      corrected += await describeLocked(db, ids);
      last = ids.at(-1) as number;
    }
  },
};
