import { z } from "zod";
import type { Database } from "../platform/database/database.ts";
import { byID } from "../platform/database/keyset.ts";
import { alwaysSortedBy } from "../platform/http/cursor.ts";
import { type Route, route } from "../platform/http/route.ts";
import { messageSchema } from "../platform/http/message.ts";
import { getEntry, listEntries, listEntriesByKey, purgeEntry } from "./store.ts";
import { entrySchemaOf, isOwnDeletion, mayDestroy, mayRestore, type Trash } from "./trash.ts";

const tag = "Trash";

export function trashRoutes(db: Database, trash: Trash, kinds: string[], keptDays: number): Route[] {
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
      answer: z.array(entrySchema),
      handle: ({ caller, cursor }) =>
        cursor ? listEntriesByKey(db, caller.id, keptDays, cursor) : listEntries(db, caller.id, keptDays),
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
      find: ({ id }) => getEntry(db, id, keptDays),
      may: mayRestore,
      answer: messageSchema,
      async handle({ record, caller }) {
        await db.transaction(async (tx) => {
          const entry = await getEntry(tx, record.id, keptDays, tx.forUpdate);
          await trash.restore(tx, entry, caller.id);
        });
        return { message: `"${record.name}" was restored.` };
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
      find: ({ id }) => getEntry(db, id, keptDays),
      may: mayDestroy,
      answer: messageSchema,
      async handle({ record, caller }) {
        await purgeEntry(db, trash, record, caller.id);
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
      answer: messageSchema,
      async handle({ caller }) {
        for await (const entries of listEntries(db, caller.id, keptDays)) {
          for (const entry of entries) if (isOwnDeletion(caller, entry)) await purgeEntry(db, trash, entry, caller.id);
        }
        return { message: "Your own records in the trash are permanently deleted." };
      },
    }),
  ];
}
