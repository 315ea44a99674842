import type { Module } from "../../src/module.ts";
import { sql } from "../../src/platform/database/sql.ts";
import {
  blob,
  created,
  id,
  number,
  owner,
  table,
  title,
  trash,
  visibility,
} from "../../src/platform/database/table.ts";
import { recordKind } from "../../src/core/records/record-kind.ts";
import { reachOf } from "../../src/core/records/visibility.ts";
import { trashableList } from "../../src/core/trash/store.ts";
import { attachmentRoutes } from "./attachment.ts";
import { noteSchema } from "./note.ts";
import { noteRoutes } from "./routes.ts";
import { findNotes, noteTexts } from "./store.ts";

const notesTable = table(
  "notes",
  {
    id: id(),
    owner_id: owner(),
    trash_id: trash(),
    is_private: visibility(),
    created_at: created(),
    text: title("its text"),
    sha256: blob("the SHA-256 of its attachment", {
      size: "size",
      counts: "stored",
      label: (row) => `'note ' || ${row}.id`,
      part: { field: "noteAttachments", description: "Files that are attached to notes." },
    }),
    size: number("the bytes of its attachment"),
  },
  { exported: { file: "notes", about: "Short texts." } },
);

/** A small module that takes part in everything: what it needs is this folder, and its name in a list of modules. */
export const notesModule: Module = {
  tags: { Notes: "Short texts." },
  tables: [notesTable],
  kinds: [
    recordKind({
      name: "note",
      table: notesTable,
      schema: noteSchema,
      find: findNotes,
      texts: noteTexts,
      trash: trashableList("notes"),
      shared: { note: { reach: (id) => ({ note: reachOf(sql`${id}`) }) } },
      counted: { field: "notes" },
    }),
  ],
  migrations: new URL("./migrations/", import.meta.url),
  open: ({ db, blobs, trash, config: { quotaBytes } }) => ({
    routes: [...noteRoutes(db, trash), ...attachmentRoutes({ db, blobs, quotaBytes })],
  }),
};
