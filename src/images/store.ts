import { setImmediate } from "node:timers/promises";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Database, Queries, Reader } from "../platform/database/database.ts";
import { inChunks, list, sql } from "../platform/database/sql.ts";
import type { Camera, Image, Place } from "./image.ts";

const hour = 3_600_000;

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
type CleanRow = ImageRow & { clean: string | null; clean_sha256: string | null; clean_size: number | null };

const columns = sql`sha256, width, height, taken_at, thumbhash, failure, camera, place`;

/** With what everybody may see of it. */
export async function findImage(db: Reader, sha256: string): Promise<Image | null> {
  const row = await db.get<CleanRow>(sql`
    SELECT ${columns}, clean, clean_sha256, clean_size FROM images WHERE sha256 = ${sha256}`);
  if (!row) return null;
  const { clean, clean_sha256: hash, clean_size: size } = row;
  return {
    ...toImage(row),
    clean: clean !== null && hash !== null && size !== null ? { pieces: unpack(clean), sha256: hash, size } : null,
  };
}

/** What is told of these images; without their bytes. */
export async function findImages(db: Reader, sha256: string[]): Promise<Map<string, Image>> {
  const rows = await inChunks(sha256, (some) =>
    db.all<ImageRow>(sql`SELECT ${columns} FROM images WHERE sha256 IN (${list(some)})`),
  );
  return new Map(rows.map((row) => [row.sha256, toImage(row)]));
}

/** The same bytes read again tell the same: whoever comes second changes nothing. */
export async function insertImage(tx: Queries, image: Image): Promise<void> {
  const { clean, place } = image;
  await tx.run(sql`
    INSERT INTO images (sha256, width, height, taken_at, read_at, thumbhash, failure, camera, place,
      clean_sha256, clean_size, clean)
    VALUES (${image.sha256}, ${image.width}, ${image.height}, ${image.takenAt}, ${Date.now()}, ${image.thumbhash},
      ${image.failure}, ${JSON.stringify(image.camera)}, ${place && JSON.stringify(place)},
      ${clean?.sha256 ?? null}, ${clean?.size ?? null}, ${clean && pack(clean.pieces)})
    ON CONFLICT (sha256) DO NOTHING`);
}

type Candidate = { id: number; sha256: string | null; contentType: string | null; read: number | null };

/** The next files after `id`, each with whether it was read. */
export function listCandidates(db: Reader, id: number, limit: number): Promise<Candidate[]> {
  return db.all<Candidate>(sql`
    SELECT files.id, files.sha256, files.content_type AS "contentType", images.read_at AS "read"
    FROM files LEFT JOIN images ON images.sha256 = files.sha256
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
    clean: null,
  };
}

type Pieces = NonNullable<Image["clean"]>["pieces"];

/** Most of what replaces private data is zeros. */
const pack = (pieces: Pieces) => deflateRawSync(JSON.stringify(pieces)).toString("base64");
const unpack = (packed: string) => JSON.parse(inflateRawSync(Buffer.from(packed, "base64")).toString()) as Pieces;
