import { z } from "zod";
import { forbidden, invalid, missing, type Problem, unauthorized } from "../../platform/errors.ts";
import type { Images } from "../../core/images/read.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Database } from "../../platform/database/database.ts";
import type { KeysetRequest } from "../../platform/database/keyset.ts";
import { mapSlices } from "../../platform/database/slices.ts";
import { alwaysSortedBy } from "../../platform/http/cursor.ts";
import { isGuest, isOwnerOrAdmin, type Route, route, type Viewer } from "../../platform/http/route.ts";
import { replying } from "../../platform/http/transact.ts";
import { text } from "../../platform/http/validate.ts";
import { messageSchema } from "../../platform/http/message.ts";
import type { Trash } from "../../core/trash/trash.ts";
import { contentOf, contentStatuses } from "./content.ts";
import { addDirectory, checkMayAdd, nameTaken } from "./directories.ts";
import {
  destinationSchema,
  fileChangesSchema,
  fileSchema,
  newDirectorySchema,
  presentFile,
  type StoredFile,
  uploadSchema,
} from "./file.ts";
import { type Downloaded, getDownloaded } from "./download.ts";
import type { Intake } from "./intake.ts";
import { findGranted } from "./granted-paths.ts";
import { copyFile, moveFile } from "./move.ts";
import { checkName, parsePath } from "./names.ts";
import { type Directory, toDirectory, root } from "./rows.ts";
import {
  byName,
  findByPath,
  findNamed,
  getFile,
  listDirectory,
  listDirectoryByKey,
  lockFile,
  trashFile,
} from "./store.ts";
import { updateFile } from "./update.ts";
import { upload } from "./upload.ts";
import { zipRoutes } from "./zip-routes.ts";

const tag = "Files";
const treePath = "/api/v1/files/dir";
const hiddenPath = { 404: "The path leads to what you may not see" };

type Deps = { db: Database; blobs: Blobs; images: Images; intake: Intake; trash: Trash };
type Settings = { quotaBytes: number | null; redirectDownloads: boolean };

export function fileRoutes({ db, blobs, images, intake, trash }: Deps, settings: Settings): Route[] {
  const { redirectDownloads, quotaBytes } = settings;
  return [
    route({
      method: "POST",
      path: "/api/v1/files",
      name: "uploadFile",
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

    route({
      method: "PUT",
      path: "/api/v1/files/:id",
      name: "changeFile",
      base: true,
      tag,
      summary: "Rename a file or directory, or change who can see it",
      role: "author",
      scope: "files:write",
      find: ({ id }, caller) => getFile(db, caller, id),
      may: isOwnerOrAdmin,
      current: async (tx, caller, { id }) => presentFile(await lockFile(tx, id), caller),
      body: fileChangesSchema,
      response: fileSchema,
      async handle({ record, body, caller, transaction }) {
        const name = body.name === undefined ? undefined : checkName(body.name);
        const changed = await transaction(async (tx) => {
          // The file may have been moved since the request began.
          const file = await lockFile(tx, record.id);
          const other = name === undefined ? null : await findNamed(tx, file.parentID, name);
          if (name !== undefined && other && other.id !== file.id) throw nameTaken(name);
          return updateFile(tx, caller.id, file, { ...body, name });
        });
        return presentFile(changed, caller);
      },
    }),

    route({
      method: "POST",
      path: "/api/v1/files/:id/move",
      name: "moveFile",
      tag,
      summary: "Move a file or directory",
      details: "Fails if the name is taken at the destination.",
      role: "author",
      scope: "files:write",
      find: ({ id }, caller) => getFile(db, caller, id),
      may: isOwnerOrAdmin,
      body: destinationSchema,
      response: fileSchema,
      async handle({ record, body, caller, transaction }) {
        const present = (moved: StoredFile) => presentFile(moved, caller);
        return present(await moveFile(replying(transaction, present), caller, record.id, body));
      },
    }),

    route({
      method: "POST",
      path: "/api/v1/files/:id/copy",
      name: "copyFile",
      tag,
      summary: "Copy a file, or a directory with its contents",
      details:
        "The copy belongs to the caller and shares the stored bytes with the original. If the name is taken, a number is added to it.",
      role: "author",
      scope: "files:write",
      find: ({ id }, caller) => getFile(db, caller, id),
      may: isOwnerOrAdmin,
      body: destinationSchema,
      status: 201,
      location: "/api/v1/files/{id}",
      response: fileSchema,
      async handle({ record, body, caller, transaction }) {
        const present = (copy: StoredFile) => presentFile(copy, caller);
        const deps = { transaction: replying(transaction, present), quotaBytes };
        return present(await copyFile(deps, caller, record.id, body));
      },
    }),

    route({
      method: "DELETE",
      path: "/api/v1/files/:id",
      name: "deleteFile",
      base: true,
      tag,
      summary: "Move a file or directory to the trash",
      role: "author",
      scope: "files:write",
      find: ({ id }, caller) => getFile(db, caller, id),
      may: isOwnerOrAdmin,
      current: async (tx, caller, { id }) => presentFile(await lockFile(tx, id), caller),
      response: messageSchema,
      async handle({ record, caller, transaction }) {
        await transaction((tx) => trashFile(tx, trash, record.id, caller.id));
        return { message: `"${record.name}" was moved to the trash.` };
      },
    }),

    route({
      method: "POST",
      path: "/api/v1/directories",
      name: "createDirectory",
      base: true,
      tag,
      summary: "Create a directory",
      role: "author",
      scope: "files:write",
      body: newDirectorySchema,
      status: 201,
      location: "/api/v1/files/{id}",
      response: fileSchema,
      statuses: hiddenPath,
      async handle({ body, caller, transaction }) {
        const parent = parsePath(body.path);
        await checkMayAdd(db, caller, parent);
        const present = (directory: StoredFile) => presentFile(directory, caller);
        const added = { ...body, name: checkName(body.name) };
        return present(await addDirectory(replying(transaction, present), caller, parent, added));
      },
    }),
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
