import { z } from "zod";
import { missing, Problem } from "../../platform/errors.ts";
import { parsePath } from "../../content/files/names.ts";
import { root } from "../../content/files/rows.ts";
import { findByPath } from "../../content/files/store.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { alsoByCursor, onlyByCursor } from "../../platform/http/cursor.ts";
import { offsetOf } from "../../platform/http/pages.ts";
import { type Caller, route, type Route } from "../../platform/http/route.ts";
import { byID } from "../../platform/database/keyset.ts";
import {
  importedFileSchema,
  importItemSchema,
  importReportSchema,
  importSchema,
  importsQuery,
  itemsQuery,
  newImportSchema,
  newPlanSchema,
  outcomes,
  resumeSchema,
} from "./import.ts";
import { byFileID, listImportedFiles, listImportedFilesByKey } from "./imported-files.ts";
import { beginUndo, cancelImport, getImport, insertRequested, listImports, lockImport } from "./store.ts";
import { addDirectories, sourceTask, sourceTasks } from "./tasks.ts";
import { listItems } from "./items.ts";
import type { PlannedSources } from "./planned-source.ts";
import type { SourceImports } from "./source-imports.ts";

const filesInReport = 100;

/** What is small is done within this time, so that the client needs no second request. */
const waitMs = 5000;
const tooMany = "You have too many unfinished imports: wait until one has finished, or cancel one";

type Deps = { db: Database; photos: Pick<SourceImports, "wait">; sources: SourceImports; planned: PlannedSources };

export function importRoutes({ db, photos, sources, planned }: Deps): Route[] {
  const ofImport = {
    tag: "Imports",
    role: "author",
    find: ({ id }: { id: number }, caller: Caller) => getImport(db, caller, id),
  } as const;

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
      statuses: { 404: "There is no such directory", 409: tooMany },
      settlesLater: true,
      async handle({ body, caller, transaction }) {
        const { path, directoryID } = await getDirectory(db, caller, body.path);
        const insert = async (tx: Queries) => {
          const inserted = await insertRequested(tx, caller, { path, isRecursive: body.recursive });
          await addDirectories(tx, inserted, [directoryID]);
          return inserted;
        };
        const id = await transaction(insert, { reply: (inserted, tx) => report(tx, inserted, caller) });
        await photos.wait(id, waitMs);
        return report(db, id, caller);
      },
    }),

    route({
      ...ofImport,
      method: "GET",
      path: "/api/v1/imports/:id",
      name: "readImport",
      summary: "Read the progress of an import",
      details:
        "A finished import can be read for seven days. Those of sources outside the site are kept, so that they can be undone.",
      response: importSchema,
      handle: ({ record }) => record,
    }),

    route({
      ...ofImport,
      method: "GET",
      path: "/api/v1/imports/:id/files",
      name: "listImportedFiles",
      summary: "List the files of an import with their outcomes",
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
      ...ofImport,
      method: "DELETE",
      path: "/api/v1/imports/:id",
      name: "cancelImport",
      summary: "Cancel an import",
      details:
        "What was already imported is kept. Cancelling a finished import has no effect. One that is being undone stops there: what is in the trash stays there, and the rest can be undone later.",
      scope: "photos:write",
      current: (tx, _caller, { id }) => lockImport(tx, id),
      response: importSchema,
      handle: ({ record, transaction }) => transaction((tx) => cancelImport(tx, record.id)),
    }),

    route({
      method: "POST",
      path: "/api/v1/imports",
      name: "createImport",
      tag: ofImport.tag,
      summary: "Import archives, an export of another program, or what another server has",
      details:
        "The server recognises what it reads. Responds when everything was read, or after five seconds with `status` `running`: the import then continues in the background, even after a restart. What an earlier import of the same source has brought is passed over, so it is safe to repeat the request. With `dryRun`, the items say what would happen. The address and the key of a server are tried before anything else, so that mistakes are found at once.",
      role: "author",
      scope: "admin",
      body: newPlanSchema,
      status: 201,
      location: "/api/v1/imports/{id}",
      response: importSchema,
      statuses: { 409: tooMany },
      settlesLater: true,
      async handle({ body, caller, transaction }) {
        const { key, ...sent } = body;
        const { plan, name } = await planned.check(sent, key, caller);
        const insert = async (tx: Queries) => {
          const inserted = await insertRequested(tx, caller, { source: name, plan });
          // Another server is read once its key is here.
          if (!plan.server) await sourceTasks.add(tx, [sourceTask(inserted)]);
          return inserted;
        };
        const id = await transaction(insert, { reply: (inserted, tx) => getImport(tx, caller, inserted) });
        if (key !== undefined && plan.server) await sources.giveKey(id, key);
        await sources.wait(id, waitMs);
        return getImport(db, caller, id);
      },
    }),

    route({
      method: "GET",
      path: "/api/v1/imports",
      name: "listImports",
      tag: ofImport.tag,
      summary: "List imports, newest first",
      details: "Your own ones; for admins, those of everybody.",
      role: "author",
      query: importsQuery,
      cursor: onlyByCursor(byID, "desc"),
      response: z.array(importSchema),
      handle: ({ caller, cursor, query }) => listImports(db, caller, { ...cursor, ...query }),
    }),

    route({
      ...ofImport,
      method: "GET",
      path: "/api/v1/imports/:id/items",
      name: "listImportItems",
      summary: "List the items of an import with their outcomes",
      details:
        "What became of each item of the source, in the order in which they were read. Items that an earlier import has brought are only counted.",
      query: itemsQuery,
      cursor: onlyByCursor(byID, "asc"),
      response: z.array(importItemSchema),
      handle: ({ record, cursor, query }) => listItems(db, record.id, { ...cursor, ...query }),
    }),

    route({
      ...ofImport,
      method: "POST",
      path: "/api/v1/imports/:id/resume",
      name: "resumeImport",
      summary: "Give an import the key of the other server again",
      details:
        "An import that reads another server keeps the key only in memory: after a restart, or if that server has refused it, it has `needsKey` and goes on where it stopped once it has a key.",
      role: "admin",
      scope: "admin",
      body: resumeSchema,
      noIdempotency: "token",
      response: importSchema,
      statuses: { 409: "It does not wait for a key" },
      async handle({ record, body, caller }) {
        const { id, plan, needsKey } = record;
        if (!needsKey || !plan?.server) throw new Problem("conflict", `Import ${id} does not wait for a key.`);
        await planned.checkKey(plan, body.key, caller);
        await sources.giveKey(id, body.key);
        await sources.wait(id, waitMs);
        return getImport(db, caller, id);
      },
    }),

    route({
      ...ofImport,
      method: "POST",
      path: "/api/v1/imports/:id/undo",
      name: "undoImport",
      summary: "Move everything that an import has added to the trash",
      details:
        "Responds when everything is in the trash, or after five seconds with `status` `undoing`. Directories that hold something else by now stay. A running import is cancelled first. Undoing an import again has no effect.",
      scope: "admin",
      current: (tx, _caller, { id }) => lockImport(tx, id),
      whenFull: () => true,
      response: importSchema,
      statuses: { 409: "There is nothing to undo: it was a dry run, or an import of a directory of the site" },
      settlesLater: true,
      async handle({ record: { id, source, isDryRun }, caller, transaction }) {
        if (isDryRun) throw new Problem("conflict", `Import ${id} was a dry run: there is nothing to undo.`);
        if (source === null)
          throw new Problem("conflict", `Import ${id} is one of a directory of the site: delete its photos.`);
        await transaction((tx) => beginUndo(tx, id), { reply: (_done, tx) => getImport(tx, caller, id) });
        await sources.wait(id, waitMs);
        return getImport(db, caller, id);
      },
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
