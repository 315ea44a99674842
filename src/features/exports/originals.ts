import { headLength, typeOfBytes } from "../../platform/images/kinds.ts";
import { chunksOf } from "../../platform/blobs/blobs.ts";
import type { Place } from "../../core/images/image.ts";
import type { Reader } from "../../platform/database/database.ts";
import { inChunks, list, sql } from "../../platform/database/sql.ts";
import { hashOfText } from "../../platform/hash.ts";
import type { Entry, ExportedSite, FileEntry, Scope } from "./entry.ts";
import { escapeName, isTooLong, shortenName } from "./names.ts";
import type { PlacedFile, Places } from "./places.ts";
import { readRows } from "./rows.ts";
import { getExported } from "./exported.ts";
import { type Described, printSidecar } from "./sidecar.ts";
import type { Row } from "./values.ts";

export function textEntry(path: string, text: string, modifiedAt: number): FileEntry {
  return { path, modifiedAt, sha256: hashOfText(text), size: Buffer.byteLength(text), bytes: { text } };
}

/** The tree of files, with what is known of the pictures beside them. */
export async function* listOriginals(scope: Scope, places: Places): AsyncGenerator<Entry> {
  for await (const rows of readRows(scope, getExported(scope.schema, "files"))) {
    const files = rows as unknown as FileRow[];
    const described = await describePhotos(scope, files);
    for (const file of files) {
      const path = await places.of(file);
      if (file.sha256 === null) yield { path, isDirectory: true };
      else yield blobEntry(path, file.sha256, file.size, file.updated_at);
      const photo = described.get(file.id);
      if (photo) yield textEntry(await places.ofSidecar(file), printSidecar(photo.described), photo.updatedAt);
    }
  }
}

type FileRow = PlacedFile & { sha256: string | null; size: number; updated_at: number };

const blobEntry = (path: string, sha256: string, size: number, modifiedAt: number): FileEntry => ({
  path,
  sha256,
  size,
  modifiedAt,
  bytes: { blob: true },
});

type PhotoRow = {
  file_id: number;
  title: string;
  is_untitled: number;
  description: string;
  alt_text: string;
  tags: string;
  is_favourite: number;
  taken_at: number | null;
  taken_at_set: number | null;
  place: string | null;
  image_place: string | null;
  updated_at: number;
};

/** The first photo of each file, unless it is in the trash. */
async function describePhotos(
  { db, personID }: Scope,
  files: FileRow[],
): Promise<Map<number, { described: Described; updatedAt: number }>> {
  const ids = files.filter(({ sha256 }) => sha256 !== null).map(({ id }) => id);
  const isTheirs = personID === null ? sql`1 = 1` : sql`photos.owner_id = ${personID}`;
  const rows = await inChunks(ids, (some) =>
    db.all<PhotoRow>(sql`
      SELECT photos.*, CASE WHEN files.owner_id = photos.owner_id THEN images.place END AS image_place
      FROM photos JOIN files ON files.id = photos.file_id LEFT JOIN images ON images.sha256 = files.sha256
      WHERE photos.file_id IN (${list(some)}) AND photos.trash_id IS NULL AND ${isTheirs} ORDER BY photos.id DESC`),
  );
  return new Map(rows.map((row) => [row.file_id, { described: describe(row), updatedAt: row.updated_at }]));
}

function describe(row: PhotoRow): Described {
  const place = row.place ?? row.image_place;
  return {
    title: row.is_untitled === 1 ? null : row.title,
    description: row.description,
    altText: row.alt_text,
    tags: JSON.parse(row.tags) as string[],
    isFavourite: row.is_favourite === 1,
    takenAt: row.taken_at === null ? null : { time: row.taken_at, isMoment: row.taken_at_set !== null },
    place: place === null ? null : (JSON.parse(place) as Place),
  };
}

/** Earlier contents of files, posters of videos, and pictures from guests that nobody has approved yet. */
export async function* listFurtherBytes(scope: Scope, site: ExportedSite): AsyncGenerator<Entry> {
  for await (const rows of readRows(scope, getExported(scope.schema, "versions"))) {
    for (const row of rows) {
      const path = await pathOfVersion(scope.db, row);
      yield blobEntry(path, String(row["sha256"]), Number(row["size"]), Number(row["created_at"]));
    }
  }
  for await (const rows of readRows(scope, getExported(scope.schema, "photos"), [sql`poster_sha256 IS NOT NULL`])) {
    for (const row of rows) {
      const sha256 = String(row["poster_sha256"]);
      const path = await pathOfPoster(site, row);
      yield blobEntry(path, sha256, Number(row["poster_size"]), Number(row["updated_at"]));
    }
  }
  for await (const rows of readRows(scope, getExported(scope.schema, "guest-pictures"))) {
    for (const row of rows) {
      yield blobEntry(pathOfGuestPicture(row), String(row["sha256"]), Number(row["size"]), Number(row["created_at"]));
    }
  }
}

const safe = (name: string): string => {
  const escaped = escapeName(name);
  return isTooLong(escaped) ? shortenName(escaped) : escaped;
};

export async function pathOfVersion(db: Reader, { id, file_id: fileID }: Row): Promise<string> {
  const file = await db.get<{ name: string }>(sql`SELECT name FROM files WHERE id = ${fileID ?? 0}`);
  return `versions/${fileID}/${id}/${safe(file?.name ?? "file")}`;
}

export const pathOfGuestPicture = ({ id, name }: Row): string => `guest-pictures/${id}/${safe(String(name))}`;

export async function pathOfPoster(site: ExportedSite, { id, poster_sha256: sha256 }: Row): Promise<string> {
  const bytes = await site.openBlob(String(sha256));
  const reader = bytes && chunksOf(bytes).getReader();
  const head = (await reader?.read())?.value?.subarray(0, headLength);
  await reader?.cancel();
  const type = head ? typeOfBytes(head) : null;
  return `posters/${id}${type?.startsWith("image/") ? `.${type.slice("image/".length).replace("jpeg", "jpg")}` : ""}`;
}
