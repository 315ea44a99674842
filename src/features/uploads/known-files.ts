import { z } from "zod";
import { findFiles } from "../../content/files/store.ts";
import { findPhotoIDs } from "../../content/photos/store.ts";
import type { Database, Reader } from "../../platform/database/database.ts";
import { joinedBy, list, sql, unindexed } from "../../platform/database/sql.ts";
import { type Caller, type Route, route } from "../../platform/http/route.ts";

const maxHashes = 1000;
const maxSizes = 100;
/** The same content can be in many files: the oldest of them are enough. */
const maxFilesOfEach = 5;

const sha256 = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, { error: "must be a SHA-256 of 64 hexadecimal digits" })
  .toLowerCase()
  .meta({ example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" });

const hashesSchema = z.object({ sha256: z.array(sha256).min(1).max(maxHashes) }).meta({ id: "FileHashes" });

const knownFileSchema = z
  .object({
    sha256,
    fileID: z.int(),
    name: z.string().meta({ example: "harbour.jpg" }),
    path: z.string().meta({ description: "The directory that contains the file.", example: "/2026" }),
    photoID: z.int().nullable().meta({ description: "Your newest photo of this file.", example: null }),
  })
  .meta({ id: "KnownFile", description: "A file of yours that has this content." });

type KnownFile = z.output<typeof knownFileSchema>;

const sizesSchema = z.object({ size: z.array(z.int().min(0)).min(1).max(maxSizes) }).meta({ id: "FileSizes" });

export const knownFilesRoutes = (db: Database): Route[] => [
  route({
    method: "POST",
    path: "/api/v1/files/known",
    name: "findKnownFiles",
    noIdempotency: "read",
    tag: "Uploads",
    summary: "Find which contents you have already uploaded",
    details: `For clients that hash files before they upload them. Finds your own files that are not in the trash, for up to ${maxHashes} hashes, and at most ${maxFilesOfEach} files for each. Files of other users are never found.`,
    role: "author",
    scope: ["files:write", "photos:write"],
    body: hashesSchema,
    response: z.array(knownFileSchema),
    handle: ({ body, caller }) => findKnownFiles(db, caller, [...new Set(body.sha256)]),
  }),
  route({
    method: "POST",
    path: "/api/v1/files/known-sizes",
    name: "findKnownSizes",
    noIdempotency: "read",
    tag: "Uploads",
    summary: "Find which sizes your files have",
    details: `Returns those of up to ${maxSizes} sizes in bytes that a file of yours has which is not in the trash. A file of any other size is new: a client need not hash it to find that out.`,
    role: "author",
    scope: ["files:write", "photos:write"],
    body: sizesSchema,
    response: z.array(z.int().meta({ example: 48213 })),
    handle: ({ body, caller }) => findKnownSizes(db, caller, [...new Set(body.size)]),
  }),
];

async function findKnownFiles(db: Reader, caller: Caller, hashes: string[]): Promise<KnownFile[]> {
  // The sum keeps SQLite from reading all files of the owner.
  const rows = await db.all<{ id: number; sha256: string }>(sql`
    SELECT id, sha256 FROM (
      SELECT id, sha256, row_number() OVER (PARTITION BY sha256 ORDER BY id) AS number FROM files
      WHERE sha256 IN (${list(hashes)}) AND ${unindexed("owner_id")} = ${caller.id} AND trash_id IS NULL) AS own
    WHERE number <= ${maxFilesOfEach} ORDER BY id`);
  const ids = rows.map(({ id }) => id);
  const [files, photoIDs] = await Promise.all([findFiles(db, caller, ids), findPhotoIDs(db, caller.id, ids)]);
  return rows.flatMap(({ id, sha256 }) => {
    const file = files.get(id);
    return file ? { sha256, fileID: id, name: file.name, path: file.path, photoID: photoIDs.get(id) ?? null } : [];
  });
}

/** One file of each size is read, however many there are. */
async function findKnownSizes(db: Reader, caller: Caller, sizes: number[]): Promise<number[]> {
  const ofSize = (size: number) => sql`
    SELECT size FROM (
      SELECT size FROM files
      WHERE owner_id = ${caller.id} AND size = ${size} AND sha256 IS NOT NULL AND trash_id IS NULL LIMIT 1) AS first`;
  const rows = await db.all<{ size: number }>(joinedBy(" UNION ALL ", sizes.map(ofSize)));
  return rows.map(({ size }) => size);
}
