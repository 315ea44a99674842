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
import { findAnyImage, findImage, insertImage } from "./store.ts";
import { namesOf } from "./variant-names.ts";

/** The fields of a file or a version that identify its bytes. */
type Bytes = { sha256: string | null; contentType: string | null; name?: string };

export type Images = {
  /**
   * The metadata and the picture of an image or a video, which are read now if they are not stored yet; null for other files. A
   * picture that is large, or a video whose picture takes too long, is returned without it, and prepared in the background.
   */
  read(bytes: Bytes): Promise<Image | null>;
  /** The same for a blob that must be a picture, which is waited for. */
  readPicture(sha256: string): Promise<Image>;
  /** What the public may read of a file. */
  readPublic(bytes: Bytes): Promise<PublicBytes>;
  /** Reads a file before it is requested. Resolves when that has succeeded or failed; never rejects. */
  readAhead(bytes: Bytes): Promise<void>;
  /** Reads all files that have not been read: those uploaded to an earlier version, or just before a crash. */
  readMissing(list: ListCandidates): Promise<void>;
};

/** Returns the next files after this id. */
type ListCandidates = (id: number, limit: number) => Promise<(Bytes & { id: number; read: number | null })[]>;

/** Shorter than the time limit of a request: a client that waits too long for a picture gets an error message. */
const maxWaitMilliseconds = 25_000;
const filesAtOnce = 200;
/** Those that do not fit are found by the background job. */
const maxPrepared = 10_000;

/** What runs in the transaction that stores an image: `wasWaiting` says that only its picture is new. */
type WhenRead = (tx: Queries, image: Image, wasWaiting: boolean) => Promise<void>;

export function createImages(
  db: Database,
  blobs: Pick<Blobs, "withLocalFile" | "keepDerived" | "removeDerived">,
  decoder: Decoder,
  whenRead: WhenRead,
): Images {
  const once = createShared<Image>();
  const takeOnce = (image: Image) => once(`picture ${image.sha256}`, () => takePicture(image));
  const queue = createQueue();

  async function read(bytes: Bytes): Promise<Image | null> {
    const image = await readMetadata(bytes);
    if (!image || !isWaiting(image)) return image;
    if (image.duration === null) return prepare(image);
    return withTimeout(takeOnce(image)).catch((error: unknown) => {
      if (error instanceof Problem && error.code === "busy") return image;
      throw error;
    });
  }

  /** Large pictures are prepared one after the other, so that others can be decoded meanwhile. */
  function prepare(image: Image): Image {
    queue(image.sha256, async () => {
      const current = await findImage(db, image.sha256);
      if (current && isWaiting(current)) await takeOnce(current);
    });
    return image;
  }

  async function readWhole(image: Image | null): Promise<Image | null> {
    return image && isWaiting(image) ? takeOnce(image) : image;
  }

  /** Everything but a picture that takes long. */
  const readMetadata = async (bytes: Bytes): Promise<Image | null> =>
    bytes.sha256 === null || !needsReading(bytes) ? null : readBlob(bytes.sha256);

  async function readBlob(sha256: string): Promise<Image> {
    const { image, isCurrent } = await findAnyImage(db, sha256);
    return image && isCurrent ? image : withTimeout(once(sha256, () => readAndKeep(sha256, image)));
  }

  async function readAndKeep(sha256: string, before: Image | null): Promise<Image> {
    const found = await blobs.withLocalFile(sha256, (path) => readImage(decoder, path, sha256));
    if (!found) throw bytesMissing();
    if (before && !isSamePicture(before, found.image)) await forgetVariants(sha256);
    return found.isPermanent ? keep(found) : found.image;
  }

  /** An older reader saw another picture, whose variants are wrong. */
  async function forgetVariants(sha256: string): Promise<void> {
    const names = [masterName, ...namesOf(null)];
    await Promise.all(names.map((name) => blobs.removeDerived(sha256, name).catch(() => {})));
  }

  /** A video can be played before its picture has been taken, which may have to wait for those of others. */
  async function takePicture(waiting: Image): Promise<Image> {
    const take = waiting.duration === null ? measureLarge : takeFrame;
    const found = await blobs.withLocalFile(waiting.sha256, (path) => take(decoder, path, waiting));
    if (!found) throw bytesMissing();
    return keep(found, true);
  }

  async function keep({ image, master, look }: Omit<Found, "isPermanent">, wasWaiting = false): Promise<Image> {
    if (master) await blobs.keepDerived(image.sha256, masterName, master);
    await db.transaction(async (tx) => {
      await insertImage(tx, image, look);
      await whenRead(tx, image, wasWaiting);
    });
    return image;
  }

  return {
    read,
    readPicture: async (sha256) => {
      const image = await readBlob(sha256);
      return (await withTimeout(readWhole(image))) ?? image;
    },
    readPublic: async (bytes) => (isUnknownRaw(bytes) ? "none" : ((await readMetadata(bytes))?.public ?? "all")),
    async readAhead(bytes) {
      // A later request for the file reports the error.
      await read(bytes).catch(() => {});
    },
    async readMissing(list) {
      let candidates = await list(0, filesAtOnce);
      while (candidates.length > 0) {
        for (const file of candidates) if (!file.read) await readMetadata(file).then(readWhole).catch(skipUnavailable);
        // Lets requests run first.
        await setImmediate();
        candidates = await list(candidates.at(-1)?.id ?? 0, filesAtOnce);
      }
    },
  };
}

type Found = { image: Image; master: Pixels["master"]; look: Look | null; isPermanent: boolean };

async function readImage(decoder: Decoder, path: string, sha256: string): Promise<Found> {
  const inspected = await decoder.inspect(path).catch(throwBusy);
  const { metadata, isPicture, motion: moving, slow } = inspected;
  // The copy of a large picture is compared later, and is not public until then.
  const shown = slow && !inspected.isProven ? "none" : await withholdChanged(decoder, path, inspected);
  const { takenAt, takenAtZone, place: where, placeName, orientation: _, video, ...camera } = metadata;
  const place = where || placeName ? { ...noCoordinates, ...(where && roundPlace(where)), name: placeName } : null;
  const motion = moving && { duration: moving.duration, bytes: moving };
  const duration = video && (video.duration ?? 0);
  const known = { sha256, takenAt, takenAtZone, camera, place, public: shown, motion, duration, isCutOff: false };
  const waiting = video ?? slow;
  if (waiting) {
    const { width, height } = waiting;
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

/** A failure stays until `vitrine rebuild pictures`, as that of a video does. */
async function measureLarge(decoder: Decoder, path: string, waiting: Image): Promise<Omit<Found, "isPermanent">> {
  const inspected = await decoder.inspect(path).catch(throwBusy);
  const image = { ...waiting, public: await withholdChanged(decoder, path, inspected) };
  try {
    const { master, look, ...pixels } = await decoder.measure(path);
    return { image: { ...image, ...pixels }, master, look };
  } catch (error) {
    if (!(error instanceof UnreadableImage)) throw error;
    const failed = { ...image, width: null, height: null, failure: error.message };
    return { image: failed, master: null, look: null };
  }
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

/** A frame of a video is the same each time. */
const isSamePicture = (before: Image, now: Image) =>
  now.duration !== null ||
  (before.thumbhash === now.thumbhash && before.width === now.width && before.height === now.height);

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

/** Runs tasks one after the other, each key once at a time. What fails is tried again by the background job. */
function createQueue(): (key: string, task: () => Promise<void>) => void {
  const waiting = new Set<string>();
  let last = Promise.resolve();
  return (key, task) => {
    if (waiting.has(key) || waiting.size >= maxPrepared) return;
    waiting.add(key);
    last = last
      .then(task)
      .catch(() => {})
      .finally(() => waiting.delete(key));
  };
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
