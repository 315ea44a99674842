import { recordActivity } from "../../core/activity/record.ts";
import { newPhotoSchema, titleFrom } from "../photos/photo.ts";
import { insertPhoto } from "../photos/store.ts";
import { sql, type Sql } from "../../platform/database/sql.ts";
import type { Reach } from "../../platform/http/route.ts";
import { validate } from "../../platform/http/validate.ts";
import { reachOf } from "../../core/records/visibility.ts";
import type { Shared } from "../../core/records/record-kind.ts";
import { checkOrdinary } from "./filter.ts";
import { attachPhoto } from "./album-photos.ts";
import { getAlbumHead } from "./store.ts";

/** The album, and the albums of the same owner in it. */
const selectTree = (id: number): Sql => sql`
  WITH RECURSIVE tree (id, owner_id) AS (
    SELECT id, owner_id FROM albums WHERE id = ${id} AND trash_id IS NULL UNION
    SELECT albums.id, albums.owner_id FROM tree
    JOIN albums ON albums.parent_id = tree.id AND albums.owner_id = tree.owner_id AND albums.trash_id IS NULL
  )
  SELECT id FROM tree`;

/** An album can have very many photos: whether one of them is in it is looked up by that photo. */
const photosIn = (albums: Sql): Reach => ({
  ids: sql`SELECT photo_id FROM album_photos WHERE album_id IN (${albums})`,
  includes: (id) => sql`
    EXISTS (SELECT 1 FROM album_photos WHERE album_photos.photo_id = ${id} AND album_photos.album_id IN (${albums}))`,
});

function filesIn(albums: Sql): Reach {
  const files = sql`
    album_photos JOIN albums ON albums.id = album_photos.album_id
    JOIN photos ON photos.id = album_photos.photo_id AND photos.owner_id = albums.owner_id AND photos.trash_id IS NULL
      AND photos.is_cropped = 0
    WHERE album_photos.album_id IN (${albums})`;
  return {
    ids: sql`SELECT photos.file_id FROM ${files}`,
    includes: (id) => sql`EXISTS (SELECT 1 FROM ${files} AND photos.file_id = ${id})`,
  };
}

/** A link to an album reaches the albums and photos in it, and with downloads also the files of its owner's photos that are not cropped. */
export const sharedAlbum: Shared = {
  reach(id, { allowDownload }) {
    const tree = selectTree(id);
    return { album: reachOf(tree), photo: photosIn(tree), ...(allowDownload && { file: filesIn(tree) }) };
  },
  uploads: {
    async check(db, owner, id) {
      checkOrdinary(await getAlbumHead(db, owner, id));
    },
    async add(tx, owner, id, { name, width, height, ...picture }) {
      checkOrdinary(await getAlbumHead(tx, owner, id));
      const details = validate(newPhotoSchema, { title: titleFrom(name), ...picture });
      const photo = await insertPhoto(tx, owner, { ...details, width, height, isUntitled: true });
      const checkFound = await attachPhoto(tx, owner, id, photo.id);
      await checkFound();
      const album = await getAlbumHead(tx, owner, id);
      recordActivity(tx, owner.id, "created", { ...photo, kind: "photo", name: photo.title });
      recordActivity(tx, owner.id, "changed", { ...album, kind: "album" });
      return photo.id;
    },
  },
};
