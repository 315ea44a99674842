import { forbidden } from "../../platform/errors.ts";
import type { Database } from "../../platform/database/database.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { type Caller, isOwnerOrAdmin, type Route, route } from "../../platform/http/route.ts";
import { replying } from "../../platform/http/transact.ts";
import type { Trash } from "../../core/trash/trash.ts";
import { addDirectory, checkMayAdd, nameTaken } from "./directories.ts";
import {
  destinationSchema,
  fileChangesSchema,
  fileSchema,
  newDirectorySchema,
  presentFile,
  type StoredFile,
} from "./file.ts";
import { copyFile, moveFile } from "./move.ts";
import { checkName, parsePath } from "./names.ts";
import { findNamed, getFile, lockFile, trashFile } from "./store.ts";
import { updateFile } from "./update.ts";

const tag = "Files";
const openTo = ["directory"] as const;
export const hiddenPath = { 404: "The path leads to what you may not see" };

type Deps = { db: Database; trash: Trash; quotaBytes: number | null };

/** What changes files and directories, but not the content of a file. */
export function changeRoutes({ db, trash, quotaBytes }: Deps): Route[] {
  return [
    route({
      method: "PUT",
      path: "/api/v1/files/:id",
      name: "changeFile",
      openTo,
      base: true,
      tag,
      summary: "Rename a file or directory, or change who can see it",
      role: "author",
      scope: "files:write",
      find: ({ id }, caller) => getChangeable(caller, id),
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
      openTo,
      tag,
      summary: "Move a file or directory",
      details: "Fails if the name is taken at the destination.",
      role: "author",
      scope: "files:write",
      find: ({ id }, caller) => getChangeable(caller, id),
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
      openTo,
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
      openTo,
      base: true,
      tag,
      summary: "Move a file or directory to the trash",
      role: "author",
      scope: "files:write",
      find: ({ id }, caller) => getChangeable(caller, id),
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
      openTo,
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

  async function getChangeable(caller: Caller, id: number): Promise<StoredFile> {
    const file = await getFile(db, caller, id);
    refuseTop(caller, id);
    return file;
  }
}

/** The directory to which a key is limited is a part of the one above it, which the key does not reach. */
function refuseTop({ limit }: Caller, id: number): void {
  if (limit?.kind === "directory" && limit.id === id)
    throw forbidden("This app key is limited to this directory: it can change only what is in it.");
}
