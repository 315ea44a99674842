import { setImmediate } from "node:timers/promises";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { insertRows } from "../../platform/database/copy-rows.ts";
import { list, sql, type Value } from "../../platform/database/sql.ts";
import { known } from "../../platform/database/touched-tables.ts";
import type { Look } from "../../platform/images/look.ts";
import type { Camera, Clean, Image, Place, PublicBytes } from "./image.ts";

const hour = 3_600_000;
const imagesAtOnce = 200;

/** Increase this when files must be read again: rows that an older reader wrote are replaced. */
const currentReader = 5;

/** The columns of an image in a joined row; all null if there is no image. */
export type ImageRow = {
  image_sha256: string;
  image_width: number | null;
  image_height: number | null;
  taken_at: number | null;
  image_taken_at_zone: string | null;
  thumbhash: string | null;
  failure: string | null;
  camera: string;
  place: string | null;
  duration: number | null;
  motion_duration: number | null;
  is_cut_off: number;
};
/** What is known about the public bytes of a file. */
export type PublicRow = {
  /** Null until the current reader has read it. */
  image_read_at: number | null;
  withheld: number | null;
  clean_sha256: string | null;
  clean_size: number | null;
};

export const imageColumns = sql`images.sha256 AS image_sha256, images.width AS image_width,
  images.height AS image_height, images.taken_at, images.thumbhash, images.failure, images.camera, images.place,
  images.duration, images.motion_duration, images.is_cut_off, images.taken_at_zone AS image_taken_at_zone`;
export const publicColumns = sql`
  CASE images.reader WHEN ${currentReader} THEN images.read_at END AS image_read_at,
  images.withheld, images.clean_sha256, images.clean_size`;

/** For queries of files: joins their images, which an older reader may have read. To be followed by `noteMissing` for files without one. */
export const joinImages = sql`LEFT JOIN ${known("images")} ON images.sha256 = files.sha256`;
/** The same without what an older reader has read. */
export const joinCurrentImages = sql`${joinImages} AND images.reader = ${currentReader}`;

/** The image with its public bytes; null if it has not been read, or only by an older reader. */
export async function findImage(db: Reader, sha256: string): Promise<Image | null> {
  const { image, isCurrent } = await findAnyImage(db, sha256);
  return isCurrent ? image : null;
}

/** The same, whichever reader has read it. */
export async function findAnyImage(db: Reader, sha256: string): Promise<{ image: Image | null; isCurrent: boolean }> {
  const row = await db.get<ImageRow & CleanRow & { reader: number }>(sql`
    SELECT ${imageColumns}, reader, withheld, clean, clean_sha256, clean_size, motion FROM images WHERE sha256 = ${sha256}`);
  if (!row) return { image: null, isCurrent: false };
  const found = toImage(row);
  const bytes = row.motion === null ? null : (unpack(row.motion) as Clean);
  const image = { ...found, public: toPublic(row), motion: found.motion && { ...found.motion, bytes } };
  return { image, isCurrent: row.reader === currentReader };
}

/** What was read of the image in a blob that comes back from a backup; the server reads it again if an older reader wrote it. */
export async function restoreImage(tx: Queries, backup: Reader, sha256: string): Promise<void> {
  const row = await backup.get<Record<string, Value>>(sql`SELECT * FROM images WHERE sha256 = ${sha256}`);
  if (row) await tx.run(sql`${insertRows({ name: "images" }, [row])} ON CONFLICT (sha256) DO NOTHING`);
}

type CleanRow = Omit<PublicRow, "image_read_at"> & { clean: string | null; motion: string | null };

function toPublic({ withheld, clean, clean_sha256: sha256, clean_size: size }: CleanRow): PublicBytes {
  if (withheld) return "none";
  return clean !== null && sha256 !== null && size !== null
    ? { pieces: unpack(clean) as Clean["pieces"], sha256, size }
    : "all";
}

/** Replaces what an older reader wrote. */
export async function insertImage(tx: Queries, image: Image, look: Look | null = null): Promise<void> {
  const { place, public: shown, motion } = image;
  const clean = typeof shown === "string" ? null : shown;
  const row = sql`
    INSERT INTO images (sha256, reader, width, height, taken_at, read_at, thumbhash, failure, camera, place,
      withheld, clean_sha256, clean_size, clean, duration, motion_duration, motion,
      look_high, look_low, is_cut_off, taken_at_zone)
    VALUES (${image.sha256}, ${currentReader}, ${image.width}, ${image.height}, ${image.takenAt}, ${Date.now()},
      ${image.thumbhash}, ${image.failure}, ${JSON.stringify(image.camera)}, ${place && JSON.stringify(place)},
      ${shown === "none" ? 1 : 0}, ${clean?.sha256 ?? null}, ${clean?.size ?? null}, ${clean && pack(clean.pieces)},
      ${image.duration}, ${motion?.duration ?? null}, ${motion?.bytes ? pack(motion.bytes) : null},
      ${look?.high ?? null}, ${look?.low ?? null}, ${image.isCutOff ? 1 : 0},
      ${image.takenAtZone}) ON CONFLICT (sha256)`;
  // A statement that could change another row ends whatever was read of all images.
  if ((await tx.run(sql`${row} DO NOTHING`)) > 0) return;
  await tx.run(sql`${row} DO UPDATE SET reader = EXCLUDED.reader, width = EXCLUDED.width, height = EXCLUDED.height,
      taken_at = EXCLUDED.taken_at, read_at = EXCLUDED.read_at, thumbhash = EXCLUDED.thumbhash,
      failure = EXCLUDED.failure, camera = EXCLUDED.camera, place = EXCLUDED.place, withheld = EXCLUDED.withheld,
      clean_sha256 = EXCLUDED.clean_sha256, clean_size = EXCLUDED.clean_size, clean = EXCLUDED.clean,
      duration = EXCLUDED.duration, motion_duration = EXCLUDED.motion_duration, motion = EXCLUDED.motion,
      look_high = EXCLUDED.look_high, look_low = EXCLUDED.look_low,
      is_cut_off = EXCLUDED.is_cut_off, taken_at_zone = EXCLUDED.taken_at_zone`);
}

/** Removes the rows of images that could not be decoded, so that they are read again. Returns their number. */
export const removeFailures = (db: Database): Promise<number> =>
  removeRows(db, "images", sql`failure IS NOT NULL`, "sha256");

/** Removes the rows of images whose bytes are no longer used. */
export async function removeUnusedImages(
  db: Database,
  isUsed: (sha256: string[]) => Promise<Set<string>>,
  before = Date.now() - hour,
): Promise<void> {
  for (let last = ""; ;) {
    // Without a condition on their age: a statement that looks for old images among many new ones would take long.
    const rows = await db.all<{ sha256: string; read_at: number }>(sql`
      SELECT sha256, read_at FROM images WHERE sha256 > ${last} ORDER BY sha256 LIMIT ${imagesAtOnce}`);
    const old = rows.filter((row) => row.read_at < before).map((row) => row.sha256);
    const used = await isUsed(old);
    const unused = old.filter((sha256) => !used.has(sha256));
    if (unused.length > 0)
      await db.transaction((tx) => tx.run(sql`DELETE FROM images WHERE sha256 IN (${list(unused)})`));
    if (rows.length === 0) return;
    await setImmediate();
    last = rows.at(-1)?.sha256 ?? "";
  }
}

export function toImage(row: ImageRow): Image {
  return {
    sha256: row.image_sha256,
    width: row.image_width,
    height: row.image_height,
    takenAt: row.taken_at,
    takenAtZone: row.image_taken_at_zone,
    thumbhash: row.thumbhash,
    failure: row.failure,
    camera: JSON.parse(row.camera) as Camera,
    place: row.place === null ? null : (JSON.parse(row.place) as Place),
    duration: row.duration,
    isCutOff: row.is_cut_off === 1,
    // Not loaded here, so treated as not public.
    public: "none",
    motion: row.motion_duration === null ? null : { duration: row.motion_duration, bytes: null },
  };
}

/** Loaded when it is first used. */
const zlib = () => process.getBuiltinModule("node:zlib");

/** Private data is mostly replaced by zeros, which compress well. */
const pack = (value: unknown) => zlib().deflateRawSync(JSON.stringify(value)).toString("base64");
const unpack = (packed: string): unknown => JSON.parse(zlib().inflateRawSync(Buffer.from(packed, "base64")).toString());
