import { missing } from "../../src/platform/errors.ts";
import type { Queries, Reader } from "../../src/platform/database/database.ts";
import { type KeysetRequest, listByKey } from "../../src/platform/database/keyset.ts";
import { listPage, type Page } from "../../src/platform/database/lists.ts";
import { mapSlices } from "../../src/platform/database/slices.ts";
import { inChunks, list, sql, type Sql } from "../../src/platform/database/sql.ts";
import type { Caller, Viewer } from "../../src/platform/http/route.ts";
import { recordChange } from "../../src/core/activity/record-change.ts";
import { type Head, headFinder } from "../../src/core/trash/heads.ts";
import { isListed, isLive, type Trash } from "../../src/core/trash/trash.ts";
import { isWanted, type OwnerQuery } from "../../src/core/users/owner.ts";
import { flagFor, isVisibleOrGrantedTo, thisTable, toFlag, toVisibility } from "../../src/core/records/visibility.ts";
import type { NewNote, Note, NoteChanges } from "./note.ts";

type Row = {
  id: number;
  owner_id: number;
  text: string;
  is_private: number;
  created_at: number;
  size: number | null;
};

const columns = sql`notes.id, owner_id, text, is_private, created_at, size`;
const notesAtOnce = 100;

export const noteTexts = ({ text }: Note) => ({ title: text, text: "" });

export async function findNotes(db: Reader, viewer: Viewer, ids: number[]): Promise<Map<number, Note>> {
  const rows = await inChunks(ids, (some) =>
    db.all<Row>(sql`
      SELECT ${columns} FROM notes
      WHERE id IN (${list(some)}) AND ${isLive} AND ${isVisibleOrGrantedTo(viewer, thisTable, "note")}`),
  );
  return new Map(rows.map((row) => [row.id, present(row)]));
}

export async function getNote(db: Reader, viewer: Viewer, id: number): Promise<Note> {
  const note = (await findNotes(db, viewer, [id])).get(id);
  if (!note) throw missing(`note ${id}`);
  return note;
}

/** What of a note decides who may change it. With a lock, it stays as it is until the transaction ends. */
export const getNoteHead = headFinder("notes", "text", "note");

/** With page numbers, for everyone. */
export async function listNotes(db: Reader, page: Page) {
  const read = (ids: Sql) =>
    db.all<Row & { total: number }>(sql`
      SELECT ${columns}, page.total
      FROM (${ids}) AS page JOIN notes ON notes.id = page.id`);
  const { items, total } = await listPage(db, "notes", page, { live: isListed, atOnce: notesAtOnce, read });
  return { items: mapSlices(items, (rows) => rows.map(present)), total };
}

/** By cursor, with the filters that every list of records with owners has. */
export const listNotesByKey = (db: Reader, viewer: Viewer, query: OwnerQuery, request: KeysetRequest) =>
  listByKey(db, request, {
    table: "notes",
    where: [isLive, ...isWanted(viewer, query)],
    atOnce: notesAtOnce,
    find: (ids) => findNotes(db, viewer, ids),
  });

export async function insertNote(tx: Queries, ownerID: number, draft: NewNote): Promise<Note> {
  const { text, visibility } = draft;
  const row = await tx.get<Row>(sql`
    INSERT INTO notes (owner_id, text, is_private, created_at)
    VALUES (${ownerID}, ${text}, ${flagFor(visibility)}, ${Date.now()})
    RETURNING ${columns}`);
  const note = present(row as Row);
  const change = { kind: "note", action: "created", actorID: ownerID } as const;
  const written = { ...note, name: text };
  await recordChange(tx, written, { ...change, before: null, after: row as Row, texts: noteTexts(note) });
  return note;
}

export async function updateNote(tx: Queries, caller: Caller, id: number, changed: NoteChanges): Promise<Note> {
  await getNoteHead(tx, caller, id, tx.forUpdate);
  const before = await tx.get<{ is_private: number }>(sql`SELECT is_private FROM notes WHERE id = ${id}`);
  const { text, visibility } = changed;
  await tx.run(sql`
    UPDATE notes SET text = coalesce(${text ?? null}, text)
      ${visibility === undefined ? sql`` : sql`, is_private = ${toFlag(visibility)}`}
    WHERE id = ${id} AND ${isLive}`);
  const note = await getNote(tx, caller, id);
  const change = { kind: "note", action: "changed", actorID: caller.id } as const;
  const after = { is_private: toFlag(note.visibility) };
  const written = { ...note, name: note.text };
  await recordChange(tx, written, { ...change, before: before ?? {}, after, texts: noteTexts(note) });
  return note;
}

export async function trashNote(tx: Queries, trash: Trash, note: Head, deletedByID: number): Promise<void> {
  await trash.put(tx, "note", note, { name: note.name, deletedByID });
}

function present(row: Row): Note {
  return {
    id: row.id,
    ownerID: row.owner_id,
    text: row.text,
    visibility: toVisibility(row.is_private),
    createdAt: new Date(row.created_at).toISOString(),
    attachment: row.size === null ? null : { size: row.size, url: `/api/v1/notes/${row.id}/attachment` },
  };
}
