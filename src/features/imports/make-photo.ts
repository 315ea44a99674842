import { addPhotos, findEntries, insertEntries } from "../../content/albums/album-photos.ts";
import { positionStep } from "../../content/albums/blocks.ts";
import { findAlbums, getAlbumHead, updateAlbum } from "../../content/albums/store.ts";
import type { FileRecord } from "../../content/files/file.ts";
import { findFile } from "../../content/files/store.ts";
import type { Originals } from "../../content/photos/originals.ts";
import type { StoredEdits } from "../../content/photos/edits.ts";
import { addEdits } from "../../content/photos/change.ts";
import { leavesEnough } from "../../content/photos/prepare-edits.ts";
import { isPossibleDate, titleFrom } from "../../content/photos/photo.ts";
import { isFileName } from "../../content/photos/untitled.ts";
import { addPhoto, findPhotoIDs, findPhotoOfBytes } from "../../content/photos/store.ts";
import type { Image } from "../../core/images/image.ts";
import type { Images } from "../../core/images/read.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import type { Size } from "../../platform/images/decoder.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { PhotoDetails } from "../../../convert/format/lines.ts";

const quarter = 15 * 60_000;
const furthestZone = 14 * 3_600_000;
/** Nearer places are the same: programs round them. */
const nearDegrees = 0.01;

export type PhotoDeps = { db: Database; images: Pick<Images, "read">; originals: Originals };

/** Where a photo will be; `position` is null if it comes last. */
type AlbumPlace = { id: number; position: number | null; isCover: boolean };
/** What the source of an import says of a photo. */
export type SaidOfPhoto = PhotoDetails & { inAlbums: AlbumPlace[] };

type Subject = { file: FileRecord; image: Image; width: number; height: number; said: SaidOfPhoto | null };

type Made = { photoID: number; isNew: boolean };

/** Makes the photo of a file, unless there is one by now. Null if the file was deleted in the meantime. */
export async function makePhoto(
  tx: Queries,
  originals: Originals,
  caller: Caller,
  { file, image, width, height, said }: Subject,
): Promise<Made | null> {
  const fileID = file.id;
  await tx.lock(`photo of file ${fileID} for ${caller.id}`);
  const { inAlbums = [], edited, ...known } = withoutWhatFilesSay(said, image);
  const edits = edited ? toStored(edited, image, { width, height }) : null;
  // What was cut off must not be seen by others.
  const chosen = edited && !edits ? { ...known, visibility: "private" as const } : known;
  // The same picture often lies in several folders: it is one photo, in all their albums.
  const ofBytes = said && file.sha256 ? await findPhotoOfBytes(tx, caller.id, file.sha256) : null;
  const existing = (await findPhotoIDs(tx, caller.id, [fileID])).get(fileID) ?? ofBytes;
  if (existing !== null) {
    await addToAlbums(tx, caller, inAlbums, existing);
    return { photoID: existing, isNew: false };
  }
  if (!(await findFile(tx, caller, fileID))) return null;
  // Nobody has said that others may see a picture whose file they cannot see.
  const unsaid = (await findFile(tx, null, fileID)) ? {} : { visibility: "private" as const };
  const photo = { title: titleFrom(file.name), fileID, width, height, showLocation: false, ...unsaid, ...chosen };
  // Other programs also call the name of a file a title.
  const added = await addPhoto(tx, caller, { ...photo, isUntitled: isFileName(photo.title, file.name) });
  const { id } = await originals.followNew(tx, caller.id, added, chosen);
  if (edits) await addEdits(tx, originals, { id, ownerID: caller.id }, edits);
  await addToAlbums(tx, caller, inAlbums, id);
  return { photoID: id, isNew: true };
}

/** Null if the picture cannot be edited like this. */
function toStored(
  { edits, thumbhash }: NonNullable<PhotoDetails["edited"]>,
  { sha256, duration }: Image,
  size: Size,
): StoredEdits | null {
  if (duration !== null || !leavesEnough(edits, size)) return null;
  return { edits, thumbhash: thumbhash ?? "", of: thumbhash === null ? "" : sha256 };
}

/** Adds a photo to those of the albums that still exist. */
async function addToAlbums(tx: Queries, caller: Caller, places: AlbumPlace[], photoID: number): Promise<void> {
  const albums = await findAlbums(
    tx,
    caller,
    places.map(({ id }) => id),
  );
  for (const { id, position, isCover } of places) {
    const album = albums.get(id);
    if (!album) continue;
    await getAlbumHead(tx, caller, id, tx.forUpdate);
    if (position === null) await addPhotos(tx, id, [photoID]);
    else if ((await findEntries(tx, id, [photoID])).size === 0)
      insertEntries(tx, id, [{ photo_id: photoID, position: (position + 1) * positionStep }]);
    // One that was chosen here stays.
    if (isCover && album.coverPhotoID === null) await updateAlbum(tx, caller, id, { coverPhotoID: photoID });
  }
}

type Settled = Omit<SaidOfPhoto, "momentTaken" | "clockTaken" | "isTimeRough"> & { takenAt?: string };

/**
 * What a source says of a photo, without what the file says better: a time that differs from that of the file only by a time
 * zone, and a place that is about the same. What is left is a correction by the owner, or is missing in the file.
 */
function withoutWhatFilesSay(details: SaidOfPhoto | null, image: Pick<Image, "takenAt" | "place">): Partial<Settled> {
  const { momentTaken, clockTaken, isTimeRough, place, ...said } = details ?? {};
  const taken = clockTaken ?? momentTaken;
  const isTimeKnown =
    image.takenAt !== null &&
    (isTimeRough ||
      (momentTaken === undefined
        ? clockTaken !== undefined && isSameClock(image.takenAt, clockTaken)
        : isSameMoment(image.takenAt, momentTaken)));
  const hasTime = taken !== undefined && isPossibleDate(taken) && !isTimeKnown;
  return {
    ...said,
    ...(hasTime && { takenAt: new Date(taken).toISOString() }),
    ...(place && !isNear(place, image.place) && { place }),
  };
}

/** The clock of a camera shows the time of some zone. */
function isSameMoment(clock: number, moment: number): boolean {
  const distance = Math.abs(clock - moment);
  const toQuarter = distance % quarter;
  return distance <= furthestZone && Math.min(toQuarter, quarter - toQuarter) < 2000;
}

/** Programs cut the fractions of seconds. */
const isSameClock = (clock: number, other: number) => Math.abs(clock - other) < 1000;

function isNear({ latitude, longitude }: { latitude: number; longitude: number }, place: Image["place"]): boolean {
  if (place?.latitude == null || place.longitude == null) return false;
  return Math.abs(place.latitude - latitude) < nearDegrees && Math.abs(place.longitude - longitude) < nearDegrees;
}
