import type { FileBatch, Photo, PhotoBatch, PhotoBatchResult } from "../../client/src/index.ts";

/** What a change has made of the files of photos, by their ids. */
export type FileNow = NonNullable<PhotoBatchResult["results"][number]["file"]>;
export type FilesNow = Map<number, FileNow>;

type Changes = Omit<PhotoBatch, "ids">;
const maxBatches = 50;

/**
 * Batches that give photos back what they had before a change; null if that is not possible in a few requests. `added` are
 * the ids of those that were not in the album before.
 */
export function undoingBatches(
  photos: readonly Photo[],
  changes: Changes,
  added: ReadonlySet<number>,
): PhotoBatch[] | null {
  const { set = {}, addTags = [], removeTags = [], albumID, retitle } = changes;
  const hasTag = ({ tags }: Photo, tag: string) => tags.some((one) => one.toLowerCase() === tag.toLowerCase());
  const batch = (which: (photo: Photo) => boolean, undoing: Changes): PhotoBatch => ({
    ids: photos.filter(which).map(({ id }) => id),
    ...undoing,
  });
  const { isFavourite, visibility, takenAtShift, takenAtZone, description, takenAt, place } = set;
  const batches = [
    ...addTags.map((tag) => batch((photo) => !hasTag(photo, tag), { removeTags: [tag] })),
    ...removeTags.map((tag) => batch((photo) => hasTag(photo, tag), { addTags: [tag] })),
    ...(isFavourite === undefined
      ? []
      : [batch((photo) => photo.isFavourite !== isFavourite, { set: { isFavourite: !isFavourite } })]),
    ...(visibility === undefined
      ? []
      : [
          batch((photo) => photo.visibility !== visibility, {
            // A separate request gives the files back what they had.
            set: { visibility: visibility === "public" ? "private" : "public", original: "keep" },
          }),
        ]),
    ...(takenAtShift === undefined
      ? []
      : [batch(({ takenAt }) => takenAt !== null, { set: { takenAtShift: -takenAtShift } })]),
    ...(retitle ? batchesBy(photos, ({ title }) => ({ title })) : []),
    ...(description === undefined ? [] : batchesBy(photos, ({ description }) => ({ description }))),
    ...(takenAt === undefined ? [] : batchesBy(photos, ({ takenAt, takenAtZone }) => ({ takenAt, takenAtZone }))),
    ...(takenAtZone === undefined || takenAt !== undefined
      ? []
      : batchesBy(
          photos.filter((photo) => photo.takenAt !== null),
          ({ takenAtZone }) => ({ takenAtZone }),
        )),
    ...(place === undefined ? [] : batchesBy(photos, ({ place }) => ({ place: placeOf(place) }))),
    ...(albumID === undefined ? [] : [batch(({ id }) => added.has(id), { removeFromAlbumID: albumID })]),
  ].filter(({ ids }) => ids.length > 0);
  return batches.length > maxBatches || batches.some(({ ids }) => ids.length > 1000) ? null : batches;
}

/** Batches that give the files of photos the visibility back that they had before a change. */
export function undoingFileBatches(photos: readonly Photo[], files: FilesNow): FileBatch[] {
  const changed = photos.flatMap(({ file }) => {
    const now = file ? files.get(file.id) : undefined;
    return file && now && now !== "trashed" && now !== file.visibility ? [file] : [];
  });
  return (["public", "private"] as const).flatMap((visibility) => {
    const some = changed.filter((file) => file.visibility === visibility).map(({ id }) => id);
    const ids = [...new Set(some)];
    return ids.length > 0 ? [{ ids, visibility }] : [];
  });
}

/** A batch for each value that some of the photos had. */
const batchesBy = (photos: readonly Photo[], valueOf: (photo: Photo) => Changes["set"]): PhotoBatch[] =>
  [...Map.groupBy(photos, (photo) => JSON.stringify(valueOf(photo)))].map(([, some]) => ({
    ids: some.map(({ id }) => id),
    set: some[0] && valueOf(some[0]),
  }));

/** Null is the place that the file has. */
function placeOf(place: Photo["place"]): NonNullable<Changes["set"]>["place"] {
  const { latitude, longitude, name } = place ?? {};
  return latitude == null || longitude == null ? null : { latitude, longitude, name: name ?? null };
}
