import { setImmediate } from "node:timers/promises";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Database, Queries, Reader } from "../platform/database/database.ts";
import { inChunks, list, sql } from "../platform/database/sql.ts";
import type { Camera, Clean, Image, Place, PublicBytes } from "./image.ts";

const hour = 3_600_000;

/** Increase this when files have to be read again: rows that an older reader wrote are replaced. */
const currentReader = 1;

type ImageRow = {
  sha256: string;
  width: number | null;
  height: number | null;
  taken_at: number | null;
  thumbhash: string | null;
  failure: string | null;
  camera: string;
  place: string | null;
};
type CleanRow = ImageRow & {
  withheld: number;
  clean: string | null;
  clean_sha256: string | null;
  clean_size: number | null;
};

const columns = sql`sha256, width, height, taken_at, thumbhash, failure, camera, place`;

/** For queries of files: what is known of their public bytes. */
export const joinImages = sql`LEFT JOIN images ON images.sha256 = files.sha256 AND images.reader = ${currentReader}`;
export const publicColumns = sql`images.read_at, images.withheld, images.clean_sha256, images.clean_size`;

/** Including what the public may read of it; null if it was not read yet, or by an older reader. */
export async function findImage(db: Reader, sha256: string): Promise<Image | null> {
  const row = await db.get<CleanRow>(sql`
    SELECT ${columns}, withheld, clean, clean_sha256, clean_size FROM images
    WHERE sha256 = ${sha256} AND reader = ${currentReader}`);
  return row && { ...toImage(row), public: toPublic(row) };
}

function toPublic({ withheld, clean, clean_sha256: sha256, clean_size: size }: CleanRow): PublicBytes {
  if (withheld) return "none";
  return clean !== null && sha256 !== null && size !== null ? { pieces: unpack(clean), sha256, size } : "all";
}

/** What is told of these images; without their bytes. */
export async function findImages(db: Reader, sha256: string[]): Promise<Map<string, Image>> {
  const rows = await inChunks(sha256, (some) =>
    db.all<ImageRow>(sql`SELECT ${columns} FROM images WHERE sha256 IN (${list(some)})`),
  );
  return new Map(rows.map((row) => [row.sha256, toImage(row)]));
}

/** Replaces what an older reader wrote. */
export async function insertImage(tx: Queries, image: Image): Promise<void> {
  const { place, public: shown } = image;
  const clean = typeof shown === "string" ? null : shown;
  await tx.run(sql`
    INSERT INTO images (sha256, reader, width, height, taken_at, read_at, thumbhash, failure, camera, place,
      withheld, clean_sha256, clean_size, clean)
    VALUES (${image.sha256}, ${currentReader}, ${image.width}, ${image.height}, ${image.takenAt}, ${Date.now()},
      ${image.thumbhash}, ${image.failure}, ${JSON.stringify(image.camera)}, ${place && JSON.stringify(place)},
      ${shown === "none" ? 1 : 0}, ${clean?.sha256 ?? null}, ${clean?.size ?? null}, ${clean && pack(clean.pieces)})
    ON CONFLICT (sha256) DO UPDATE SET reader = EXCLUDED.reader, width = EXCLUDED.width, height = EXCLUDED.height,
      taken_at = EXCLUDED.taken_at, read_at = EXCLUDED.read_at, thumbhash = EXCLUDED.thumbhash,
      failure = EXCLUDED.failure, camera = EXCLUDED.camera, place = EXCLUDED.place, withheld = EXCLUDED.withheld,
      clean_sha256 = EXCLUDED.clean_sha256, clean_size = EXCLUDED.clean_size, clean = EXCLUDED.clean`);
}

/** Forgets the images that could not be decoded, so that they are read again. Returns how many there were. */
export async function forgetFailures(db: Database): Promise<number> {
  let forgotten = 0;
  for (let some = -1; some !== 0; forgotten += some) {
    some = await db.transaction((tx) =>
      tx.run(sql`
        DELETE FROM images WHERE sha256 IN (SELECT sha256 FROM images WHERE failure IS NOT NULL LIMIT 1000)`),
    );
  }
  return forgotten;
}

type Candidate = { id: number; name: string; sha256: string | null; contentType: string | null; read: number | null };

/** The next files after `id`, each with whether it was read. */
export function listCandidates(db: Reader, id: number, limit: number): Promise<Candidate[]> {
  return db.all<Candidate>(sql`
    SELECT files.id, files.name, files.sha256, files.content_type AS "contentType", images.read_at AS "read"
    FROM files LEFT JOIN images ON images.sha256 = files.sha256 AND images.reader = ${currentReader}
    WHERE files.id > ${id} ORDER BY files.id LIMIT ${limit}`);
}

/** Forgets what was read of bytes that nobody holds any more. */
export async function forgetUnused(
  db: Database,
  isUsed: (sha256: string[]) => Promise<Set<string>>,
  before = Date.now() - hour,
): Promise<void> {
  for (let last = ""; ;) {
    const rows = await db.all<{ sha256: string }>(sql`
      SELECT sha256 FROM images WHERE sha256 > ${last} AND read_at < ${before} ORDER BY sha256 LIMIT 1000`);
    const used = await isUsed(rows.map((row) => row.sha256));
    const unused = rows.map((row) => row.sha256).filter((sha256) => !used.has(sha256));
    if (unused.length > 0)
      await db.transaction((tx) => tx.run(sql`DELETE FROM images WHERE sha256 IN (${list(unused)})`));
    if (rows.length === 0) return;
    await setImmediate();
    last = rows.at(-1)?.sha256 ?? "";
  }
}

function toImage(row: ImageRow): Image {
  return {
    sha256: row.sha256,
    width: row.width,
    height: row.height,
    takenAt: row.taken_at,
    thumbhash: row.thumbhash,
    failure: row.failure,
    camera: JSON.parse(row.camera) as Camera,
    place: row.place === null ? null : (JSON.parse(row.place) as Place),
    // Not loaded here, so not public.
    public: "none",
  };
}

type Pieces = Clean["pieces"];

/** Most of what replaces private data is zeros. */
const pack = (pieces: Pieces) => deflateRawSync(JSON.stringify(pieces)).toString("base64");
const unpack = (packed: string) => JSON.parse(inflateRawSync(Buffer.from(packed, "base64")).toString()) as Pieces;
