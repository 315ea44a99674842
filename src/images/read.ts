import { setImmediate } from "node:timers/promises";
import { busy, missing, Problem } from "../errors.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import type { Database, Queries } from "../platform/database/database.ts";
import { type Decoder, type Pixels, UnreadableImage } from "../platform/images/decoder.ts";
import type { ImageMetadata } from "../platform/images/metadata.ts";
import { createShared } from "../platform/share.ts";
import { type Image, isUnknownRaw, masterName, needsReading, type PublicBytes } from "./image.ts";
import { findImage, insertImage, listCandidates } from "./store.ts";

/** The fields of a file or a version that identify its bytes. */
export type Bytes = { sha256: string | null; contentType: string | null; name?: string };

export type Images = {
  /** The metadata of an image or a video, which is read now if it is not stored yet; null for other files. */
  read(bytes: Bytes): Promise<Image | null>;
  /** What the public may read of a file. */
  readPublic(bytes: Bytes): Promise<PublicBytes>;
  /** Reads a file before it is requested. Resolves when that has succeeded or failed; never rejects. */
  readAhead(bytes: Bytes): Promise<void>;
  /** Reads all files that have not been read: those uploaded to an earlier version, or just before a crash. */
  readMissing(): Promise<void>;
};

/** Shorter than the time limit of a request: a client that waits too long for a picture gets an error message. */
const maxWaitMilliseconds = 25_000;
const filesAtOnce = 500;

/** `whenRead` runs in the transaction that stores the image. */
export function createImages(
  db: Database,
  blobs: Blobs,
  decoder: Decoder,
  whenRead: (tx: Queries, image: Image) => Promise<void>,
): Images {
  const once = createShared<Image>();

  async function read(bytes: Bytes): Promise<Image | null> {
    const { sha256 } = bytes;
    if (sha256 === null || !needsReading(bytes)) return null;
    return (await findImage(db, sha256)) ?? (await withTimeout(once(sha256, () => readAndKeep(sha256))));
  }

  async function readAndKeep(sha256: string): Promise<Image> {
    const found = await blobs.withFile(sha256, (path) => readImage(decoder, path, sha256));
    if (!found) throw missing("content: its bytes are missing from the storage");
    const { image, master, isForGood } = found;
    if (!isForGood) return image;
    if (master) await blobs.keepDerived(sha256, masterName, master);
    await db.transaction(async (tx) => {
      await insertImage(tx, image);
      await whenRead(tx, image);
    });
    return image;
  }

  return {
    read,
    readPublic: async (bytes) => (isUnknownRaw(bytes) ? "none" : ((await read(bytes))?.public ?? "all")),
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

type Found = { image: Image; master: Pixels["master"]; isForGood: boolean };

async function readImage(decoder: Decoder, path: string, sha256: string): Promise<Found> {
  const { metadata, isPicture, public: shown } = await decoder.inspect(path).catch(throwBusy);
  const { takenAt, place: where, placeName, orientation: _, ...camera } = metadata;
  const place = where || placeName ? { ...noCoordinates, ...(where && roundPlace(where)), name: placeName } : null;
  const known = { sha256, takenAt, camera, place, public: shown };
  try {
    if (!isPicture) throw new UnreadableImage("It is not an image.");
    const { master, ...pixels } = await decoder.measure(path);
    return { image: { ...known, ...pixels, failure: null }, master, isForGood: true };
  } catch (error) {
    if (!(error instanceof UnreadableImage)) throw error;
    const image = { ...known, width: null, height: null, thumbhash: null, failure: error.message };
    return { image, master: null, isForGood: error.isForGood };
  }
}

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
  const timer = setTimeout(() => {
    late.reject(busy("The server is still working on this picture; try again in a moment."));
  }, maxWaitMilliseconds);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
