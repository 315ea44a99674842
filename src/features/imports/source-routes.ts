import { z } from "zod";
import { parsePath } from "../../content/files/names.ts";
import { findFiles } from "../../content/files/store.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { byID } from "../../platform/database/keyset.ts";
import { invalid, Problem } from "../../platform/errors.ts";
import { onlyByCursor } from "../../platform/http/cursor.ts";
import { type Caller, type Route, route } from "../../platform/http/route.ts";
import { beginAndWait } from "./begin-and-wait.ts";
import { type Import, importItemSchema, importSchema, importsQuery, itemsQuery } from "./import.ts";
import { listItems } from "./items-store.ts";
import { type Plan, planSchema } from "./plan.ts";
import { beginUndo, insertPlanned } from "./plan-store.ts";
import type { Reading } from "./reading.ts";
import { type Dirs, findFolder } from "./server-folder.ts";
import { checkUnfinished, getImport, listImports, lockImport } from "./store.ts";

const tag = "Imports";

/** Imports of what lies outside the site. */
export function sourceRoutes(db: Database, reading: Reading, dirs: Dirs): Route[] {
  const find = ({ id }: { id: number }, caller: Caller) => getImport(db, caller, id);

  return [
    route({
      method: "POST",
      path: "/api/v1/imports",
      name: "createImport",
      tag,
      summary: "Import archives or an export of another program",
      details:
        "The server recognises what it reads. Responds when everything was read, or after five seconds with `status` `running`: the import then continues in the background, even after a restart. What an earlier import of the same source has brought is passed over, so it is safe to repeat the request. With `dryRun`, the items say what would happen.",
      role: "author",
      scope: "admin",
      body: planSchema,
      status: 201,
      location: "/api/v1/imports/{id}",
      response: importSchema,
      statuses: { 409: "You have too many unfinished imports: wait until one has finished, or cancel one" },
      settlesLater: true,
      async handle({ body, caller, transaction }) {
        const name = await checkPlan(body, caller);
        const insert = async (tx: Queries) => {
          await checkUnfinished(tx, caller);
          return insertPlanned(tx, caller, body, name);
        };
        const id = await transaction(insert, { reply: (inserted, tx) => getImport(tx, caller, inserted) });
        await beginAndWait(reading, id);
        return getImport(db, caller, id);
      },
    }),

    route({
      method: "GET",
      path: "/api/v1/imports",
      name: "listImports",
      tag,
      summary: "List imports, newest first",
      details: "Your own ones; for admins, those of everybody.",
      role: "author",
      query: importsQuery,
      cursor: onlyByCursor(byID, "desc"),
      response: z.array(importSchema),
      handle: ({ caller, cursor, query }) => listImports(db, caller, { ...cursor, ...query }),
    }),

    route({
      method: "GET",
      path: "/api/v1/imports/:id/items",
      name: "listImportItems",
      tag,
      summary: "List the items of an import with their outcomes",
      details:
        "What became of each item of the source, in the order in which they were read. Items that an earlier import has brought are only counted.",
      role: "author",
      find,
      query: itemsQuery,
      cursor: onlyByCursor(byID, "asc"),
      response: z.array(importItemSchema),
      handle: ({ record, cursor, query }) => listItems(db, record.id, { ...cursor, ...query }),
    }),

    route({
      method: "POST",
      path: "/api/v1/imports/:id/undo",
      name: "undoImport",
      tag,
      summary: "Move everything that an import has added to the trash",
      details:
        "Responds when everything is in the trash, or after five seconds with `status` `undoing`. Directories that hold something else by now stay. A running import is cancelled first. Undoing an import again has no effect.",
      role: "author",
      scope: "admin",
      find,
      current: (tx, _caller, { id }) => lockImport(tx, id),
      whenFull: () => true,
      response: importSchema,
      statuses: { 409: "There is nothing to undo: it was a dry run, or an import of a directory of the site" },
      settlesLater: true,
      async handle({ record, caller, transaction }) {
        checkUndo(record);
        const { id } = record;
        await transaction((tx) => beginUndo(tx, id), { reply: (_done, tx) => getImport(tx, caller, id) });
        await beginAndWait(reading, id);
        return getImport(db, caller, id);
      },
    }),
  ];

  /** Returns what the source is called until it was recognised. */
  async function checkPlan(plan: Plan, caller: Caller): Promise<string> {
    const { fileIDs, folder, to } = plan;
    if (to !== undefined) parsePath(to, "to");
    if ((fileIDs === undefined) === (folder === undefined))
      throw invalid('Send either "fileIDs" or "folder".', "fileIDs");
    if (folder !== undefined) {
      await findFolder(dirs, caller, folder);
      return folder;
    }
    const found = await findFiles(db, caller, fileIDs ?? []);
    const names = (fileIDs ?? []).map((id) => {
      const file = found.get(id);
      if (!file) throw invalid(`There is no file ${id}.`, "fileIDs");
      if (file.isDirectory) throw invalid(`${file.name} is a directory, not an archive.`, "fileIDs");
      return file.name;
    });
    return names.join(", ");
  }
}

function checkUndo({ id, source, isDryRun }: Import): void {
  if (isDryRun) throw new Problem("conflict", `Import ${id} was a dry run: there is nothing to undo.`);
  if (source === null)
    throw new Problem("conflict", `Import ${id} is one of a directory of the site: delete its photos.`);
}
