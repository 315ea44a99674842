import { z } from "zod";
import { missing } from "../../platform/errors.ts";
import type { Database } from "../../platform/database/database.ts";
import { byID } from "../../platform/database/keyset.ts";
import { alwaysSortedBy } from "../../platform/http/cursor.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { messageSchema } from "../../platform/http/message.ts";
import type { RecordKind } from "../records/record-kind.ts";
import { changeTogether } from "../records/batch.ts";
import { handleEntries, trashBatchResultOf, trashBatchSchemaOf } from "./batch.ts";
import { getEntry, listEntries, listEntriesByKey, purgeEntry } from "./store.ts";
import { entrySchemaOf, isOwnDeletion, mayDestroy, mayRestore, type Trash } from "./trash.ts";

const tag = "Trash";

export function trashRoutes(db: Database, trash: Trash, recordKinds: RecordKind[], keptDays: number): Route[] {
  const kinds = recordKinds.map(({ name }) => name);
  const shown = { kinds: recordKinds, keptDays };
  const entrySchema = entrySchemaOf(kinds);
  return [
    route({
      method: "GET",
      path: "/api/v1/trash",
      name: "listTrash",
      tag,
      summary: "List what you have deleted, newest first",
      details:
        "Your own records, and records of others that you have removed. Records of yours that others have removed are not listed.",
      role: "reader",
      cursor: alwaysSortedBy(byID, "desc"),
      response: z.array(entrySchema),
      handle: ({ caller, cursor }) =>
        cursor ? listEntriesByKey(db, caller.id, shown, cursor) : listEntries(db, caller.id, shown),
    }),

    route({
      method: "POST",
      path: "/api/v1/trash/:id/restore",
      name: "restoreFromTrash",
      tag,
      summary: "Restore a deleted record, with everything that belongs to it",
      details:
        "Allowed for the person who deleted it and admins. If the name of a file has been taken in the meantime, it gets another one.",
      role: "reader",
      scope: "admin",
      find: ({ id }, caller) => getEntry(db, caller, id, { keptDays }),
      may: mayRestore,
      response: messageSchema,
      handle: ({ record, caller, transaction }) =>
        transaction(async (tx) => {
          const entry = await getEntry(tx, caller, record.id, { keptDays, lock: tx.forUpdate });
          await trash.restore(tx, entry, caller.id);
          return { message: `"${record.name}" was restored.` };
        }),
    }),

    route({
      method: "POST",
      path: "/api/v1/trash/restore",
      name: "restoreManyFromTrash",
      tag,
      summary: "Restore many deleted records",
      details:
        "Also undoes a deletion, without its entry in the trash. Everything you may restore is restored in one transaction; each record that was refused has its status and error.",
      role: "reader",
      scope: "admin",
      body: trashBatchSchemaOf(kinds),
      response: trashBatchResultOf(kinds),
      handle: changeTogether((tx, caller, { records }) =>
        handleEntries(tx, caller, { records, keptDays, lock: tx.forUpdate }, async (entry) => {
          mayRestore(caller, entry);
          await trash.restore(tx, entry, caller.id);
        }),
      ),
    }),

    route({
      method: "POST",
      path: "/api/v1/trash/delete",
      name: "deleteManyForGood",
      tag,
      summary: "Delete many records permanently",
      details:
        "The records are deleted one after the other: if the request fails, some of them may be gone, and a repetition deletes the rest. Each record that was refused has its status and error.",
      role: "reader",
      scope: "admin",
      body: trashBatchSchemaOf(kinds),
      whenFull: () => true,
      response: trashBatchResultOf(kinds),
      async handle({ body: { records }, caller, transaction }) {
        const result = await handleEntries(db, caller, { records, keptDays }, async (entry) => {
          mayDestroy(caller, entry);
          if (!(await purgeEntry(db, trash, entry, caller.id)))
            throw missing(`${entry.kind} ${entry.recordID} in the trash`);
        });
        return transaction(async () => result);
      },
    }),

    route({
      method: "DELETE",
      path: "/api/v1/trash/:id",
      name: "deleteForGood",
      tag,
      summary: "Delete a record permanently",
      details: "Allowed for an owner who deleted it themselves, and for admins.",
      role: "reader",
      scope: "admin",
      find: ({ id }, caller) => getEntry(db, caller, id, { keptDays }),
      may: mayDestroy,
      response: messageSchema,
      async handle({ record, caller }) {
        if (!(await purgeEntry(db, trash, record, caller.id))) throw missing(`entry ${record.id} in the trash`);
        return { message: `"${record.name}" was permanently deleted.` };
      },
    }),

    route({
      method: "DELETE",
      path: "/api/v1/trash",
      name: "emptyTrash",
      tag,
      summary: "Empty the trash permanently",
      details: "Deletes your own records. Records of others that you have removed stay until they expire.",
      role: "reader",
      scope: "admin",
      response: messageSchema,
      async handle({ caller }) {
        for await (const entries of listEntries(db, caller.id, { kinds: [], keptDays })) {
          for (const entry of entries) if (isOwnDeletion(caller, entry)) await purgeEntry(db, trash, entry, caller.id);
        }
        return { message: "Your own records in the trash are permanently deleted." };
      },
    }),
  ];
}
