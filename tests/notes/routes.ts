import { z } from "zod";
import type { Database, Queries } from "../../src/platform/database/database.ts";
import { byID } from "../../src/platform/database/keyset.ts";
import { sortedBy } from "../../src/platform/http/cursor.ts";
import { offsetOf } from "../../src/platform/http/pages.ts";
import { type Caller, isOwnerOrAdmin, type Route, route } from "../../src/platform/http/route.ts";
import type { Trash } from "../../src/core/trash/trash.ts";
import { ownerQuery, ownerStatuses } from "../../src/core/users/owner.ts";
import { messageSchema } from "../../src/platform/http/message.ts";
import { newNoteSchema, noteChangesSchema, noteSchema } from "./note.ts";
import { getNote, getNoteHead, insertNote, listNotes, listNotesByKey, trashNote, updateNote } from "./store.ts";

const tag = "Notes";

export function noteRoutes(db: Database, trash: Trash): Route[] {
  return [
    route({
      method: "POST",
      path: "/api/v1/notes",
      name: "createNote",
      tag,
      summary: "Write a note",
      role: "author",
      body: newNoteSchema,
      status: 201,
      response: noteSchema,
      handle: ({ body, caller, transaction }) => transaction((tx) => insertNote(tx, caller.id, body)),
    }),

    route({
      method: "GET",
      path: "/api/v1/notes",
      name: "listNotes",
      tag,
      summary: "List notes, newest first",
      personal: true,
      paged: true,
      cursor: sortedBy({ createdAt: byID }, "desc"),
      query: ownerQuery,
      statuses: ownerStatuses,
      response: z.array(noteSchema),
      handle: ({ page, cursor, query, viewer }) =>
        cursor ? listNotesByKey(db, viewer, query, cursor) : listNotes(db, offsetOf(page)),
    }),

    route({
      method: "GET",
      path: "/api/v1/notes/:id",
      name: "readNote",
      tag,
      summary: "Read a note",
      response: noteSchema,
      personal: true,
      granted: true,
      handle: ({ params, viewer }) => getNote(db, viewer, params.id),
    }),

    route({
      method: "PUT",
      path: "/api/v1/notes/:id",
      name: "changeNote",
      tag,
      summary: "Change a note",
      role: "author",
      find: ({ id }, caller) => getNoteHead(db, caller, id),
      may: isOwnerOrAdmin,
      current: lockNote,
      body: noteChangesSchema,
      response: noteSchema,
      handle: ({ record, body, caller, transaction }) => transaction((tx) => updateNote(tx, caller, record.id, body)),
    }),

    route({
      method: "DELETE",
      path: "/api/v1/notes/:id",
      name: "deleteNote",
      tag,
      summary: "Move a note to the trash",
      role: "author",
      find: ({ id }, caller) => getNoteHead(db, caller, id),
      may: isOwnerOrAdmin,
      current: lockNote,
      response: messageSchema,
      async handle({ record, caller, transaction }) {
        await transaction((tx) => trashNote(tx, trash, record, caller.id));
        return { message: "The note is in the trash." };
      },
    }),
  ];
}

/** For If-Match: what `readNote` returns, while nobody else can change it. */
async function lockNote(tx: Queries, caller: Caller, { id }: { id: number }) {
  await getNoteHead(tx, caller, id, tx.forUpdate);
  return getNote(tx, caller, id);
}
