import { z } from "zod";
import { forbidden, invalid, missing, type Problem, unauthorized } from "../../platform/errors.ts";
import type { Images } from "../../core/images/read.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Database } from "../../platform/database/database.ts";
import type { KeysetRequest } from "../../platform/database/keyset.ts";
import { mapSlices } from "../../platform/database/slices.ts";
import { alwaysSortedBy } from "../../platform/http/cursor.ts";
import { isGuest, isOwnerOrAdmin, type Route, route, type Viewer } from "../../platform/http/route.ts";
import { text } from "../../platform/http/validate.ts";
import type { Trash } from "../../core/trash/trash.ts";
import { changeRoutes, hiddenPath } from "./change-routes.ts";
import { contentOf, contentStatuses } from "./content.ts";
import { fileSchema, presentFile, type StoredFile, uploadSchema } from "./file.ts";
import { type Downloaded, getDownloaded } from "./download.ts";
import type { Intake } from "./intake.ts";
import { findGranted } from "./granted-paths.ts";
import { parsePath } from "./names.ts";
import { type Directory, toDirectory, root } from "./rows.ts";
import { byName, findByPath, getFile, listDirectory, listDirectoryByKey } from "./store.ts";
import { upload } from "./upload.ts";
import { zipRoutes } from "./zip-routes.ts";

const tag = "Files";
const treePath = "/api/v1/files/dir";
const openTo = ["directory"] as const;

type Deps = { db: Database; blobs: Blobs; images: Images; intake: Intake; trash: Trash };
type Settings = { quotaBytes: number | null; redirectDownloads: boolean };

export function fileRoutes({ db, blobs, images, intake, trash }: Deps, settings: Settings): Route[] {
  const { redirectDownloads, quotaBytes } = settings;
  return [
    route({
      method: "POST",
      path: "/api/v1/files",
      name: "uploadFile",
      openTo,
      base: true,
      tag,
      summary: "Upload a file or create a directory",
      details: "Fields may come before or after the file. Missing directories in `path` are created.",
      role: "author",
      scope: ["files:write", "photos:write"],
      form: uploadSchema,
      noIdempotency: "upload",
      status: 201,
      response: fileSchema,
      statuses: hiddenPath,
      handle: async ({ exchange, caller }) => presentFile(await upload(db, intake, exchange, caller), caller),
    }),

    route({
      method: "GET",
      path: "/api/v1/files",
      name: "listDirectory",
      openTo,
      base: true,
      tag,
      summary: "List a directory",
      details: "Directories come first, then files, ordered by name.",
      query: z.object({ path: text(20_000).default("/").meta({ description: "The directory.", example: "/2026" }) }),
      cursor: alwaysSortedBy(byName, "asc"),
      response: z.array(fileSchema),
      statuses: { 404: "There is no such directory" },
      personal: true,
      granted: true,
      async handle({ query, cursor, viewer }) {
        const found = await findAt(viewer, query.path);
        if ("isDirectory" in found) throw missing(`directory ${query.path}: it is a file`);
        return list(found, viewer, cursor);
      },
    }),

    route({
      method: "GET",
      path: `${treePath}/*`,
      name: "readPath",
      openTo,
      base: true,
      tag,
      summary: "Read a path",
      details: "Returns a single object for a file, or an array of entries for a directory.",
      cursor: alwaysSortedBy(byName, "asc"),
      response: z.union([fileSchema, z.array(fileSchema)]),
      personal: true,
      granted: true,
      async handle({ exchange, cursor, viewer }) {
        const found = await findAt(viewer, decodePath(exchange.path.slice(treePath.length)));
        if (!("isDirectory" in found)) return list(found, viewer, cursor);
        const file = await presentAfterReading(found, viewer);
        return cursor ? { items: file, next: null } : file;
      },
    }),

    route({
      method: "GET",
      path: "/api/v1/files/:id",
      name: "readFile",
      openTo,
      tag,
      summary: "Read the record of a file or directory",
      response: fileSchema,
      personal: true,
      granted: true,
      handle: async ({ params, viewer }) => presentAfterReading(await getFile(db, viewer, params.id), viewer),
    }),

    route({
      method: "GET",
      path: "/api/v1/files/:id/entries",
      name: "listEntries",
      openTo,
      tag,
      summary: "List the directory with this id",
      details: "Like listing its path.",
      cursor: alwaysSortedBy(byName, "asc"),
      response: z.array(fileSchema),
      personal: true,
      granted: true,
      async handle({ params, cursor, viewer }) {
        const file = await getFile(db, viewer, params.id);
        if (!file.isDirectory) throw invalid(`"${file.name}" is a file: it has no entries.`, "id");
        return list(toDirectory(file), viewer, cursor);
      },
    }),

    route({
      method: "GET",
      path: "/api/v1/files/:id/content",
      name: "readContent",
      openTo: ["directory", "album"],
      tag,
      summary: "Download a file",
      details:
        "Supports conditional requests and single ranges. The owner and admins get the original bytes. Everyone else gets images and videos without location, serial numbers and embedded previews; the pixels are not changed. If this data cannot be removed (RAW files, AVI, damaged files), only the owner and admins can download the file. `size`, `sha256` and the `ETag` always refer to the bytes that the same caller downloads here, so a client can compare them and send the `ETag` as `If-Match` to replace the content.",
      limit: "media",
      personal: true,
      granted: true,
      query: z.object({
        download: z
          .string()
          .optional()
          .meta({ description: "If present, the browser saves the file instead of showing it." }),
        original: z.string().optional().meta({
          description:
            "If present, the response contains the original bytes, or is an error if the caller is neither the owner nor an admin.",
        }),
      }),
      response: { contentTypes: ["*/*"], description: "The bytes, with the content type of the file" },
      statuses: {
        ...contentStatuses,
        302: "Download from the storage directly, if the server is configured for that",
        401: "The original was requested without a token, or the file has private data that cannot be removed",
        403: "The original was requested by another user, or the file has private data that cannot be removed",
        503: "The server is still reading this file: try again",
      },
      async handle({ params, query, viewer }) {
        const file = await getDownloaded(db, viewer, params.id);
        if (query.original !== undefined) checkMayReadOriginal(viewer, file);
        const shown = isOwnerOrAdmin(viewer, file) ? "all" : await images.readPublic(file);
        if (shown === "none") throw downloadRefused(viewer);
        const clean = shown === "all" ? null : shown;
        const isDownload = query.download !== undefined;
        return contentOf(blobs, file, { isDownload, redirect: redirectDownloads, clean });
      },
    }),

    ...zipRoutes({ db, blobs, images }),

    ...changeRoutes({ db, trash, quotaBytes }),
  ];

  async function findAt(viewer: Viewer, path: string): Promise<StoredFile | Directory> {
    const names = parsePath(path);
    if (names.length === 0) return root;
    const file = (await findGranted(db, viewer, names)) ?? (await findByPath(db, viewer, names));
    if (!file) throw missing(`file or directory at /${names.join("/")}`);
    return file.isDirectory ? toDirectory(file) : file;
  }

  async function list(directory: Directory, viewer: Viewer, cursor: KeysetRequest | null) {
    const present = (files: StoredFile[]) => files.map((file) => presentFile(file, viewer));
    if (!cursor) return mapSlices(listDirectory(db, viewer, directory), present);
    const { items, next } = await listDirectoryByKey(db, viewer, directory, cursor);
    return { items: mapSlices(items, present), next };
  }

  /** A request for a single image waits until its public bytes are known. */
  async function presentAfterReading(file: StoredFile, viewer: Viewer) {
    const shown = presentFile(file, viewer);
    if (shown.sha256 !== null || file.isDirectory) return shown;
    await images.readAhead(file);
    return presentFile(await getFile(db, viewer, file.id), viewer);
  }
}

function checkMayReadOriginal(viewer: Viewer, file: Downloaded): void {
  if (isGuest(viewer))
    throw unauthorized(
      "Only the owner and admins can download the original: sign in and send the token with the request.",
    );
  if (!isOwnerOrAdmin(viewer, file)) throw forbidden("Only the owner and admins can download the original.");
}

const withheld = "This file may contain private data that cannot be removed, such as a location or a serial number.";

function downloadRefused(viewer: Viewer): Problem {
  return isGuest(viewer)
    ? unauthorized(
        `${withheld} Only the owner and admins can download it: sign in and send the token with the request.`,
      )
    : forbidden(`${withheld} Only the owner and admins can download it.`);
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw invalid("The path is not valid percent-encoded UTF-8.", "path");
  }
}
