import { z } from "zod";
import type { Database } from "../../src/platform/database/database.ts";
import { offsetOf } from "../../src/platform/http/pages.ts";
import { isOwnerOrAdmin, type Route, route } from "../../src/platform/http/route.ts";
import type { Trash } from "../../src/core/trash/trash.ts";
import { messageSchema } from "../../src/platform/http/message.ts";
import { newNoteSchema, noteSchema } from "./note.ts";
import { getNote, insertNote, listNotes, trashNote } from "./store.ts";

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
      paged: true,
      response: z.array(noteSchema),
      handle: ({ page }) => listNotes(db, offsetOf(page)),
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
      method: "DELETE",
      path: "/api/v1/notes/:id",
      name: "deleteNote",
      tag,
      summary: "Move a note to the trash",
      role: "author",
      find: ({ id }, caller) => getNote(db, caller, id),
      may: isOwnerOrAdmin,
      response: messageSchema,
      async handle({ record, caller }) {
        await db.transaction((tx) => trashNote(tx, trash, record, caller.id));
        return { message: "The note is in the trash." };
      },
    }),
  ];
}
