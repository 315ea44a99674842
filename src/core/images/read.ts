import { setImmediate } from "node:timers/promises";
import { busy, missing, Problem } from "../../platform/errors.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import type { Decoder, Inspected, Pixels } from "../../platform/images/decoder.ts";
import type { Look } from "../../platform/images/look.ts";
import type { ImageMetadata } from "../../platform/images/metadata.ts";
import { UnreadableImage } from "../../platform/images/unreadable.ts";
import { createShared } from "../../platform/once.ts";
import { type Image, isUnknownRaw, isWaiting, masterName, needsReading, type PublicBytes } from "./image.ts";
import { findImage, insertImage, listCandidates } from "./store.ts";

/** The fields of a file or a version that identify its bytes. */
type Bytes = { sha256: string | null; contentType: string | null; name?: string };

export type Images = {
  /**
   * The metadata and the picture of an image or a video, which are read now if they are not stored yet; null for other files. A
   * video whose picture takes too long is returned without it.
   */
  read(bytes: Bytes): Promise<Image | null>;
  /** The same for a blob that must be a picture. */
  readPicture(sha256: string): Promise<Image>;
  /** What the public may read of a file. */
  readPublic(bytes: Bytes): Promise<PublicBytes>;
  /** Reads a file before it is requested. Resolves when that has succeeded or failed; never rejects. */
  readAhead(bytes: Bytes): Promise<void>;
  /** Reads all files that have not been read: those uploaded to an earlier version, or just before a crash. */
  readMissing(): Promise<void>;
};

/** Shorter than the time limit of a request: a client that waits too long for a picture gets an error message. */
const maxWaitMilliseconds = 25_000;
const filesAtOnce = 200;

/** `whenRead` runs in the transaction that stores the image. */
export function createImages(
  db: Database,
  blobs: Pick<Blobs, "withLocalFile" | "keepDerived">,
  decoder: Decoder,
  whenRead: (tx: Queries, image: Image) => Promise<void>,
): Images {
  const once = createShared<Image>();

  async function read(bytes: Bytes): Promise<Image | null> {
    const image = await readMetadata(bytes);
    if (!image || !isWaiting(image)) return image;
    return withTimeout(once(`picture ${image.sha256}`, () => takePicture(image))).catch((error: unknown) => {
      if (error instanceof Problem && error.code === "busy") return image;
      throw error;
    });
  }

  /** Everything but the picture of a video. */
  const readMetadata = async (bytes: Bytes): Promise<Image | null> =>
    bytes.sha256 === null || !needsReading(bytes) ? null : readBlob(bytes.sha256);

  const readBlob = async (sha256: string): Promise<Image> =>
    (await findImage(db, sha256)) ?? (await withTimeout(once(sha256, () => readAndKeep(sha256))));

  async function readAndKeep(sha256: string): Promise<Image> {
    const found = await blobs.withLocalFile(sha256, (path) => readImage(decoder, path, sha256));
    if (!found) throw bytesMissing();
    return found.isPermanent ? keep(found) : found.image;
  }

  /** A video can be played before its picture has been taken, which may have to wait for those of others. */
  async function takePicture(video: Image): Promise<Image> {
    const found = await blobs.withLocalFile(video.sha256, (path) => takeFrame(decoder, path, video));
    if (!found) throw bytesMissing();
    return keep(found);
  }

  async function keep({ image, master, look }: Omit<Found, "isPermanent">): Promise<Image> {
    if (master) await blobs.keepDerived(image.sha256, masterName, master);
    await db.transaction(async (tx) => {
      await insertImage(tx, image, look);
      await whenRead(tx, image);
    });
    return image;
  }

  return {
    read,
    readPicture: readBlob,
    readPublic: async (bytes) => (isUnknownRaw(bytes) ? "none" : ((await readMetadata(bytes))?.public ?? "all")),
    async readAhead(bytes) {
      // A later request for the file reports the error.
      await read(bytes).catch(() => {});
    },
    async readMissing() {
      let candidates = await listCandidates(db, 0, filesAtOnce);
      while (candidates.length > 0) {
        for (const file of candidates) if (!file.read) await read(file).catch(skipUnavailable);
        // Lets requests run first.
        await setImmediate();
        candidates = await listCandidates(db, candidates.at(-1)?.id ?? 0, filesAtOnce);
      }
    },
  };
}

type Found = { image: Image; master: Pixels["master"]; look: Look | null; isPermanent: boolean };

async function readImage(decoder: Decoder, path: string, sha256: string): Promise<Found> {
  const inspected = await decoder.inspect(path).catch(throwBusy);
  const { metadata, isPicture, motion: moving } = inspected;
  const shown = await withholdChanged(decoder, path, inspected);
  const { takenAt, place: where, placeName, orientation: _, video, ...camera } = metadata;
  const place = where || placeName ? { ...noCoordinates, ...(where && roundPlace(where)), name: placeName } : null;
  const motion = moving && { duration: moving.duration, bytes: moving };
  const known = { sha256, takenAt, camera, place, public: shown, motion, duration: video && (video.duration ?? 0) };
  if (video) {
    const { width, height } = video;
    return {
      image: { ...known, width, height, thumbhash: null, failure: null },
      master: null,
      look: null,
      isPermanent: true,
    };
  }
  try {
    if (!isPicture) throw new UnreadableImage(inspected.refusal ?? "It is not an image or a video that can be read.");
    const { master, look, ...pixels } = await decoder.measure(path);
    return { image: { ...known, ...pixels, failure: null }, master, look, isPermanent: true };
  } catch (error) {
    if (!(error instanceof UnreadableImage)) throw error;
    const image = { ...known, width: null, height: null, thumbhash: null, failure: error.message };
    return { image, master: null, look: null, isPermanent: error.isPermanent };
  }
}

/** A cleaned version is published only if it shows the same pixels as the original. */
async function withholdChanged(
  decoder: Decoder,
  path: string,
  { public: shown, isProven }: Inspected,
): Promise<PublicBytes> {
  if (isProven || typeof shown === "string") return shown;
  const { isSame } = await decoder.compare(path, shown).catch((error: unknown) => {
    if (error instanceof UnreadableImage) return { isSame: false };
    throw error;
  });
  return isSame ? shown : "none";
}

/** A frame of the video, from which its variants are made. */
async function takeFrame(decoder: Decoder, path: string, video: Image): Promise<Omit<Found, "isPermanent">> {
  try {
    const master = await decoder.readFrame(path, video.duration ?? 0);
    const { thumbhash } = await decoder.measure(master);
    return { image: { ...video, thumbhash }, master, look: null };
  } catch (error) {
    if (!(error instanceof UnreadableImage)) throw error;
    return { image: { ...video, failure: error.message }, master: null, look: null };
  }
}

const bytesMissing = () => missing("content: its bytes are missing from the storage");

type Where = NonNullable<ImageMetadata["place"]>;

/** Six decimals are about a decimetre; more are rounding errors. */
function roundPlace({ latitude, longitude, altitude }: Where): Where {
  const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6;
  return {
    latitude: round(latitude),
    longitude: round(longitude),
    altitude: altitude && Math.round(altitude * 10) / 10,
  };
}

/** The file is not public until its private data has been found. */
function throwBusy(error: unknown): never {
  if (!(error instanceof UnreadableImage)) throw error;
  throw new Problem("busy", "The server could not read this picture; try again later.");
}

const noCoordinates = { latitude: null, longitude: null, altitude: null };

/** A file that is missing or cannot be read now must not stop the others from being read. */
function skipUnavailable(error: unknown): void {
  if (!(error instanceof Problem)) throw error;
}

/** Rejects when the work takes longer than a request should wait; the work itself continues. */
export async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(stillWorking()), maxWaitMilliseconds);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

export const stillWorking = () => busy("The server is still working on this picture; try again in a moment.");
