import { z } from "zod";
import { missing } from "../../platform/errors.ts";
import { parsePath } from "../../content/files/names.ts";
import { root } from "../../content/files/rows.ts";
import { findByPath } from "../../content/files/store.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { alsoByCursor } from "../../platform/http/cursor.ts";
import { offsetOf } from "../../platform/http/pages.ts";
import { type Caller, type Route, route } from "../../platform/http/route.ts";
import { importedFileSchema, importReportSchema, importSchema, newImportSchema, outcomes } from "./import.ts";
import { byFileID, listImportedFiles, listImportedFilesByKey } from "./imported-files.ts";
import { cancelImport, checkUnfinished, getImport, insertImport, lockImport } from "./store.ts";
import { addDirectories } from "./tasks.ts";

const tag = "Imports";
const filesInReport = 100;

/** What is small is done within this time, so that the client needs no second request. */
export const waitMs = 5000;
/** What makes the photos. */
type Photos = { wait(importID: number, ms: number): Promise<void> };

export function importRoutes(db: Database, photos: Photos): Route[] {
  const find = ({ id }: { id: number }, caller: Caller) => getImport(db, caller, id);

  async function report(reader: Reader, id: number, caller: Caller) {
    const found = await getImport(reader, caller, id);
    return { ...found, files: listImportedFiles(reader, found, caller, { offset: 0, size: filesInReport }).items };
  }

  return [
    route({
      method: "POST",
      path: "/api/v1/photos/import",
      name: "importPhotos",
      tag: "Photos",
      summary: "Create photos from all images in a directory",
      details:
        "Responds when the import has finished, or after five seconds with `status` `running`: the import then continues in the background, even after a restart. Files you have already imported are skipped, so it is safe to repeat the request. Files of others are not part of the import, unless you are an admin. A file that cannot be read temporarily is retried a few times.",
      role: "author",
      scope: "photos:write",
      body: newImportSchema,
      response: importReportSchema,
      statuses: {
        404: "There is no such directory",
        409: "You have too many unfinished imports: wait until one has finished, or cancel one",
      },
      settlesLater: true,
      async handle({ body, caller, transaction }) {
        const { path, directoryID } = await getDirectory(db, caller, body.path);
        const insert = async (tx: Queries) => {
          await checkUnfinished(tx, caller);
          const inserted = await insertImport(tx, caller, { path, isRecursive: body.recursive });
          await addDirectories(tx, inserted, [directoryID]);
          return inserted;
        };
        const id = await transaction(insert, { reply: (inserted, tx) => report(tx, inserted, caller) });
        await photos.wait(id, waitMs);
        return report(db, id, caller);
      },
    }),

    route({
      method: "GET",
      path: "/api/v1/imports/:id",
      name: "readImport",
      tag,
      summary: "Read the progress of an import",
      details:
        "A finished import can be read for seven days. Those of sources outside the site are kept, so that they can be undone.",
      role: "author",
      find,
      response: importSchema,
      handle: ({ record }) => record,
    }),

    route({
      method: "GET",
      path: "/api/v1/imports/:id/files",
      name: "listImportedFiles",
      tag,
      summary: "List the files of an import with their outcomes",
      role: "author",
      find,
      query: filesQuery,
      paged: true,
      cursor: alsoByCursor(byFileID, "asc"),
      response: z.array(importedFileSchema),
      handle: ({ record, caller, page, cursor, query }) =>
        cursor
          ? listImportedFilesByKey(db, record, caller, { ...cursor, ...query })
          : listImportedFiles(db, record, caller, { ...offsetOf(page), ...query }),
    }),

    route({
      method: "DELETE",
      path: "/api/v1/imports/:id",
      name: "cancelImport",
      tag,
      summary: "Cancel an import",
      details:
        "What was already imported is kept. Cancelling a finished import has no effect. One that is being undone stops there: what is in the trash stays there, and the rest can be undone later.",
      role: "author",
      scope: "photos:write",
      find,
      current: (tx, _caller, { id }) => lockImport(tx, id),
      response: importSchema,
      handle: ({ record, transaction }) => transaction((tx) => cancelImport(tx, record.id)),
    }),
  ];
}

const filesQuery = z.object({
  outcome: z.enum(outcomes).optional().meta({ description: "Only files with this outcome.", example: "refused" }),
});

async function getDirectory(db: Reader, caller: Caller, path: string): Promise<{ path: string; directoryID: number }> {
  const names = parsePath(path);
  const directory = names.length === 0 ? { ...root, isDirectory: true } : await findByPath(db, caller, names);
  if (!directory?.isDirectory) throw missing(`directory /${names.join("/")}`);
  return { path: `/${names.join("/")}`, directoryID: directory.id };
}
