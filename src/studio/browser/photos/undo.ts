import type { Photo, PhotoBatch } from "../../../../client/src/index.ts";

type Changes = Omit<PhotoBatch, "ids">;
const mostBatches = 50;

/** Batches that give photos back what they had before a change; null if that is not possible in a few requests. */
export function undoingBatches(photos: readonly Photo[], changes: Changes): PhotoBatch[] | null {
  const { set = {}, addTags = [], removeTags = [], albumID, retitle } = changes;
  const hasTag = ({ tags }: Photo, tag: string) => tags.some((one) => one.toLowerCase() === tag.toLowerCase());
  const batch = (which: (photo: Photo) => boolean, undoing: Changes): PhotoBatch => ({
    ids: photos.filter(which).map(({ id }) => id),
    ...undoing,
  });
  const { isFavourite, visibility, takenAtShift } = set;
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
            set: { visibility: visibility === "public" ? "private" : "public" },
          }),
        ]),
    ...(takenAtShift === undefined
      ? []
      : [batch(({ takenAt }) => takenAt !== null, { set: { takenAtShift: -takenAtShift } })]),
    ...(retitle ? titleBatches(photos) : []),
    ...(albumID === undefined ? [] : [batch(() => true, { removeFromAlbumID: albumID })]),
  ].filter(({ ids }) => ids.length > 0);
  return batches.length > mostBatches || batches.some(({ ids }) => ids.length > 1000) ? null : batches;
}

const titleBatches = (photos: readonly Photo[]): PhotoBatch[] =>
  [...Map.groupBy(photos, ({ title }) => title)].map(([title, some]) => ({
    ids: some.map(({ id }) => id),
    set: { title },
  }));
