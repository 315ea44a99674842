import type { Module } from "../../src/module.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { recordKind } from "../../src/core/records/record-kind.ts";
import { reachOf } from "../../src/core/records/visibility.ts";
import { trashableList } from "../../src/core/trash/store.ts";
import { attachmentRoutes } from "./attachment.ts";
import { noteSchema } from "./note.ts";
import { noteRoutes } from "./routes.ts";
import { findNotes, noteTexts } from "./store.ts";

/** A small module that takes part in everything: what it needs is this folder, and its name in a list of modules. */
export const notesModule: Module = {
  tags: { Notes: "Short texts." },
  tables: [
    {
      name: "notes",
      key: ["id"],
      blobs: [
        {
          column: "sha256",
          size: "size",
          counts: "stored",
          label: (row) => `'note ' || ${row}.id`,
          part: { field: "noteAttachments", description: "Files that are attached to notes." },
        },
      ],
    },
  ],
  kinds: [
    recordKind({
      name: "note",
      table: "notes",
      schema: noteSchema,
      find: findNotes,
      texts: noteTexts,
      trash: trashableList("notes"),
      shared: { note: { reach: (id) => ({ note: reachOf(sql`${id}`) }) } },
      counted: { field: "notes", live: sql`SELECT id, owner_id FROM notes WHERE trash_id IS NULL` },
    }),
  ],
  migrations: new URL("./migrations/", import.meta.url),
  open: ({ db, blobs, trash, config: { quotaBytes } }) => ({
    routes: [...noteRoutes(db, trash), ...attachmentRoutes({ db, blobs, quotaBytes })],
  }),
};
